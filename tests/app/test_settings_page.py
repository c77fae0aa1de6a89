"""Settings: what can be changed, what is refused beside its field, and that no key is ever shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from shown import markdown, texts
from streamlit.testing.v1 import AppTest

from app import backend
from app.backend import Cells, KeyStatus, Tried
from app.components.settings_limits import ARCHIVE_FIELDS, FIELDS, kept, shown
from app.components.settings_machine import headline
from app.components.settings_models import cost_of_a_try, key_in_words, tried_in_words
from app.components.settings_prices import row, summary
from rlm_core.ingest_limits import IngestLimits
from rlm_core.keys import KNOWN_NAMES, keep_key, load_keys
from rlm_core.settings import SHIPPED_LIMITS, Settings, load_settings
from rlm_core.task import Limits

KEY = "sk-typed-and-never-told-0123456789"


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KNOWN_NAMES:
        monkeypatch.delenv(name, raising=False)


def everything(page: AppTest) -> str:
    """All that the page holds, also what the browser does not show, and all that the session remembers."""
    return "\n".join([str(page.main), texts(page), markdown(page), repr(page.session_state._state)])


def open_section(page: AppTest, name: str) -> AppTest:
    return page.radio(key="settings-open").set_value(name).run()


def test_the_list_of_sections_says_how_things_stand_and_the_open_one_is_in_the_address(opened):
    page = opened("settings")
    captions = list(page.radio(key="settings-open").proto.captions)
    assert captions[:2] + captions[3:4] == ["demo", "none", "as shipped"]
    assert captions[2].endswith("models")
    assert captions[5].endswith("free")
    assert page.header[0].value == "Models"
    open_section(page, "limits")
    assert (page.header[0].value, page.query_params["section"]) == ("Limits", "limits")
    assert opened("settings", section="keys").header[0].value == "Keys"
    assert opened("settings", section="nonsense").header[0].value == "Models"


def test_models_are_kept_at_once(opened, home):
    Settings(home, helper_model="openai/gpt-5-mini").save()
    page = opened("settings")
    page.selectbox(key="settings-root").set_value("openai/gpt-5-mini").run()
    assert load_settings(home).root_model == "openai/gpt-5-mini"
    assert "Saved" in markdown(page)
    assert "There is no key for OpenAI" in markdown(page)
    assert "$0\\.25 in" in markdown(page).replace("\\$", "$")
    page.run()
    assert "Saved" not in markdown(page)


def test_an_address_that_is_none_is_refused_beside_its_field_and_one_with_a_password_too(opened, home):
    page = opened("settings")
    page.text_input(key="settings-api-base").set_value("http://user:secret@host/v1").run()
    assert "holds a user name or password" in texts(page)
    assert load_settings(home).api_base is None
    page.text_input(key="settings-api-base").set_value("http://127.0.0.1:9/v1").run()
    assert "user name" not in texts(page)
    assert load_settings(home).api_base == "http://127.0.0.1:9/v1"
    page.text_input(key="settings-api-base").set_value("").run()
    assert load_settings(home).api_base is None


def test_a_key_is_kept_and_is_neither_on_the_page_nor_in_the_session(opened, home):
    page = opened("settings", section="keys")
    page.selectbox(key="settings-key-variable").set_value("ANTHROPIC_API_KEY")
    page.text_input(key="settings-key-value").set_value(KEY)
    page.button(key="FormSubmitter:settings-keep-key-Keep it").click().run()
    assert load_keys(home).values == {"ANTHROPIC_API_KEY": KEY}
    assert "kept in the data folder" in texts(page)
    assert "Saved as ANTHROPIC\\_API\\_KEY" in markdown(page)
    assert "settings-key-value" in everything(page)
    assert KEY not in everything(page)
    page.button(key="forget-ANTHROPIC_API_KEY").click().run()
    assert load_keys(home).names == ()
    assert "There is no key yet" in texts(page)
    assert "Removed ANTHROPIC\\_API\\_KEY from the data folder" in markdown(page)


@pytest.mark.parametrize("written", ["Anthropic", "anthropic", " ANTHROPIC_api_key "])
def test_a_key_is_kept_for_a_provider_that_is_written_by_name(written):
    assert backend.key_name(written) == "ANTHROPIC_API_KEY"
    assert backend.key_name("Google") == "GEMINI_API_KEY"
    assert backend.key_name("acme_api_key") == "ACME_API_KEY"
    assert backend.key_name("Walrus") == "Walrus"


def test_a_key_that_is_none_is_refused_and_stays_in_its_field_alone(opened, home):
    page = opened("settings", section="keys")
    page.text_input(key="settings-key-value").set_value(f"OPENAI_API_KEY={KEY}")
    page.button(key="FormSubmitter:settings-keep-key-Keep it").click().run()
    assert "Paste the key alone" in texts(page)
    assert KEY not in texts(page) + markdown(page)
    assert KEY in page.text_input(key="settings-key-value").value
    assert load_keys(home).names == ()


def test_the_environment_is_told_by_name_and_comes_first(opened, home, monkeypatch):
    keep_key(home, "OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment-98765")
    monkeypatch.setenv("ACME_API_KEY", "sk-of-the-environment-98765")
    Settings(home, root_model="anthropic/claude-sonnet-4-5").save()
    page = opened("settings", section="keys")
    assert "the environment, before the one kept here" in texts(page)
    assert "missing; a chosen model needs it" in texts(page)
    assert "ACME\\_API\\_KEY" in markdown(page)
    assert "98765" not in everything(page)
    assert KEY not in everything(page)


def test_a_file_that_others_can_read_is_told_and_can_be_closed(opened, home):
    keep_key(home, "OPENAI_API_KEY", KEY)
    (home / "keys.json").chmod(0o644)
    page = opened("settings", section="keys")
    assert "others on this machine can read or change them (mode 0644)" in texts(page)
    page.button(key="mend-keys").click().run()
    assert load_keys(home).names == ("OPENAI_API_KEY",)
    assert "kept in the data folder" in texts(page)


def test_limits_are_kept_and_a_value_that_is_none_is_refused_beside_its_field(opened, home):
    page = opened("settings", section="limits")
    page.number_input(key="settings-limit-max_usd").set_value(2.5).run()
    page.number_input(key="settings-limit-timeout_s").set_value(3).run()
    assert (load_settings(home).limits.max_usd, load_settings(home).limits.timeout_s) == (2.5, 180.0)
    page.number_input(key="settings-limit-max_calls").set_value(-5).run()
    assert "must be greater than 0" in texts(page)
    assert load_settings(home).limits.max_calls == 1000
    page.number_input(key="settings-limit-max_calls").set_value(50).run()
    assert "must be greater" not in texts(page)
    page.number_input(key="settings-limit-max_usd").set_value(None).run()
    assert load_settings(home).limits.max_usd is None
    assert "3 changed" in list(page.radio(key="settings-open").proto.captions)
    page.button(key="limits-shipped").click().run()
    assert load_settings(home).limits == SHIPPED_LIMITS
    assert page.number_input(key="settings-limit-max_calls").value == 1000


def test_limits_that_were_kept_before_stay_as_they_are_and_what_is_left_out_is_as_shipped(home):
    Settings(home, limits=Limits(max_turns=3)).save()
    assert load_settings(home).limits == Limits(max_turns=3)
    (home / "settings.json").write_text('{"limits": {"max_turns": 3}}')
    assert load_settings(home).limits == Limits(max_usd=5.0, max_turns=3)


def test_every_limit_has_a_field_and_comes_back_from_it_unchanged():
    limits = Limits(max_usd=1.25, max_tokens=10)
    assert [field.limit for field in FIELDS] == list(Limits.__dataclass_fields__)
    assert all(kept(field, shown(field, limits)) == getattr(limits, field.limit) for field in FIELDS)
    assert all(field.optional == (getattr(Limits(), field.limit) is None) for field in FIELDS)


def test_limits_of_archives_are_kept_beside_them(opened, home):
    page = opened("settings", section="limits")
    page.number_input(key="settings-limit-archive-max_entries").set_value(200_000).run()
    page.number_input(key="settings-limit-archive-timeout_s").set_value(20).run()
    assert load_settings(home).ingest_limits == IngestLimits(max_entries=200_000, timeout_s=1200.0)
    page.number_input(key="settings-limit-archive-max_nesting").set_value(0).run()
    assert "must be greater than 0" in texts(page)
    assert "2 changed" in list(page.radio(key="settings-open").proto.captions)
    page.button(key="limits-shipped").click().run()
    assert load_settings(home).ingest_limits == IngestLimits()


def test_every_limit_of_archives_has_a_field_and_comes_back_from_it_unchanged():
    limits = IngestLimits(timeout_s=90.0)
    assert [field.limit for field in ARCHIVE_FIELDS] == list(IngestLimits.__dataclass_fields__)
    assert all(kept(field, shown(field, limits)) == getattr(limits, field.limit) for field in ARCHIVE_FIELDS)


def test_prices_are_searched_and_what_is_not_listed_is_unknown(opened):
    page = opened("settings", section="prices")
    page.text_input(key="settings-price-search").set_value("openai gpt-5-mini").run()
    table = page.dataframe[0].value
    assert "gpt-5-mini" in list(table["Model"])
    assert list(table[table["Model"] == "gpt-5-mini"]["In, a million tokens"]) == ["$0.25"]
    page.text_input(key="settings-price-search").set_value("no such model").run()
    assert "No listed model has these words" in texts(page)
    assert row("m", "p", None, 0.0, None) == {
        "Model": "m",
        "Provider": "p",
        "In, a million tokens": "unknown",
        "Out, a million tokens": "$0.00",
        "Window, tokens": "unknown",
    }
    assert summary(100, 3785, 3785, "a list") == "3,785 models listed, 100 of 3,785 shown · a list"
    assert summary(3, 3, 3785, "a list") == "3 models of 3,785 listed · a list"


def test_the_sandbox_says_what_it_covers_and_what_not(opened):
    page = opened("settings", section="sandbox")
    assert "a process without an environment" in texts(page)
    assert "Not covered" in markdown(page)
    assert "nothing to switch" in markdown(page) or not backend.cells().jailed
    assert page.toggle(key="unsafe-wanted").disabled == backend.cells().jailed


@pytest.mark.parametrize("unsafe", [False, True])
def test_running_cells_unprotected_is_a_step_of_its_own_behind_a_warning(home: Path, unsafe: bool):
    Settings(home, unsafe_sandbox=unsafe).save()

    def script(unsafe: bool):
        from app.backend import Cells
        from app.components.settings_machine import show_cells

        show_cells(Cells((), ("no Landlock",), jailed=False, unsafe=unsafe))

    page = AppTest.from_function(script, args=(unsafe,), default_timeout=30).run()
    assert not page.exception
    assert "no Landlock" in texts(page)
    if unsafe:
        assert "read and delete your files, the kept keys among them" in texts(page)
        page.button(key="unsafe-off").click().run()
        assert not load_settings(home).unsafe_sandbox
        return
    assert not page.button
    page.toggle(key="unsafe-wanted").set_value(True).run()
    assert "read and delete your files" in texts(page)
    assert not load_settings(home).unsafe_sandbox
    page.button(key="unsafe-on").click().run()
    assert load_settings(home).unsafe_sandbox


def test_the_headline_of_the_sandbox_is_how_things_are():
    assert headline(Cells(("x",), (), True, False)).startswith("Cells run in a sandbox: no network")
    assert headline(Cells((), ("x",), False, False)).endswith("none is run.")
    assert headline(Cells((), ("x",), False, True)) == "Cells run without protection."


def test_the_data_folder_is_described(opened, home):
    said = texts(opened("settings", section="data"))
    assert str(home) in said
    assert "0 runs, " in said
    assert "not running: questions wait" in said
    assert "rlm-studio 0" in said


def test_a_settings_file_that_is_damaged_is_told_in_place_of_the_page(opened, home):
    (home / "settings.json").write_text("{")
    assert "cannot be read" in texts(opened("settings"))


def test_a_settings_file_that_cannot_be_written_is_told(opened, home):
    page = opened("settings", section="limits")
    (home / "settings.json").mkdir()
    page.number_input(key="settings-limit-max_calls").set_value(50).run()
    assert "cannot be" in texts(page)


def test_what_became_of_a_try_is_said_without_a_false_zero():
    assert tried_in_words(Tried(None, 0.81, 15, 3, 0.00012)) == (
        "It works: a reply in 0.8 s, 15 tokens in, 3 out, $0.0001"
    )
    assert tried_in_words(Tried(None, 0.81, 15, None, None)) == "It works: a reply in 0.8 s, 15 tokens in, unknown out"
    assert "costs stay unknown" in tried_in_words(Tried(None, 0.81))
    assert [cost_of_a_try(each) for each in (None, 0.00001, 0.0002)] == [
        "price unknown",
        "less than $0.0001",
        "~$0.0002",
    ]


def test_the_state_of_a_key_has_a_symbol_besides_its_colour():
    said = [key_in_words(KeyStatus((), None, "*x*", ok)) for ok in (True, False, None)]
    assert [each.split("material/")[1].split(":")[0] for each in said] == ["key", "key_off", "question_mark"]
    assert all("\\*x\\*" in each for each in said)


def test_hostile_names_of_models_stay_text(opened, home):
    Settings(home, root_model="openai/**bold**<script>", api_base="http://127.0.0.1:9/v1").save()
    page = opened("settings")
    assert "**bold**" not in "\n".join(each.value for each in (*page.markdown, *page.caption))
