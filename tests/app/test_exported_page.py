"""A run as one HTML file: it holds what the run's page shows, loads nothing, escapes everything, and keeps what is redacted."""

from __future__ import annotations

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from console import QUESTION, THREE_ROOMS, rlm_studio
from large_runs import write_large_run
from written_runs import answered, ended, hostile

from rlm_core.exporters.page.redaction import Redaction
from rlm_core.jobs.paging import page
from rlm_core.store.store import Store
from rlm_core.story_edits import StepEdit

TAGS = frozenset(
    re.findall(
        r"\w+",
        "html head meta title style body header nav main section article footer noscript script h1 h2 p div span a b q ol ul li "
        "dl dt dd table thead tbody tr th td details summary pre code svg symbol path rect use text",
    )
)
LOADS = ("src", "srcset", "data", "poster", "action", "style", "background")


class Parsed(HTMLParser):
    """The tags and attributes of a page, and what stands in its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.scripts += [""] if tag == "script" else []

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, str, str]:
    """A data folder with one question, answered by base and by rlm with the demo model."""
    home = tmp_path_factory.mktemp("asked")
    rlm_studio(home, "ask", THREE_ROOMS, QUESTION, "--strategy", "base")
    rlm_studio(home, "ask", THREE_ROOMS, QUESTION)
    store = Store.open(home)
    rlm, base = (row.id for row in store.runs())
    return store, base, rlm


def test_it_holds_question_answer_figures_story_steps_evidence_and_costs(asked):
    store, _, rlm = asked
    store.stories.keep(rlm, [StepEdit("answer", title="Only one room")])
    made = page(store, [rlm])
    parsed = Parsed(made)
    sent = json.loads(parsed.scripts[0])
    assert [step["title"] for step in sent["story"] if step["id"] == "answer"] == ["Only one room"]
    text = unescape(made)
    for said in (
        QUESTION,
        "Dripped again after heavy rain, same beam.",
        "three_rooms.txt line 8",
        "nothing is charged",
    ):
        assert said in text
    assert "of calls" not in text
    ids = {attributes.get("id") for _, attributes in parsed.tags}
    assert {"A-f1.t1", "A-f1.t1.c1", "A-answer", "A-costs", "A-unknown", "A-graph"} <= ids
    assert any(row[0].startswith("f1.") for rows in sent["members"]["A"].values() for row in rows)


def test_a_comparison_says_the_headline_and_leads_to_both_runs(asked):
    store, base, rlm = asked
    made = page(store, [base, rlm])
    sent = json.loads(Parsed(made).scripts[0])
    compared = next(step for step in sent["story"] if step["id"] == "compared")
    assert f"<h2>{compared['title']}</h2>" in made
    assert [link["href"][:2] for link in compared["links"]] == ["#A", "#B"]
    assert "B against A" in made
    assert 'id="B-f1.t1"' in made


def test_of_three_runs_the_story_tells_the_last_beside_the_first_by_their_letters(home):
    first, between, last = answered(home), answered(home, "r2"), ended(home, "failed", "No more money.", "r3")
    sent = json.loads(Parsed(page(Store.open(home), [first, between, last])).scripts[0])
    compared = next(step for step in sent["story"] if step["id"] == "compared")
    assert (compared["title"], compared["letters"]) == ("Only A answered", "AC")
    assert [link["words"] for link in compared["links"]] == ["The answer of A", "The answer of C"]
    assert [link["href"][:2] for link in compared["links"]] == ["#A", "#C"]


def test_it_loads_nothing_and_its_policy_lets_nothing_in(asked):
    store, base, rlm = asked
    parsed = Parsed(page(store, [base, rlm]))
    assert {tag for tag, _ in parsed.tags} <= TAGS
    policy = next(each["content"] for tag, each in parsed.tags if tag == "meta" and each.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    for _, attributes in parsed.tags:
        assert not set(attributes) & set(LOADS)
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#")


def test_hostile_texts_are_text_only(home):
    made = page(Store.open(home), [answered(home), hostile(home)])
    parsed = Parsed(made)
    assert len(parsed.scripts) == 2
    assert {tag for tag, _ in parsed.tags} <= TAGS
    assert "<script>alert" not in made
    assert "</" not in parsed.scripts[0]
    for _, attributes in parsed.tags:
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e]", made)
    assert len(made) < 2_000_000


@pytest.mark.parametrize("runs", [1, 2])
def test_with_documents_redacted_no_text_of_theirs_is_left(asked, runs):
    store, base, rlm = asked
    document = Path(THREE_ROOMS).read_text()
    open_page, made = (
        _told(page(store, [base, rlm][-runs:], redaction)) for redaction in (Redaction(), Redaction(True))
    )
    pieces = {document[start : start + 20] for start in range(len(document) - 19)}
    pieces = {piece for piece in pieces if len("".join(piece.split())) >= 15 and piece not in QUESTION}
    assert sum(piece in open_page for piece in pieces) > 100
    assert [piece for piece in pieces if piece in made] == []
    assert "Documents are redacted" in made
    assert re.search(r"redacted, \d+ characters", made)


def test_with_prompts_redacted_the_documents_stay(asked):
    store, _, rlm = asked
    made = page(store, [rlm], Redaction(prompts=True))
    calls = [row for rows in json.loads(Parsed(made).scripts[0])["members"]["A"].values() for row in rows]
    assert calls
    assert all(re.fullmatch(r"redacted, [\d,]+ characters", row[4]) for row in calls)
    assert any("Dripped again" in row[6] for row in calls)
    assert QUESTION in unescape(made)
    assert "Prompts are redacted." in made


def _told(made: str) -> str:
    """Without what is escaped in it."""
    return unescape(made).replace("\\n", "\n").replace('\\"', '"')


@pytest.mark.parametrize("shape", ["fan", "deep", "long"])
def test_a_run_of_ten_thousand_nodes_stays_a_file_that_opens(home, shape):
    run = write_large_run(home, f"large-{shape}", 10_000, shape)
    made = page(Store.open(home), [run])
    assert len(made.encode()) < 25_000_000
    assert "of 10," in made or "in groups" in made
    if shape == "long":
        assert re.search(r"first [\d,]+ of [\d,]+ characters", made)
        assert "characters not shown to the model" in made
