"""The page that asks: archive, question, how, and what happens when something is missing."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO

from shown import figures, markdown, texts
from uploaded import offers_upload, upload

from rlm_core.settings import Settings
from rlm_core.store.store import Store


def archive_figures(page):
    return figures(json.loads(page.get("bidi_component")[0].proto.json))


def choose_model(home, name):
    """Make a model the first choice, as the settings can; a name that is typed in the page is for the browser tests."""
    Settings(home, root_model=name).save()


LEAK = b"Room A12: dripped again.\n"


def asked_of_ones_own(opened, content=LEAK):
    """The form with an archive of one's own and a question: it is asked of the models of the settings."""
    page = upload(form(opened), ("own.txt", content))
    page.text_area(key="ask-question").set_value("What dripped again?").run()
    return page


def form(opened, **query):
    """The form with the sample archive, past the first visit."""
    return opened("ask", **(query or {"archive": "sample"}))


def jobs(home):
    store = Store.open(home)
    found = [job.task for job in store.jobs()]
    store.close()
    return found


def test_an_empty_data_folder_begins_with_the_sample_and_its_question(opened):
    page = form(opened)
    assert page.segmented_control(key="ask-source").value == "Sample"
    assert page.text_area(key="ask-question").value.startswith("In which rooms did the leak come back")
    assert archive_figures(page)["Files found"] == ("28", "")
    assert archive_figures(page)["Tokens"][0].startswith("~19")
    assert "(rule-based, not a language model)" in " ".join(page.selectbox(key="ask-root-model").options)


def test_the_sample_and_the_demo_start_with_one_click(opened, home):
    page = form(opened)
    page.button(key="start").click().run()
    (task,) = jobs(home)
    assert (task.strategy, task.options, task.root_model) == ("rlm", {"depth": 1}, "demo")
    assert page.query_params["run"]
    assert "run-header" in [each.key for each in page.get("bidi_component")]


def test_one_run_is_started_for_each_ticked_strategy(opened, home):
    page = form(opened)
    page.checkbox(key="ask-strategy-rlm depth 0").check()
    page.checkbox(key="ask-strategy-base").check().run()
    assert page.button(key="start").label == "Start 3 runs"
    page.button(key="start").click().run()
    assert [(task.strategy, task.options.get("depth")) for task in jobs(home)] == [
        ("rlm", 1),
        ("rlm", 0),
        ("base", None),
    ]
    runs = page.query_params["runs"].split(",")
    assert len(runs) == 3
    assert "compare-head" in [each.key for each in page.get("bidi_component")]
    assert "3 runs were started together" in markdown(opened("run", run=runs[0], **{"with": ",".join(runs[1:])}))


def test_limits_go_into_the_task(opened, home):
    page = form(opened)
    page.number_input(key="ask-usd").set_value(2.5)
    page.number_input(key="ask-minutes").set_value(3)
    page.number_input(key="ask-at-once").set_value(8).run()
    page.button(key="start").click().run()
    (task,) = jobs(home)
    assert (task.limits.max_usd, task.limits.timeout_s, task.limits.concurrency) == (2.5, 180.0, 8)


def test_an_empty_question_is_said_beside_the_question(opened, home):
    page = form(opened)
    page.segmented_control(key="ask-source").set_value("Earlier archive").run()
    assert page.text_area(key="ask-question").value == ""
    page.button(key="start").click().run()
    assert "Write the question first." in texts(page)
    assert jobs(home) == []


def test_a_missing_archive_is_said_where_it_is_missing(opened, home):
    page = form(opened)
    page.segmented_control(key="ask-source").set_value("Upload").run()
    page.button(key="start").click().run()
    assert "Choose an archive first" in texts(page)
    assert jobs(home) == []


def test_without_a_strategy_nothing_can_be_started_and_the_reason_stands_beside_the_button(opened):
    page = form(opened)
    page.checkbox(key="ask-strategy-rlm depth 1").uncheck().run()
    assert page.button(key="start").disabled
    assert page.button(key="start").label == "Start"
    assert "Tick at least one strategy to start" in markdown(page)


def test_an_unknown_model_is_named_with_similar_ones_and_starts_nothing(opened, home):
    choose_model(home, "openai/gpt-4oo")
    page = asked_of_ones_own(opened)
    assert "'openai/gpt-4oo' is not known" in texts(page)
    assert "gpt-4o" in texts(page)
    page.button(key="start").click().run()
    assert "Nothing was started" in texts(page)
    assert jobs(home) == []


def test_a_server_of_ones_own_may_have_any_model(opened, home):
    choose_model(home, "openai/our-own")
    page = asked_of_ones_own(opened)
    assert "is not known" in texts(page)
    page.text_input(key="ask-api-base").set_value("http://127.0.0.1:9/v1").run()
    assert "is not known" not in texts(page)
    page.button(key="start").click().run()
    assert [(task.root_model, task.api_base) for task in jobs(home)] == [("openai/our-own", "http://127.0.0.1:9/v1")]


