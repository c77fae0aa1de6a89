"""Models of the page that asks: named pairs, their keys, and what a run may cost before it starts."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from shown import markdown, texts
from uploaded import read_archive
from written_runs import answered

from app.backend import archive, model_facts, sample
from app.components import estimate
from app.components.presets import PRESETS, preset_of
from rlm_core.estimates import NOTHING, Estimate, Range
from rlm_core.settings import Settings
from rlm_core.store.store import Store
from rlm_core.task import DEMO_MODEL, Limits, Task

PAID = [each for each in PRESETS if each.root not in ("", DEMO_MODEL)]
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def openai_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-one")


def too_large_for_gpt_4(home):
    """The id of an archive of one's own that its window does not take; the settings choose that model."""
    Settings(home, root_model="openai/gpt-4", helper_model="demo").save()
    return read_archive(("a.txt", b"Room A12: dripped again.\n" * 5000)).id


def jobs(home):
    store = Store.open(home)
    found = [job.task for job in store.jobs()]
    store.close()
    return found


@pytest.mark.parametrize("each", PAID, ids=lambda each: each.name)
def test_each_preset_is_in_the_shipped_price_list_and_will_not_be_switched_off(each):
    spec = find_spec("litellm")
    listed = json.loads(
        Path(spec.submodule_search_locations[0], "model_prices_and_context_window_backup.json").read_text("utf-8")
    )
    for model in (each.root, each.helper):
        facts = model_facts(model, None)
        assert facts.known
        assert facts.input_usd
        assert facts.output_usd
        assert facts.window_tokens >= 100_000
        row = listed.get(model) or listed[model.partition("/")[2]]
        assert "deprecation_date" not in row
    assert model_facts(each.helper, None).input_usd < model_facts(each.root, None).input_usd


def test_models_of_a_preset_are_recognised():
    assert [preset_of(each.root, each.helper, None) for each in PAID] == [each.name for each in PAID]
    assert preset_of("openai/gpt-4o", "openai/gpt-4o", None) is None
    assert preset_of("demo", "demo", "http://127.0.0.1:1/v1") == "server"


def test_the_demo_is_the_first_choice_and_costs_nothing(opened):
    page = opened("ask", archive="sample")
    assert page.pills(key="ask-preset").value == "demo"
    assert "Nothing is charged" in markdown(page)


@pytest.mark.parametrize("each", PAID, ids=lambda each: each.name)
def test_a_preset_fills_in_both_models_and_says_which_key_is_missing(opened, home, each):
    page = opened("ask", archive="sample")
    page.pills(key="ask-preset").set_value(each.name).run()
    assert page.selectbox(key="ask-root-model").value == each.root
    assert page.selectbox(key="ask-helper-model").value == each.helper
    assert "_API_KEY in the environment" in texts(page)
    assert [link.label for link in page.get("page_link")].count("Keep a key in Settings") == 1
    page.button(key="start").click().run()
    assert "Nothing was started. Add what is missing" in texts(page)
    assert jobs(home) == []


def test_with_its_key_a_preset_starts(opened, home, openai_key):
    page = opened("ask", archive="sample", preset="openai")
    assert "There is no key" not in texts(page)
    assert "OPENAI\\_API\\_KEY" in markdown(page)
    assert "sk-not" not in markdown(page) + texts(page)
    page.button(key="start").click().run()
    assert [preset_of(task.root_model, task.helper_model, task.api_base) for task in jobs(home)] == ["openai"]


def test_a_model_chosen_by_hand_leaves_the_preset_and_comes_back_to_it(opened):
    page = opened("ask", archive="sample", preset="openai")
    helper = page.selectbox(key="ask-helper-model").value
    page.selectbox(key="ask-helper-model").set_value("demo").run()
    assert page.pills(key="ask-preset").value is None
    assert "preset" not in page.query_params
    page.selectbox(key="ask-helper-model").set_value(helper).run()
    assert page.pills(key="ask-preset").value == "openai"


def test_a_server_of_ones_own_wants_names_and_an_address_and_its_price_is_unknown(opened, home):
    page = opened("ask", archive="sample")
    page.pills(key="ask-preset").set_value("server").run()
    assert "No model is named" in markdown(page)
    Settings(home, root_model="openai/our-own", helper_model="openai/our-own").save()
    page = opened("ask", archive=read_archive(("a.txt", b"one line\n")).id)
    page.text_area(key="ask-question").set_value("What is in it?")
    page.text_input(key="ask-api-base").set_value("http://127.0.0.1:9/v1").run()
    assert page.pills(key="ask-preset").value == "server"
    assert "*:gray[unknown]*" in markdown(page)
    assert "Without a known price the cost is unknown" in markdown(page)
    page.button(key="start").click().run()
    assert [task.api_base for task in jobs(home)] == ["http://127.0.0.1:9/v1"]


