import csv
import io
import json

import pytest
from console import QUESTION, THREE_ROOMS, rlm_studio

from rlm_core.store.store import Store
from rlm_core.task import Task


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A data folder with a run by the demo model."""
    home = tmp_path_factory.mktemp("home")
    rlm_studio(home, "ask", THREE_ROOMS, QUESTION)
    return home


def test_a_run_is_printed_as_a_report_a_table_or_a_document(home):
    report = rlm_studio(home, "export", "last", "--markdown").stdout
    assert f"## Question\n\n```text\n{QUESTION}\n```" in report
    assert "| A12 | yes | Dripped again after heavy rain, same beam. | three\\_rooms.txt line 8 | exact |" in report
    assert "## What went wrong\n\nNo rule found anything." in report
    rows = list(csv.DictReader(io.StringIO(rlm_studio(home, "export", "last", "--csv").stdout)))
    assert [(row["item"], row["label"]) for row in rows] == [("A12", "yes"), ("B07", "no"), ("C02", "unknown")]
    whole = json.loads(rlm_studio(home, "export", "last", "--json").stdout)
    assert whole["archive"] == "three_rooms.txt"
    assert [each["shown"] for each in whole["findings"]] == ["before"] * 3
    assert whole["nodes"][0]["kind"] == "run"


def test_a_run_is_written_to_a_file_and_nothing_is_printed(home, tmp_path):
    file = tmp_path / "run.md"
    done = rlm_studio(home, "export", "last", "--markdown", "-o", file)
    assert (done.returncode, done.stdout) == (0, "")
    assert file.read_text().startswith("# Run ")
    assert "nowhere" in rlm_studio(home, "export", "last", "--csv", "-o", tmp_path / "nowhere" / "a.csv").stderr


def test_a_page_of_several_runs_is_written_and_redacted(home, tmp_path):
    rlm_studio(home, "ask", THREE_ROOMS, QUESTION, "--strategy", "base")
    file = tmp_path / "page.html"
    both = [row.id for row in Store.open(home).runs()]
    assert rlm_studio(home, "export", *both, "--html", "-o", file, "--redact", "documents").returncode == 0
    assert "B against A" in file.read_text()
    assert "Dripped again" not in file.read_text()
    assert "--csv takes one run" in rlm_studio(home, "export", *both, "--csv").stderr
    assert "no --redact" in rlm_studio(home, "export", "last", "--json", "--redact", "prompts").stderr


def test_without_a_form_the_forms_are_named(home):
    done = rlm_studio(home, "export", "last")
    assert done.returncode == 2
    assert "Say which form: --json, --csv, --markdown" in done.stderr


def test_of_a_run_that_has_not_begun_there_is_nothing_to_export(tmp_path):
    job = Store.open(tmp_path).add_job(Task("Why?", "c-1"))
    done = rlm_studio(tmp_path, "export", job, "--json")
    assert done.returncode == 1
    assert f"Run {job} has not begun" in done.stderr