def test_an_archive_that_fits_the_window_suggests_base(opened, home):
    choose_model(home, "openai/gpt-4o")
    page = asked_of_ones_own(opened)
    assert "The archive fits the window" in page.info[0].value
    assert "in, " in markdown(page)


def test_an_archive_that_does_not_fit_offers_to_cut_it(opened, home, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-one")
    choose_model(home, "gpt-4")
    page = asked_of_ones_own(opened, LEAK * 5000)
    assert "does not fit the window" in page.info[0].value
    page.checkbox(key="ask-strategy-base").check()
    page.checkbox(key="ask-cut-base").check().run()
    page.button(key="start").click().run()
    assert {"overflow": "cut"} in [task.options for task in jobs(home)]


def test_an_upload_is_read_at_once_and_can_be_replaced(opened):
    page = upload(form(opened), ("a.txt", b"one line\n"), ("b.csv", b"room,state\nA12,wet\n"))
    assert archive_figures(page)["Documents"][0] == "2"
    assert not offers_upload(page)
    assert "a\\.txt and 1 more" in markdown(page)
    page.button(key="archive-action").click().run()
    assert offers_upload(page)


def test_the_same_files_once_more_are_recognised_and_that_is_said(opened):
    said = "This archive was here already, from "
    page = upload(form(opened), ("own.txt", LEAK))
    assert said not in markdown(page)
    page.button(key="archive-action").click().run()
    upload(page, ("own.txt", LEAK))
    assert said in markdown(page)
    assert "; it is used again." in markdown(page)
    page.button(key="archive-action").click().run()
    upload(page, ("own.txt", LEAK * 2))
    assert said not in markdown(page)


def test_files_that_could_not_be_read_are_listed_with_their_reason(opened):
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("notes.txt", "Room A12 is dry.\n")
        archive.writestr("**bold**.png", b"\x89PNG\r\n\x1a\n" + bytes(64))
    page = upload(form(opened), ("dump.zip", packed.getvalue()))
    assert archive_figures(page)["Not read"][0] == "1"
    assert "1 file needs a look" in markdown(page)
    assert "**bold**.png" in texts(page)
    assert "Not read." in texts(page)
    page.session_state["all-files"] = True
    page.run()
    table = page.dataframe[-1].value
    assert list(table["File"]) == ["dump.zip!/**bold**.png", "dump.zip!/notes.txt"]


def test_an_upload_of_nothing_readable_says_why_file_by_file(opened, home):
    page = upload(form(opened), ("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(64)))
    assert "None of these files could be read." in texts(page)
    assert "photo.png" in texts(page)
    assert offers_upload(page)
    page.button(key="start").click().run()
    assert jobs(home) == []


def test_an_earlier_archive_can_be_asked_again(opened, home):
    upload(form(opened), ("a.txt", b"one line\n"))
    page = form(opened)
    page.segmented_control(key="ask-source").set_value("Earlier archive").run()
    assert page.selectbox(key="ask-earlier").options[0].startswith("a.txt · 1 document")
    page.text_area(key="ask-question").set_value("What is in it?").run()
    page.button(key="start").click().run()
    assert [task.question for task in jobs(home)] == ["What is in it?"]


def test_an_earlier_archive_is_deleted_at_the_second_click(opened, home):
    for name in ("a.txt", "b.txt"):
        upload(form(opened), (name, f"one line of {name}\n".encode()))
    page = form(opened)
    page.segmented_control(key="ask-source").set_value("Earlier archive").run()
    page.button(key="ask-delete").click().run()
    assert "No run was asked of it. This frees" in texts(page)
    page.button(key="ask-keep").click().run()
    assert "This frees" not in texts(page)
    page.button(key="ask-delete").click().run()
    page.button(key="ask-really-delete").click().run()
    assert next(label.partition(" ")[0] for label in page.selectbox(key="ask-earlier").options) == "a.txt"
    assert not page.exception
    assert "This frees" not in texts(page)


def test_an_archive_that_a_waiting_run_needs_is_not_deleted(opened, home):
    page = asked_of_ones_own(opened)
    page.button(key="start").click().run()
    page = form(opened)
    page.segmented_control(key="ask-source").set_value("Earlier archive").run()
    page.button(key="ask-delete").click().run()
    page.button(key="ask-really-delete").click().run()
    assert "cannot be deleted while the run" in texts(page)
    assert page.selectbox(key="ask-earlier").options[0].startswith("own.txt")


def test_the_rules_of_the_demo_model_are_shown(opened):
    page = form(opened)
    page.session_state["demo-rules"] = True
    page.run()
    assert "came_back" in page.json[0].value
    assert "no measure of a model" in texts(page)


def test_a_question_of_ones_own_is_kept_when_the_archive_changes(opened):
    page = form(opened)
    page.text_area(key="ask-question").set_value("How many pumps failed?").run()
    page.segmented_control(key="ask-source").set_value("Upload").run()
    assert page.text_area(key="ask-question").value == "How many pumps failed?"
