import datetime
import json
from pathlib import Path

import pytest

from rlm_core.lm.demo_helper import LEXICON_FILE, in_topic, phrases
from rlm_core.lm.demo_rules import date_of, decide, kind_of, sentences, understood

LEXICON = understood(phrases())
REPAIRED = [
    ("r:1", "", "02 Feb 2021 Leak at the beam.", True),
    ("r:2", "", "09 Feb 2021 Joint at the beam sealed.", True),
]


def later(text: str, about: bool = True) -> tuple[str, str, str, bool]:
    return "r:9", "", text, about


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Dripped again after heavy rain, same beam.", "back"),
        ("Repair did not hold, beam is wet again.", "back"),
        ("Has not dripped again.", "dry"),
        ("No drip at the beam since the repair.", "dry"),
        ("Stain is old and dry, meter 8 %.", "dry"),
        ("Not dry yet at the beam.", "open"),
        ("No water pressure at the basin.", "water"),
        ("Call us if it drips again.", "water"),
        ("Dripped again?", "water"),
        ("Dripped again, no leak, dry.", "water"),
        ("Air leak at the compressor again.", "other"),
        ("Wall painted, dry by noon.", "other"),
        ("Joint at the beam sealed.", "repair"),
        ("Joint at the beam to be sealed.", "open"),
        ("Joint at the beam was not sealed.", "open"),
        ("Escape sign repaired.", "other"),
        ("The job was for nothing.", "open"),
        ("Lamp changed.", "other"),
    ],
)
def test_a_sentence_is_understood_as(sentence: str, kind: str):
    assert kind_of(sentence, LEXICON) == kind


@pytest.mark.parametrize(
    ("entries", "label"),
    [
        ([later("10 Mar 2021 Dripped again, same beam.")], "yes"),
        ([later("10 Mar 2021 Dry at the beam."), later("11 May 2021 Dripped again.")], "yes"),
        ([later("11 May 2021 Dripped again."), later("12 Jun 2021 Joint resealed."), later("1 Jul 2021 Dry.")], "yes"),
        ([later("10 Mar 2021 Dry at the beam.")], "no"),
        ([later("04 Feb 2021 Dripped again, same beam.")], "unknown"),
        ([later("04 Feb 2021 Dripped again."), later("10 Mar 2021 Dry at the beam.")], "no"),
        ([], "unknown"),
        ([later("Dripped again, same beam.")], "unknown"),
        ([later("3/4/2021 Dripped again, same beam.")], "unknown"),
        ([later("10 Mar 2021 Dripped again."), later("10 Mar 2021 Dry at the beam.")], "unknown"),
        ([later("10 Mar 2021 Dry at the beam."), later("11 Mar 2021 The job was for nothing.")], "unknown"),
        ([later("10 Mar 2021 Dry at the beam."), later("11 Mar 2021 Bucket full below the beam.")], "unknown"),
        ([later("10 Mar 2021 Dripped again.", about=False)], "unknown"),
        ([later("10 Mar 2021 Dry at the beam.", about=False)], "unknown"),
        ([later("10 Mar 2021 Dry."), later("11 Apr 2021 Lamp changed.")], "no"),
    ],
)
def test_the_order_of_the_dates_decides_and_doubt_is_unknown(entries: list, label: str):
    assert decide([*REPAIRED, *entries], LEXICON)[0] == label


def test_a_yes_needs_a_repair_before_it():
    assert decide([later("10 Mar 2021 Dripped again, same beam.")], LEXICON)[0] == "unknown"


def test_a_word_in_another_sense_is_a_no_only_if_all_was_understood():
    light = ("r:1", "", "02 Feb 2021 Light leak at the blind.", True)
    assert decide([light], LEXICON) == ("no", "Light leak at the blind.", "r:1")
    assert decide([light, later("03 Feb 2021 Something came through overnight.")], LEXICON)[0] == "unknown"
    assert decide([], LEXICON) == ("unknown", "", "")


def test_the_date_may_stand_in_the_heading():
    heading = ("r:9", "Wed 10 March 2021, light rain", "A-12: Dripped again, same beam.", True)
    assert decide([*REPAIRED, heading], LEXICON) == ("yes", "Dripped again, same beam.", "r:9")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2021-03-14T08:12 wet", (2021, 3, 14)),
        ("on 14.03.2021", (2021, 3, 14)),
        ("14 Mar 2021", (2021, 3, 14)),
        ("Sun 14 March 2021, rain", (2021, 3, 14)),
        ("March 14, 2021", (2021, 3, 14)),
        ("14/03/2021", None),
        ("31 Feb 2021", None),
        ("14 Foo 2021", None),
        ("no date", None),
    ],
)
def test_dates_are_read_where_they_have_one_meaning(text: str, expected: tuple[int, int, int] | None):
    assert date_of(text) == (datetime.date(*expected) if expected else None)


@pytest.mark.parametrize(
    "record",
    [
        '{"ticket": "HD-1", "opened": "2021-03-14T08:12", "room": "rm. A-12", "text": "Wet again. Photo 21-0001 filed."}',
        '"WO-1","14.03.2021","A-12","roof","Wet again. Photo 21-0001 filed.",1.5,"closed","MO"',
        "- **A-12**, 14 March 2021: Wet again. Photo 21-0001 filed.",
        "<tr><td>2021-03-14</td><td>Room A12</td><td>Wet again. Photo 21-0001 filed.</td></tr>",
        "14 Mar 2021   Wet again. Photo 21-0001 filed.",
        "2021-03-14 06:12:44 rm=A12: Wet again. Photo 21-0001 filed.",
    ],
)
def test_sentences_are_exact_parts_of_the_record_whatever_its_format(record: str):
    found = sentences(record)
    assert any("Wet again." in sentence for sentence in found)
    assert all(sentence in record for sentence in found)
    assert "Photo 21-0001 filed." in found


def test_the_lexicon_knows_none_of_the_unseen_phrases():
    wording: dict = {}
    file = Path(__file__).parents[3] / "sample_data" / "wording.py"
    exec(file.read_text(encoding="utf-8"), wording)
    for half, allowed in (("back", {"back"}), ("dry", {"dry"})):
        for template in wording["FOLLOW_UPS"]["unseen"][half]:
            sentence = template.format(place="beam", weather="the storm", n=3, wet=40, dry=8)
            assert kind_of(sentence, LEXICON) not in allowed | {"back", "dry", "repair"}, sentence


def test_the_lexicon_is_readable_lists_of_phrases_in_lower_case():
    data = json.loads(LEXICON_FILE.read_text(encoding="utf-8"))
    assert "not a language model" in data["about"]
    for name, group in phrases().items():
        assert group == [phrase.lower() for phrase in group], name
        assert len(group) == len(set(group)), name


@pytest.mark.parametrize(
    ("question", "known"),
    [
        ("In which rooms did the leak come back after it had been repaired?", True),
        ("Where is it damp again?", True),
        ("How many work orders report a leak as the fault?", False),
        ("Who came back?", False),
        ("", False),
    ],
)
def test_only_questions_about_returning_water_are_in_its_topic(question: str, known: bool):
    assert in_topic(question) is known
