import csv
import io
import json

import pytest
import scripted_pair
from console import rlm_studio
from scripted_pair import DRIPPED, DRY, LEAK, OLD

from rlm_core.jobs.comparing import compared
from rlm_core.store.store import Store
from rlm_core.task import Task

LEAD = [
    "Both answer 1.",
    "They agree on no rooms.",
    "1 room that A counts and B does not: A12.",
    "1 room that B counts and A does not: B07.",
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    scripted_pair.made(home)
    return home


@pytest.fixture(scope="module")
def pair(home):
    """A, then B."""
    return [row["id"] for row in json.loads(rlm_studio(home, "runs", "--json").stdout)][::-1]


def test_the_same_count_by_different_items_is_said_so_with_both_names_and_the_quotes_that_decide_them(home, pair):
    said = rlm_studio(home, "compare", *pair).stdout
    assert said.startswith("\n".join(["Same total, different rooms", *LEAD]))
    a12, b07 = said.index("\nA12 (differ)\n"), said.index("\nB07 (differ)\n")
    assert (
        f"  A: yes; “{DRIPPED}” (three_rooms.txt line 8, exact)\n  B: no; “{DRY}” (three_rooms.txt line 7, exact)"
        in said[a12:b07]
    )
    assert (
        f"  A: no; “{OLD}” (three_rooms.txt line 13, exact)\n  B: yes; “{LEAK}” (three_rooms.txt line 11, exact)"
        in said[b07:]
    )
    assert "\nB against A: " in said


def test_the_same_is_one_document_one_table_and_one_report(home, pair):
    whole = json.loads(rlm_studio(home, "compare", *pair, "--json").stdout)
    assert (whole["headline"], whole["lead"], whole["counted_label"]) == ("Same total, different rooms", LEAD, "yes")
    assert [(run["letter"], run["run"], run["counted_items"]) for run in whole["runs"]] == [
        ("A", pair[0], ["A12"]),
        ("B", pair[1], ["B07"]),
    ]
    assert [run["against_a"] and run["against_a"]["calls"] for run in whole["runs"]] == [None, 0]
    items = {item["item"]: item for item in whole["items"]}
    assert [said["quotes"][0]["quote"] for said in items["A12"]["said"]] == [DRIPPED, DRY]
    rows = list(csv.DictReader(io.StringIO(rlm_studio(home, "compare", *pair, "--csv").stdout)))
    assert [(row["item"], row["status"], row["A_label"], row["B_label"]) for row in rows] == [
        ("A12", "differ", "yes", "no"),
        ("B07", "differ", "no", "yes"),
        ("C02", "agree", "unknown", "unknown"),
    ]
    report = rlm_studio(home, "compare", *pair, "--markdown").stdout
    assert report.startswith("# Same total, different rooms\n\nBoth answer 1.\n")
    assert f"| A12 | differ | yes; “{DRIPPED}”" in report


def test_one_run_is_no_comparison_and_the_same_one_twice_is_one(home, pair):
    done = rlm_studio(home, "compare", pair[0], pair[0])
    assert done.returncode == 2
    assert "Name two to 26 different runs, these are 1." in done.stderr


def test_a_run_that_has_not_begun_is_compared_as_one_that_is_still_to_come(home, pair):
    store = Store.open(home)
    job = store.add_job(Task("In which rooms?", "gone"))
    found = compared(store, [pair[0], job])
    assert [run.state for run in found.runs] == ["answered", "queued"]
    assert "different questions" not in rlm_studio(home, "compare", pair[0], job).stderr
    assert rlm_studio(home, "compare", pair[0], job).stdout.startswith("B is still under way")