def test_each_strategy_says_what_it_may_cost_and_the_limit_holds(opened):
    page = opened("ask", archive="sample", preset="openai", strategies="rlm-1,base")
    assert markdown(page).count("\\~\\$") == 4  # three rows and their sum
    assert "2 runs may cost" in markdown(page)
    assert "4 to 9 turns" in markdown(page)
    page.number_input(key="ask-usd").set_value(0.05).run()
    assert "never more than \\$0\\.05 each" in markdown(page)
    assert "\\~\\$0\\.10" in markdown(page)


def test_earlier_runs_with_these_models_say_how_long_it_may_take(opened, home):
    chosen = next(each for each in PAID if each.name == "openai")
    found = sample()
    answered(home, "earlier", Task("Q", found.id, "rlm", {}, chosen.root, chosen.helper))
    page = opened("ask", archive="sample", preset="openai")
    assert "1 earlier run with these models" in markdown(page)
    assert "\\~1 s" in markdown(page)
    assert archive(found.id).tokens == found.tokens


def test_the_recorded_run_is_no_earlier_run_of_this_machine(opened, home):
    (home / "sample-run").unlink()
    page = opened("ask", archive="sample")
    assert "Nothing is charged." in markdown(page)
    assert "earlier run" not in markdown(page)


def test_a_refused_archive_has_no_price(opened, home):
    opened("ask")
    page = opened("ask", archive=too_large_for_gpt_4(home), strategies="base")
    assert "base will be refused" in page.warning[0].value
    assert "\nrefused\n" in markdown(page)


def test_a_strategy_that_would_be_refused_is_not_counted_and_starts_nothing_until_it_may_cut(opened, home, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-one")
    opened("ask")
    page = opened("ask", archive=too_large_for_gpt_4(home), strategies="rlm-1,base")
    page.text_area(key="ask-question").set_value("What dripped again?").run()
    assert "1 run may cost, without base" in markdown(page)
    assert page.button(key="start").label == "Start"
    page.button(key="start").click().run()
    assert "Nothing was started: base would be refused." in texts(page)
    assert jobs(home) == []
    page.checkbox(key="ask-strategy-rlm depth 1").uncheck().run()
    assert "base would be refused, so there is nothing to start" in markdown(page)
    page.checkbox(key="ask-strategy-rlm depth 1").check()
    page.checkbox(key="ask-cut-base").check().run()
    assert "2 runs may cost" in markdown(page)
    page.button(key="start").click().run()
    assert len(jobs(home)) == 2


def test_a_new_installation_limits_spending_and_no_limit_is_a_warning(opened, home):
    page = opened("ask", archive="sample", preset="openai")
    assert page.number_input(key="ask-usd").value == 5.0
    assert "never more than \\$5\\.00 each" in markdown(page)
    page.number_input(key="ask-usd").set_value(None).run()
    assert ":material/warning:] no limit on spending is set" in markdown(page)
    assert "give one at" in markdown(page)


def test_ranges_are_said_with_a_tilde_and_unknown_is_no_zero():
    assert estimate.money(Range(0.2, 0.6)) == "~$0.20–0.60"
    assert estimate.money(Range(0.331, 0.334)) == "~$0.33"
    assert estimate.money(Range(0.0002, 0.0041)) == "~$0.0002–0.0041"
    assert estimate.money(None) == "unknown"
    assert estimate.money(NOTHING) == "free"
    assert estimate.time(Range(40, 52)) == "~40–52 s"
    assert estimate.time(Range(70, 230)) == "~1–4 min"
    assert estimate.time(Range(0.01, 0.3)) == "~1 s"
    assert estimate.time(Range(4000, 9000)) == "~1–3 h"
    assert estimate.time(None) == "unknown"


def test_a_total_tells_of_its_unknown_part():
    known, unknown = Estimate(Range(0.2, 0.6)), Estimate()
    assert estimate.total([known, known]) == "~$0.40–1.20"
    assert estimate.total([known, unknown]) == "~$0.20–0.60 + ?"
    assert estimate.total([Estimate(NOTHING), unknown]) == "unknown"
    assert estimate.total([unknown]) == "unknown"
    assert estimate.most(Limits(), "L 1") == (
        "no limit on spending is set: give one at “Stop at $” · list prices of L 1"
    )
