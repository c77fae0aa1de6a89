"""Keys that are kept in a file: who may read it, what is refused, and what comes first."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rlm_core.errors import StoreError
from rlm_core.key_status import KeyStatus, key_status
from rlm_core.keys import PROVIDERS, KeptKeys, forget_key, keep_key, load_keys, may_be_kept, mend_permissions
from rlm_core.settings import Settings, load_settings
from rlm_core.task import Limits

KEY = "sk-kept-and-never-told-0123456789"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def written(home: Path, content: bytes, permissions: int = 0o600) -> None:
    home.mkdir(mode=0o700, exist_ok=True)
    file = home / "keys.json"
    file.write_bytes(content)
    file.chmod(permissions)


def test_a_kept_key_is_read_back_and_only_its_owner_may_read_the_file(home: Path) -> None:
    assert load_keys(home).names == ()
    before = os.umask(0)
    try:
        keep_key(home, "OPENAI_API_KEY", f"  {KEY}\n")
    finally:
        os.umask(before)
    assert load_keys(home).values == {"OPENAI_API_KEY": KEY}
    assert (mode(home), mode(home / "keys.json")) == (0o700, 0o600)
    assert [each.name for each in home.iterdir()] == ["keys.json"]


def test_the_file_is_closed_to_others_from_its_first_moment(home: Path) -> None:
    """Looked at from beside while it is written again and again."""
    keep_key(home, "OPENAI_API_KEY", KEY)
    seen: set[int] = set()
    ended = threading.Event()

    def look() -> None:
        while not ended.is_set():
            with os.scandir(home) as entries:
                for each in entries:
                    try:
                        seen.add(stat.S_IMODE(each.stat(follow_symlinks=False).st_mode))
                    except FileNotFoundError:
                        continue

    watcher = threading.Thread(target=look)
    before = os.umask(0)
    watcher.start()
    try:
        for number in range(100):
            keep_key(home, "OPENAI_API_KEY", f"{KEY}{number}")
    finally:
        os.umask(before)
        ended.set()
        watcher.join()
    assert seen == {0o600}


def test_a_key_that_is_removed_is_gone_and_the_last_one_takes_the_file_with_it(home: Path) -> None:
    keep_key(home, "OPENAI_API_KEY", KEY)
    keep_key(home, "GROQ_API_KEY", KEY)
    forget_key(home, "OPENAI_API_KEY")
    assert load_keys(home).names == ("GROQ_API_KEY",)
    forget_key(home, "GROQ_API_KEY")
    forget_key(home, "GROQ_API_KEY")
    assert not (home / "keys.json").exists()


def test_writers_at_the_same_time_lose_nothing(home: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from rlm_core.keys import keep_key\n"
        "for n in range(5): keep_key(Path(sys.argv[1]), f'{sys.argv[2]}{n}_API_KEY', 'sk-of-' + sys.argv[2] + str(n))"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(home), each]) for each in ("ONE", "TWO", "THREE")]
    assert [each.wait(30) for each in writers] == [0, 0, 0]
    assert len(load_keys(home).names) == 15
    assert [each.name for each in home.iterdir()] == ["keys.json"]


def test_what_a_killed_writer_left_does_not_get_in_the_way(home: Path) -> None:
    written(home, b"{}")
    (home / "keys.json.new").write_text("half of a ke")
    keep_key(home, "OPENAI_API_KEY", KEY)
    assert [each.name for each in home.iterdir()] == ["keys.json"]


def test_a_link_in_the_place_of_the_temporary_file_is_not_followed(home: Path, tmp_path: Path) -> None:
    written(home, b"{}")
    bait = tmp_path / "bait"
    bait.write_text("")
    (home / "keys.json.new").symlink_to(bait)
    keep_key(home, "OPENAI_API_KEY", KEY)
    assert bait.read_text() == ""


@pytest.mark.parametrize("permissions", [0o644, 0o640, 0o604, 0o660, 0o620])
def test_a_file_that_others_may_read_or_change_is_refused_and_can_be_mended(home: Path, permissions: int) -> None:
    written(home, json.dumps({"OPENAI_API_KEY": KEY}).encode(), permissions)
    with pytest.raises(StoreError, match=rf"mode {permissions:04o}.*chmod 600") as caught:
        load_keys(home)
    assert KEY not in str(caught.value)
    with pytest.raises(StoreError, match="chmod 600"):
        keep_key(home, "GROQ_API_KEY", KEY)
    mend_permissions(home)
    assert load_keys(home).names == ("OPENAI_API_KEY",)


def test_no_key_is_kept_in_a_folder_where_others_may_write(home: Path) -> None:
    home.mkdir()
    home.chmod(0o777)
    with pytest.raises(StoreError, match="Others may write in the data folder"):
        keep_key(home, "OPENAI_API_KEY", KEY)
    assert list(home.iterdir()) == []


def test_a_link_or_a_pipe_in_the_place_of_the_file_is_refused(home: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text(json.dumps({"OPENAI_API_KEY": KEY}))
    elsewhere.chmod(0o600)
    home.mkdir()
    (home / "keys.json").symlink_to(elsewhere)
    with pytest.raises(StoreError, match="cannot be read"):
        load_keys(home)
    with pytest.raises(StoreError, match="cannot be changed"):
        mend_permissions(home)
    (home / "keys.json").unlink()
    os.mkfifo(home / "keys.json", 0o600)
    with pytest.raises(StoreError, match="no ordinary file"):
        load_keys(home)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[" * 60_000,
        b"[]",
        b'{"OPENAI_API_KEY": 7}',
        b'{"OPENAI_API_KEY": null}',
        b'{"OPENAI_API_KEY": "two words"}',
        b'{"OPENAI_API_KEY": "sk-line\\nInjected: header"}',
        b'{"OPENAI_API_KEY": "sk-null\\u0000byte"}',
        b'{"OPENAI_API_KEY": ""}',
        b'{"LD_PRELOAD": "/tmp/evil.so"}',
        b'{"PYTHONPATH": "/tmp/evil"}',
        b'{"PATH=/tmp:X_API_KEY": "sk-0123456789"}',
        b'{"OPENAI_API_KEY": "sk-cut-off-01234',
        b'{"A_API_KEY": "' + b"k" * 70_000 + b'"}',
    ],
)
def test_a_damaged_file_is_refused_as_a_whole_and_nothing_of_it_is_quoted(home: Path, content: bytes) -> None:
    written(home, content)
    with pytest.raises(StoreError, match="Mend the file, or remove it") as caught:
        load_keys(home)
    assert "sk-" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("PATH", KEY, "no name of a key"),
        ("LD_PRELOAD", KEY, "no name of a key"),
        ("openai_api_key", KEY, "in capitals"),
        ("OPENAI_API_KEY", " ", "empty"),
        ("OPENAI_API_KEY", "two words", "a space"),
        ("OPENAI_API_KEY", "sk-line\nInjected: header", "a line break"),
        ("OPENAI_API_KEY", "sk-ключ", "a letter that keys do not have"),
        ("OPENAI_API_KEY", f"OPENAI_API_KEY={KEY}", "without the name"),
        ("OPENAI_API_KEY", f'"{KEY}"', "quotation marks"),
        ("OPENAI_API_KEY", f"Bearer {KEY}", "the word Bearer"),
        ("OPENAI_API_KEY", "abc", "fewer than 6"),
        ("OPENAI_API_KEY", "k" * 5_000, "up to 4,096"),
    ],
)
def test_what_is_no_key_is_refused_in_words_that_do_not_quote_it(home: Path, name: str, value: str, says: str) -> None:
    with pytest.raises(StoreError, match=says) as caught:
        keep_key(home, name, value)
    assert KEY not in str(caught.value)
    assert not (home / "keys.json").exists()


def test_a_folder_that_cannot_be_written_is_told_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="Nothing was changed"):
        keep_key(tmp_path / "home", "OPENAI_API_KEY", KEY)


def test_an_object_that_holds_keys_does_not_show_them() -> None:
    keys = KeptKeys({"OPENAI_API_KEY": KEY})
    assert KEY not in f"{keys!r} {keys} {keys.names}"


def test_the_environment_comes_before_the_file() -> None:
    environment = {"OPENAI_API_KEY": "from-outside", "GROQ_API_KEY": "  "}
    KeptKeys({"OPENAI_API_KEY": KEY, "GROQ_API_KEY": KEY, "XAI_API_KEY": KEY}).lend(environment)
    assert environment == {"OPENAI_API_KEY": "from-outside", "GROQ_API_KEY": KEY, "XAI_API_KEY": KEY}


def test_another_variable_of_a_provider_that_the_environment_serves_is_not_lent() -> None:
    environment = {"GEMINI_API_KEY": "from-outside", "AWS_PROFILE": "work"}
    KeptKeys({"GOOGLE_API_KEY": KEY, "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": KEY}).lend(environment)
    assert environment == {"GEMINI_API_KEY": "from-outside", "AWS_PROFILE": "work"}


def test_every_variable_of_the_table_may_be_kept_and_none_that_decides_what_code_is_loaded() -> None:
    assert all(may_be_kept(name) for each in PROVIDERS.values() for way in each.ways for name in way)
    assert not any(may_be_kept(name) for name in ("PYTHONPATH", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "HTTPS_PROXY", ""))


def status(home: Path, model: str, api_base: str | None = None, **environment: str) -> KeyStatus:
    return key_status(model, api_base, home, environment)


def test_the_demo_and_scripted_models_need_no_key(home: Path) -> None:
    for model in ("demo", "scripted:/tmp/x.json"):
        assert status(home, model) == KeyStatus((), None, "No key is needed.", True)


def test_a_key_is_found_in_the_environment_or_else_in_the_file(home: Path) -> None:
    missing = status(home, "openai/gpt-5-mini")
    assert (missing.needed, missing.found_in, missing.ok) == (("OPENAI_API_KEY",), None, False)
    assert "Set OPENAI_API_KEY in the environment" in missing.says
    keep_key(home, "OPENAI_API_KEY", KEY)
    kept = status(home, "gpt-5-mini")
    assert kept == KeyStatus(("OPENAI_API_KEY",), "file", "OPENAI_API_KEY, kept in the data folder.", True)
    outside = status(home, "openai/gpt-5-mini", OPENAI_API_KEY="sk-outside")
    assert (outside.found_in, outside.ok) == ("environment", True)


def test_what_is_missing_of_several_variables_is_named(home: Path) -> None:
    keep_key(home, "AZURE_API_KEY", KEY)
    found = status(home, "azure/our-own", AZURE_API_BASE="https://ours.example", AZURE_API_VERSION=" ")
    assert (found.ok, found.found_in) == (False, None)
    assert "Set AZURE_API_VERSION in the environment, or keep it" in found.says
    keep_key(home, "AZURE_API_VERSION", "2026-01-01")
    found = status(home, "azure/our-own", AZURE_API_BASE="https://ours.example")
    assert (found.ok, found.found_in) == (True, "file")


def test_a_server_of_ones_own_is_told_apart_from_its_provider(home: Path) -> None:
    local = status(home, "my-model", "http://127.0.0.1:8000/v1")
    assert (local.needed, local.ok) == ((), True)
    assert status(home, "my-model", "https://models.example/v1").ok is None
    sent = status(home, "my-model", "https://models.example/v1", OPENAI_API_KEY="sk-outside")
    assert sent.says == "OPENAI_API_KEY, from the environment, is sent to models.example."
    assert status(home, "ollama/llama3").ok is False
    assert status(home, "ollama/llama3", OLLAMA_API_BASE="http://127.0.0.1:11434").ok is True


def test_what_is_not_known_is_said_to_be_unknown(home: Path) -> None:
    assert status(home, "acme/one").ok is None
    assert "ACME_API_KEY" in status(home, "acme/one").says
    assert status(home, "acme/one", ACME_API_KEY="sk-outside").found_in == "environment"
    assert status(home, "no-such-model").ok is None
    assert status(home, " ").ok is None


def test_an_unusable_file_is_the_reason_why_a_key_is_missing_but_not_of_one_that_is_there(home: Path) -> None:
    written(home, json.dumps({"OPENAI_API_KEY": KEY}).encode(), 0o644)
    found = status(home, "openai/gpt-5-mini")
    assert found.ok is False
    assert "others on this machine can read" in found.says
    assert status(home, "openai/gpt-5-mini", OPENAI_API_KEY="sk-outside").ok is True


def test_settings_are_written_whole_and_for_their_owner_alone(home: Path) -> None:
    before = os.umask(0)
    try:
        Settings(home, root_model="openai/gpt-5", limits=Limits(max_usd=2.5)).save()
    finally:
        os.umask(before)
    assert (mode(home), mode(home / "settings.json")) == (0o700, 0o600)
    assert load_settings(home).limits.max_usd == 2.5
    assert [each.name for each in home.iterdir()] == ["settings.json"]


def test_settings_that_cannot_be_written_say_so(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="Nothing was changed"):
        Settings(tmp_path / "home").save()
