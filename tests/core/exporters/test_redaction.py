"""Nothing of a text that is redacted is left, wherever a model has copied it to."""

from __future__ import annotations

from rlm_core.exporters.page.redaction import redacted, scrubbed

SOURCE = "Room A12. Dripped again after heavy rain, same beam. Closed."


def test_what_stands_in_a_source_is_replaced_wherever_it_is_and_the_rest_stays():
    data = {
        "answer": 'A12: "Dripped again after heavy rain" it says',
        "list": [["x", "again after heavy rain, same"], 3],
    }
    left = scrubbed(data, [SOURCE])
    assert left["answer"] == f'A12: "[{redacted(26)}]" it says'
    assert left["list"] == [["x", f"[{redacted(24)}]"], 3]


def test_white_space_hides_nothing_and_short_stretches_stay():
    assert scrubbed(["Dripped\n   again after\theavy rain"], [SOURCE]) == [f"[{redacted(26)}]"]
    assert scrubbed(["heavy rain, same b", "Dripped again"], [SOURCE]) == [f"[{redacted(15)}]", "Dripped again"]


def test_each_of_several_sources_is_looked_for_and_runs_of_one_letter_end():
    data = ["=" * 400, "one two three four five", "something else entirely"]
    left = scrubbed(data, ["-" * 50 + "=" * 90, "zero one two three four five six"])
    assert left[0].count("=") == 0
    assert left[1:] == [f"[{redacted(19)}]", "something else entirely"]
