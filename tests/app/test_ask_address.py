"""The first visit, and what an address fills in: an archive, a preset, strategies, or all of an earlier run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shown import markdown, texts
from streamlit.testing.v1 import AppTest
from uploaded import offers_upload, read_archive
from written_runs import HOSTILE, QUESTION, answered, hostile

from app.backend import sample
from rlm_core.settings import Settings
from rlm_core.store.store import Store
from rlm_core.task import Limits, Task

FORM = "ask-question"
MAIN = Path(__file__).parent.parent.parent / "app" / "main.py"


@pytest.fixture
def opened(home):
    """Opens Ask by its address, as a link does: nothing of an earlier address is left."""

    def open_page(**query):
        test = AppTest.from_file(str(MAIN), default_timeout=30)
        for name, value in query.items():
            test.query_params[name] = value
        test.run()
        assert not test.exception, [each.value for each in test.exception]
        return test

    return open_page


def shows_form(page):
    return any(each.key == FORM for each in page.text_area)


def picture(page):
    return [each for each in page.get("bidi_component") if each.key == "first-visit-picture"]


def test_who_has_asked_nothing_is_told_what_this_is_and_has_four_ways_in(opened, home):
    (home / "sample-run").unlink()
    page = opened()
    assert len(picture(page)) == 1
    assert not shows_form(page)
    assert [button.label for button in page.button] == [
        "Open the recorded run",
        "Open the comparison",
        "Ask the sample",
        "Upload an archive",
    ]
    assert "216 calls" in markdown(page)
    assert "This installation" in markdown(page)
    page.button(key="open-recorded").click().run()
    assert page.query_params["run"] == "sample"


def test_the_recorded_comparison_comes_into_the_data_folder_when_it_is_opened(opened):
    page = opened()
    page.button(key="open-comparison").click().run()
    assert page.query_params["runs"] == "sample-base,sample-rlm"


def test_without_the_recorded_run_there_are_three_ways_in(opened):
    page = opened()
    assert [button.label for button in page.button] == ["Open the comparison", "Ask the sample", "Upload an archive"]


def test_the_sample_is_one_click_away_with_its_question(opened):
    page = opened()
    page.button(key="open-sample").click().run()
    assert page.text_area(key=FORM).value.startswith("In which rooms")
    assert page.segmented_control(key="ask-source").value == "Sample"
    assert (page.query_params["archive"], page.query_params["preset"]) == ("sample", "demo")


def test_the_sample_is_asked_of_the_demo_whatever_the_settings_say(opened, home):
    Settings(home, root_model="openai/gpt-5", helper_model="openai/gpt-5-mini").save()
    page = opened()
    page.button(key="open-sample").click().run()
    assert [page.selectbox(key=f"ask-{role}-model").value for role in ("root", "helper")] == ["demo", "demo"]
    assert "Nothing is charged" in markdown(page)


def test_at_the_bare_address_the_demo_is_chosen_for_the_sample_and_goes_with_it(opened, home):
    Settings(home, root_model="openai/gpt-5", helper_model="openai/gpt-5-mini").save()
    answered(home)
    page = opened()
    assert page.segmented_control(key="ask-source").value == "Sample"
    assert page.pills(key="ask-preset").value == "demo"
    assert "Nothing is charged" in markdown(page)
    page.segmented_control(key="ask-source").set_value("Upload").run()
    assert page.selectbox(key="ask-root-model").value == "openai/gpt-5"
    page.segmented_control(key="ask-source").set_value("Sample").run()
    assert page.selectbox(key="ask-root-model").value == "demo"


def test_models_that_somebody_has_chosen_stay_whatever_the_archive(opened, home):
    answered(home)
    page = opened()
    page.pills(key="ask-preset").set_value("google").run()
    page.segmented_control(key="ask-source").set_value("Upload").run()
    page.segmented_control(key="ask-source").set_value("Sample").run()
    assert page.pills(key="ask-preset").value == "google"


def test_an_upload_is_one_click_away(opened):
    page = opened()
    page.button(key="open-upload").click().run()
    assert offers_upload(page)
    assert page.text_area(key=FORM).value == ""
    assert page.query_params["archive"] == "upload"


def test_who_has_asked_sees_the_form_and_finds_the_picture_again(opened, home):
    answered(home)
    page = opened()
    assert shows_form(page)
    assert "What is this?" in [link.label for link in page.get("page_link")]
    assert picture(opened(about="1"))


def test_an_archive_of_ones_own_is_no_first_visit(opened, home):
    opened()
    read_archive(("a.txt", b"one line\n"))
    assert shows_form(opened())


def test_the_choices_stand_in_the_address(opened):
    page = opened(archive="sample")
    assert (page.query_params["preset"], page.query_params["strategies"]) == ("demo", "rlm-1")
    page.checkbox(key="ask-strategy-base").check()
    page.pills(key="ask-preset").set_value("anthropic").run()
    assert (page.query_params["preset"], page.query_params["strategies"]) == ("anthropic", "rlm-1,base")


def test_an_address_fills_the_form_in(opened, home):
    opened()
    own = read_archive(("a.txt", b"one line\n"))
    page = opened(archive=own.id, preset="google", strategies="base,rlm-0")
    assert page.selectbox(key="ask-earlier").value == own.id
    assert page.pills(key="ask-preset").value == "google"
    assert [page.checkbox(key=f"ask-strategy-{each}").value for each in ("rlm depth 1", "rlm depth 0", "base")] == [
        False,
        True,
        True,
    ]


def test_a_quick_second_click_that_still_carries_the_old_address_undoes_nothing(opened):
    page = opened(archive="sample")
    before = {name: page.query_params[name] for name in ("archive", "preset", "strategies")}
    page.checkbox(key="ask-strategy-base").check().run()
    for name, value in before.items():
        page.query_params[name] = value
    page.number_input(key="ask-turns").set_value(7).run()
    assert page.checkbox(key="ask-strategy-base").value
    assert page.query_params["strategies"] == "rlm-1,base"


def test_a_question_like_that_of_a_run_is_filled_in_whole(opened, home):
    opened()
    own = read_archive(("a.txt", b"one line\n"))
    question = "What is in it? " * 300
    limits = Limits(max_usd=1.5, max_turns=7, timeout_s=120)
    answered(home, "r1", Task(question, own.id, "rlm", {"depth": 0}, "openai/gpt-4o", "demo", None, limits))
    page = opened(**{"from": "r1"})
    assert page.text_area(key=FORM).value == question
    assert page.selectbox(key="ask-earlier").value == own.id
    assert page.selectbox(key="ask-root-model").value == "openai/gpt-4o"
    assert page.pills(key="ask-preset").value is None
    assert page.query_params["strategies"] == "rlm-0"
    assert [page.number_input(key=f"ask-{each}").value for each in ("usd", "turns", "minutes")] == [1.5, 7, 2]


def test_asking_again_a_second_time_fills_in_anew(opened, home):
    answered(home, "r1")
    page = opened(**{"from": "r1"})
    page.text_area(key=FORM).set_value("Something else").run()
    assert page.text_area(key=FORM).value == "Something else"
    page.switch_page("views/settings.py").run()
    page.switch_page("views/ask.py")
    page.query_params.clear()
    page.query_params["from"] = "r1"
    page.run()
    assert page.text_area(key=FORM).value == QUESTION


def test_a_run_that_cut_its_archive_is_asked_again_as_it_was(opened, home):
    opened()
    found = sample()
    answered(home, "r1", Task("Q", found.id, "base", {"overflow": "cut"}, "openai/gpt-4", "demo"))
    page = opened(**{"from": "r1"})
    assert page.segmented_control(key="ask-source").value == "Sample"
    assert page.checkbox(key="ask-cut-base").value
    assert page.query_params["strategies"] == "base-cut"


def test_what_is_not_here_any_more_is_said_where_it_is_missing(opened, home):
    answered(home, "r1")
    page = opened(**{"from": "r1"})
    assert "The archive no-corpus is not here any more" in texts(page)
    page.button(key="start").click().run()
    assert "Choose an archive first" in texts(page)
    assert "There is no run r9 here" in texts(opened(**{"from": "r9"}))


def test_hostile_questions_models_and_addresses_are_text(opened, home):
    hostile(home, "h1")
    page = opened(**{"from": "h1"})
    assert page.text_area(key=FORM).value == HOSTILE
    addressed = opened(archive=HOSTILE, preset=HOSTILE, strategies=HOSTILE)
    unknown_run = opened(**{"from": HOSTILE})
    assert shows_form(addressed)
    for each in (page, addressed, unknown_run):
        for acting in ("<script>", "![x](http", "**evil**", ":red[a]"):
            assert acting not in markdown(each)
        assert "\x1b" not in texts(each)


def test_a_hostile_archive_is_text_in_the_report(opened, home):
    opened()
    own = read_archive(("**a** ![x](http) <b>.txt", b"one line\n"), ("![y](http://evil).png", b"\x89PNG" + bytes(64)))
    page = opened(archive=own.id)
    assert "![y](http" not in markdown(page)
    assert "![y](http" in texts(page)
    assert json.loads(page.get("bidi_component")[0].proto.json)["figures"][1]["value"] == "1"


def test_two_visits_of_a_data_folder_do_not_share_a_form(opened, home):
    answered(home)
    store = Store.open(home)
    store.close()
    one, other = opened(), opened()
    one.text_area(key=FORM).set_value("Mine").run()
    assert other.run().text_area(key=FORM).value != "Mine"
