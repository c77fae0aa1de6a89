import csv
import io
import json
import os
import pty
import re
import subprocess

import pytest
from console import ANSWER, LOOK, QUESTION, SCRIPT, THREE_ROOMS, environment, rlm_studio, script

from rlm_core import fold
from rlm_core.event_json import from_dict
from rlm_core.events import CallFinished, CallStarted, Event, RunFinished, RunStarted
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Task


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A data folder with two runs, the newer one by the demo model."""
    home = tmp_path_factory.mktemp("home")
    rlm_studio(home, "ask", THREE_ROOMS, "What is it?", "--model", script(home, [LOOK, ANSWER]))
    rlm_studio(home, "ask", THREE_ROOMS, QUESTION)
    return home


def test_runs_are_listed_newest_first_with_their_outcome_and_cost(home):
    head, newer, older = rlm_studio(home, "runs").stdout.splitlines()
    assert head.split() == ["run", "started", "archive", "how", "model", "outcome", "calls", "cost", "time", "question"]
    assert re.search(r"  \d\d:\d\d  +three_rooms.txt  rlm depth 1  demo  +answered  +7  +\$0.00  ", newer)
    assert newer.endswith("In which rooms did the leak come back after it had been rep…")
    assert older.endswith("What is it?")


def test_runs_as_json_are_rows_with_all_that_is_known(home):
    (row,) = json.loads(rlm_studio(home, "runs", "--json", "--limit", 1).stdout)
    assert row["outcome"] == "answered"
    assert row["question"] == QUESTION
    assert (row["archive"], row["recorded"]) == ("three_rooms.txt", False)
    assert (row["cost_usd"], row["known_cost_usd"], row["unknown_cost_calls"]) == (0.0, 0.0, 0)


def test_on_a_terminal_a_line_has_at_most_120_columns(home):
    terminal, inner = pty.openpty()
    with open(terminal, "rb", buffering=0) as reader:  # noqa: PTH123 - a descriptor has no path
        subprocess.run([SCRIPT, "runs"], env=environment(home), stdout=inner, check=True)
        os.close(inner)
        lines = reader.read(10_000).decode().split("\r\n")
    assert max(map(len, lines)) == 120
    assert "In which roo" in lines[1]
    assert re.search(r"  …\S+\.json  ", lines[2])  # of a model the end says more than the beginning


def test_a_run_of_another_day_has_its_date_and_the_recorded_one_says_so(tmp_path):
    Store.open(tmp_path)
    at = 86_400.0 * 365.5
    for id, strategy in (("a", "base"), ("sample", "rlm")):
        bodies = RunStarted(Task("Why?", "c-1", strategy)), RunFinished("failed")
        with Recorder.open(tmp_path, id) as recorder:
            recorder.copy(Event(id, seq, at, "run", None, body) for seq, body in enumerate(bodies))
    _, recorded, old = rlm_studio(tmp_path, "runs").stdout.splitlines()
    assert recorded.split()[:6] == ["sample", "recorded", "c-1", "rlm", "depth", "1"]
    assert old.split()[:4] == ["a", "1971-01-01", "c-1", "base"]
    assert rlm_studio(tmp_path, "show", "sample").stdout.startswith("Run sample: failed (recorded)\n")


def test_the_cost_of_a_run_under_way_is_unknown_while_that_of_a_call_is(tmp_path):
    Store.open(tmp_path)
    with Recorder.open(tmp_path, "r1") as recorder:
        recorder.emit("run", None, RunStarted(Task("Why?", "c-1", root_model="big", helper_model="small")))
        recorder.emit("k1", "run", CallStarted("root", "big", ()))
        recorder.emit("k1", None, CallFinished("ok", "yes", cost_usd=0.5))
        recorder.emit("k2", "run", CallStarted("root", "big", ()))
        (row,) = json.loads(rlm_studio(tmp_path, "runs", "--json").stdout)
        said = rlm_studio(tmp_path, "runs").stdout
    assert (row["cost_usd"], row["known_cost_usd"], row["unknown_cost_calls"]) == (None, 0.5, 1)
    assert re.search(r"  big, small  +running  +2  \$0.50 \+ \?  ", said)


def test_show_prints_code_output_calls_and_findings_in_order(home):
    said = rlm_studio(home, "show", "last").stdout
    assert (
        said.index("turn 1, cell 1: ok")
        < said.index("\n    > ")
        < said.index("turn 3, cell 1, call 1: ok · demo · $0.00")
    )
    assert 'finding - A12: yes. "Dripped again after heavy rain, same beam." (three_rooms.txt line 8, exact)' in said
    assert "(three_rooms.txt line 13, exact)\n(exact: stands in the archive word for word)\n" in said


def test_show_ends_with_what_the_models_were_shown_of_the_archive_and_what_not(tmp_path):
    quote = "record('B', 'dry', quote='bravo ' * 9 + 'closed', source='b.txt')"
    cell = LOOK.replace("print(", f"{quote}; print(context['a.txt']) #")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("alpha " * 40)
    (tmp_path / "docs" / "b.txt").write_text("bravo " * 39 + "closed")
    rlm_studio(tmp_path, "ask", tmp_path / "docs", "What is it?", "--model", script(tmp_path, [cell, ANSWER]))
    *_, coverage, never, findings = rlm_studio(tmp_path, "show", "last").stdout.splitlines()
    assert coverage == "coverage: 50 % of 480 characters were shown to a model"
    assert never == "never shown: 1 of 2 documents: b.txt"
    assert findings == "findings whose words were never shown to a model: 1: B. Code found them in the archive itself"


ENTRIES = (
    "01 Mar 2021  Room A12. Water dripped from the beam above the window after the heavy rain of Sunday.",
    "14 Jun 2021  Room A12. The roof over the beam was sealed anew and watched for a whole week: dry.",
    "09 Nov 2022  Room A12. Dripped again from the very same beam, though it had rained only a little.",
)
EACH_ALONE = """```repl
for line in context.splitlines():
    if "A12" in line:
        label = llm_query("What does this entry say of a leak? One word. " + line)
        record("A12", label, quote=line[22:], source="rooms.txt")
record("B07", "dry", quote="Nothing was seen here on any day of the year, and nobody had complained.")
print(context[-200:])
```"""


def test_show_says_which_entries_no_model_saw_together_and_what_was_shown_too_late(tmp_path):
    other = "Nothing was seen here on any day of the year, and nobody had complained."
    between = "\n".join(f"{number:02} May 2021  Room C{number:02}. Dry, as ever." for number in range(60))
    (tmp_path / "rooms.txt").write_text(f"\n{between}\n".join([*ENTRIES, f"31 Dec 2022  Room B07. {other}\n"]))
    model = script(tmp_path, [EACH_ALONE, ANSWER], {"default": "wet"})
    rlm_studio(tmp_path, "ask", tmp_path / "rooms.txt", "Where did it leak?", "--model", model)
    *_, late, apart = rlm_studio(tmp_path, "show", "last").stdout.splitlines()
    assert late == "findings recorded before their words were shown to a model: 1: B07"
    assert apart == "A12: its 3 entries went to 3 different calls; no model saw them together"
    rows = json.loads(rlm_studio(tmp_path, "show", "last", "--findings", "json").stdout)
    assert [(row["item"], row["shown"]) for row in rows] == [*[("A12", "before")] * 3, ("B07", "afterwards")]
    table = csv.DictReader(io.StringIO(rlm_studio(tmp_path, "show", "last", "--findings", "csv").stdout))
    assert [row["shown"] for row in table] == ["before", "before", "before", "afterwards"]


def test_show_names_the_archive_and_leaves_functions_and_modules_out_of_what_is_new(home):
    said = rlm_studio(home, "show", "last").stdout
    assert f"\nAsked of three_rooms.txt ({Store.open(home).runs()[0].corpus}) with rlm" in said
    assert "new: " in said
    assert not re.search(r"new: \w+ \((function|module|type)\)", said)


def test_show_as_json_is_the_events_one_a_line_from_which_the_run_comes_back(home):
    lines = rlm_studio(home, "show", "last", "--json").stdout.splitlines()
    view = fold(from_dict(json.loads(line)) for line in lines)
    assert view.outcome == "answered"
    assert len(view.findings()) == 3


def test_the_beginning_of_an_id_is_enough_while_it_means_one_run(home):
    id = Store.open(home).runs()[0].id
    assert f"Run {id}: answered" in rlm_studio(home, "show", id[:-1]).stdout
    several = rlm_studio(home, "show", id[0])
    assert several.returncode == 2
    assert f"Several begin so: {id}" in several.stderr


def test_a_reader_that_stops_reading_is_no_error(home):
    with subprocess.Popen(
        [SCRIPT, "show", "last", "--json"],
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


def test_a_question_for_the_worker_waits_is_shown_as_queued_and_can_be_cancelled(tmp_path):
    asked = rlm_studio(tmp_path, "ask", THREE_ROOMS, QUESTION, "--background")
    id = asked.stdout.strip()
    assert asked.returncode == 0
    assert "No worker is running yet" in asked.stderr
    assert rlm_studio(tmp_path, "show", "last").stdout.startswith(f"Run {id}: queued.")
    assert rlm_studio(tmp_path, "cancel", id).returncode == 0
    assert Store.open(tmp_path).runs()[0].outcome == "cancelled"
    again = rlm_studio(tmp_path, "cancel", id)
    assert again.returncode == 1
    assert "has ended already" in again.stderr


def test_a_run_under_way_is_told_to_stop(tmp_path):
    store = Store.open(tmp_path)
    id = store.add_job(Task("Why?", "c-1"))
    with Recorder.open(tmp_path, id) as recorder:
        recorder.emit("run", None, RunStarted(Task("Why?", "c-1"), job=id))
        assert rlm_studio(tmp_path, "cancel", id).returncode == 0
        assert [command.kind for command in recorder.commands()] == ["cancel"]


def test_a_data_folder_without_runs_says_what_to_do(tmp_path):
    result = rlm_studio(tmp_path, "runs")
    assert result.returncode == 0
    assert "rlm-studio ask" in result.stderr
    shown = rlm_studio(tmp_path, "show", "last")
    assert shown.returncode == 2
    assert f"There are no runs in {tmp_path} yet. Ask something: rlm-studio ask" in shown.stderr


def test_a_data_folder_can_be_named_before_or_after_the_command(home, tmp_path):
    for arguments in (["--home", home, "runs"], ["runs", "--home", home]):
        assert len(rlm_studio(tmp_path, *arguments).stdout.splitlines()) == 3


def test_a_data_folder_that_cannot_be_used_is_one_clear_message(tmp_path):
    (tmp_path / "store.db").write_text("this is no database, and long enough to be looked at as one" * 20)
    result = rlm_studio(tmp_path, "runs")
    assert result.returncode == 1
    assert "is not a database of RLM Studio" in result.stderr
    assert "Traceback" not in result.stderr


def test_show_prints_only_the_findings_as_a_table_or_as_json(home):
    head, *lines = csv.reader(io.StringIO(rlm_studio(home, "show", "last", "--findings", "csv").stdout))
    rows = json.loads(rlm_studio(home, "show", "last", "--findings", "json").stdout)
    assert (len(lines), lines[0][head.index("verdict")], rows[0]["verdict"]) == (3, "exact", "exact")
    assert rows[0]["document"] == "three_rooms.txt"
    assert rlm_studio(home, "show", "last", "--findings", "csv", "--json").returncode == 2


def test_show_finds_words_in_the_texts_of_a_run(home):
    *hits, count = rlm_studio(home, "show", "last", "--find", "RECORD(").stdout.splitlines()
    assert any(each.endswith("cell: in code") for each in hits)
    assert count.startswith(f"{len(hits)} node")
    assert rlm_studio(home, "show", "last", "--find", "walrus").stdout.startswith("0 nodes of run ")
    assert rlm_studio(home, "show", "last", "--find", "a", "--json").returncode == 2
