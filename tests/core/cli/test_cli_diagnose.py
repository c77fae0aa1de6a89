import json
import re

import pytest
from console import ANSWER, LOOK, THREE_ROOMS, rlm_studio, script


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A data folder with a run that answers with the name of a variable, and one in which nothing is wrong."""
    home = tmp_path_factory.mktemp("home")
    name = '```repl\nroom_list = context[:40]\nfinal_answer = "room_list"\nFINAL_VAR("final_answer")\n```'
    for turns in ([LOOK, name], [LOOK, ANSWER]):
        rlm_studio(home, "ask", THREE_ROOMS, "Which rooms?", "--model", script(home, turns))
    return home


def test_what_went_wrong_is_said_with_its_place_its_words_and_the_command_that_goes_another_way(home):
    wrong = json.loads(rlm_studio(home, "runs", "--json").stdout)[1]["id"]
    said = rlm_studio(home, "diagnose", wrong).stdout
    assert re.match(
        rf"Run {wrong}: \d+ rules looked, 1 found something. No model was asked.\n\nmay change the answer:\n", said
    )
    assert "  turn 2, cell 1 (name for value): The answer is room_list, which is the name of a variable" in said
    assert (
        f"rlm-studio fork {wrong} --turn 2 --instruction 'Answer with the value of `room_list`, not with its name.'"
        in said
    )
    (symptom,) = json.loads(rlm_studio(home, "diagnose", wrong, "--json").stdout)
    assert (symptom["span"], symptom["severity"]) == ("f1.t2.c1", "may change the answer")
    assert symptom["remedy"]["do"] == "ForkWith"
    assert symptom["evidence"][0] == {"span": "f1.t2", "text": "room_list"}


def test_of_a_run_that_went_well_the_rules_are_named_that_found_nothing(home):
    said = rlm_studio(home, "diagnose", "last").stdout
    assert "rules looked, 0 found something" in said
    assert "Nothing found by: answered before looking, " in said
