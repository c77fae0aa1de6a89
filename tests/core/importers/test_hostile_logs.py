"""Text of logs that tries to do something is kept as the text that it is, there and back."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hostile_logs import HOSTILE, LOGS, TEXT, written

from rlm_core import events as ev
from rlm_core.event_json import to_dict
from rlm_core.exporters.jsonl import to_lines
from rlm_core.jobs.asking import open_store
from rlm_core.jobs.importing import import_runs
from rlm_core.plain import plain_line
from rlm_core.settings import Settings


def kept(text: str) -> str:
    """What the store keeps: halves of a sign are none."""
    return text.replace("\ud83d", "\ufffd")


@pytest.mark.parametrize("tool", LOGS)
def test_hostile_text_comes_back_from_the_store_and_from_an_export_as_it_was(tmp_path: Path, tool: str) -> None:
    store, other = open_store(Settings(tmp_path / "one")), open_store(Settings(tmp_path / "two"))
    (imported,) = import_runs(store, written(tmp_path, tool))
    events = list(store.events(imported.run))
    bodies = [each.body for each in events]
    assert kept(TEXT) in "".join(each.output for each in bodies if isinstance(each, ev.CellFinished))
    assert all(kept(TEXT) in each.code for each in bodies if isinstance(each, ev.CellStarted))
    assert all(kept(TEXT) in (each.text or each.error) for each in bodies if isinstance(each, ev.CallFinished))
    row = store.run(imported.run)
    assert row
    assert (row.question, row.outcome) == (kept(HOSTILE).strip(), "answered")
    assert "\0" not in plain_line(row.question)
    export = tmp_path / "export.jsonl"
    export.write_text("\n".join(to_lines(imported.run, events)), encoding="utf-8")
    (again,) = import_runs(other, export)
    assert [to_dict(each) for each in other.events(again.run)] == [to_dict(each) for each in events]
    with sqlite3.connect(tmp_path / "one" / "store.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
