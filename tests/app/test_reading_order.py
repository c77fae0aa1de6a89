"""The findings of a run say whether their words had been shown before, and which entries of an item no model saw together."""

import covered_runs
import read_apart_runs as runs
import written_runs
from shown import markdown

from app.components.shown_marks import is_telling, legend


def test_each_finding_has_a_mark_and_the_marks_a_legend_in_words(opened, home):
    page = opened("run", run=runs.read_apart(home), view="Findings")
    rows = page.dataframe[0].value
    assert list(zip(rows["Item"], rows["Shown"], strict=True)) == [
        *[("A12", "● before")] * 3,
        ("B07", "◐ afterwards"),
        ("C02", "○ never"),
        ("D05", "? unknown"),
    ]
    said = markdown(page)
    assert "● before (3): a model had been shown the words before" in said
    assert "by itself no error" in said


def test_entries_that_no_model_saw_together_lead_to_the_calls_that_saw_one(opened, home):
    page = opened("run", run=runs.read_apart(home), view="Findings")
    assert "A12: its 3 entries went to 3 different calls; no model saw them together" in markdown(page)
    (button,) = [each for each in page.button if each.key == f"apart-0-{runs.CALLS[1]}"]
    assert button.label == "call 2 of cell 1"
    button.click().run()
    assert page.query_params["node"] in (runs.CALLS[1], [runs.CALLS[1]])


def test_where_all_were_shown_before_one_sentence_says_so(opened, home):
    page = opened("run", run=covered_runs.covered(home), view="Findings")
    assert "Shown" not in page.dataframe[0].value
    assert "A model had been shown the words of each before it was recorded." in markdown(page)
    assert "no model saw together" not in markdown(page)


def test_without_its_archive_nothing_is_claimed_of_a_run(opened, home):
    page = opened("run", run=written_runs.answered(home), view="Findings")
    assert "Shown" not in page.dataframe[0].value
    assert "had been shown" not in markdown(page)


def test_the_legend_names_only_the_marks_that_are_there():
    assert legend(["before", None, "before"]).split("  \n") == [
        "Shown: whether the words had been, when the finding was recorded.",
        "● before (2): a model had been shown the words before",
        "? unknown (1): they have no single proven place, or what was shown may have been another one",
    ]
    assert legend([None, None]) == "Whether a model had been shown the words before is not known of any."
    assert is_telling(["never"])
    assert not is_telling(["before"])
    assert not is_telling([])
    assert legend([]) == ""
