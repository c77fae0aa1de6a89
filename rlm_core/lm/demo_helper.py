"""What the demo model says of text that stands in its prompt: as a helper, as a baseline, as a compactor.

It labels by `demo_rules.py` and the phrases of `demo_lexicon.json`, and only questions about leaks that come back. To every
other question it answers "unknown" and quotes what shares most words with it. It never sees code.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from rlm_core.lm.demo_cutting import Record, best_records, choose_kind, group, readable
from rlm_core.lm.demo_reading import documents_of, items_of, question_of, words_of
from rlm_core.lm.demo_rules import Lexicon, decide, phrase, understood

DEMO_NOTICE = (
    "The demo model answered: it is rule-based, not a language model, and knows only the phrases of its lexicon."
)
LEXICON_FILE = Path(__file__).with_name("demo_lexicon.json")
COMPACT_CHARS = 4000
SHOWN_LINES = 20


@cache
def lexicon() -> dict[str, Any]:
    """The demo's knowledge of language, as the file holds it."""
    data: dict[str, Any] = json.loads(LEXICON_FILE.read_text(encoding="utf-8"))
    return data


def phrases() -> dict[str, list[str]]:
    """The groups of phrases that the rules look for."""
    return {name: group for name, group in lexicon().items() if name not in ("about", "topic", "look_for")}


@cache
def _patterns() -> Lexicon:
    return understood(phrases())


def in_topic(question: str) -> bool:
    """Whether the question is one that the rules were made for: did water come back?"""
    topic = lexicon()["topic"]
    return all(re.search("|".join(map(phrase, words)), question, re.I) for words in topic.values())


def terms_for(question: str) -> list[str]:
    """What to look for: the lexicon's words where it knows the topic, else the words of the question."""
    return list(lexicon()["look_for"]) if in_topic(question) else words_of(question)


def help_with(prompt: str) -> str:
    """A helper's reply: one line an item, `item | label | "quote" | [place]`; without items, `label | "quote"`."""
    question = question_of(prompt)
    lines = []
    for item, records in items_of(prompt).items():
        label, quote, source = _decided(question, records)
        place = f" | [{source}]" if item and source else ""
        lines.append(f'{item + " | " if item else ""}{label} | "{quote}"{place}')
    return "\n".join(lines)


def _decided(question: str, records: list[Record]) -> tuple[str, str, str]:
    if in_topic(question):
        return decide(records, _patterns())
    wanted = words_of(question)
    best = max(records, key=lambda record: sum(word in record[2].lower() for word in wanted), default=None)
    return ("unknown", best[2], best[0]) if best else ("unknown", "", "")


def answer_from(prompt: str) -> str:
    """A baseline's reply: the answer, then a line an item, from documents under `### path`."""
    question, documents = question_of(prompt), documents_of(prompt)
    terms = terms_for(question)
    kind = choose_kind([text[:50_000] for _, text in documents], words_of(question)) if in_topic(question) else None
    groups = group(documents, kind, terms)[0] if kind else {}
    if not groups:
        return _open_answer(documents, terms)
    decided = {name: decide(readable(records, terms), _patterns()) for name, records in groups.items()}
    for name, (label, quote, source) in decided.items():
        if label == "no" and len(readable(groups[name], terms)) < len(groups[name]):
            decided[name] = ("unknown", quote, source)
    by_label = {
        label: [name for name, each in decided.items() if each[0] == label] for label in ("yes", "no", "unknown")
    }
    lines = [f'{name} | {label} | "{quote}" | {source}' for name, (label, quote, source) in decided.items()]
    head = f"{len(by_label['yes'])}: {', '.join(by_label['yes']) or 'none'}."
    if by_label["unknown"] and not by_label["yes"]:
        head = "Unknown: nothing is a clear yes."
    counts = f"{len(by_label['no'])} are a no, {len(by_label['unknown'])} are unknown."
    return "\n".join([f"{head} {counts} {DEMO_NOTICE}", "", *lines])


def _open_answer(documents: list[tuple[str, str]], terms: list[str]) -> str:
    found = best_records(documents, terms, SHOWN_LINES) if terms else {}
    lines = [f'{place} | unknown | "{records[0][2][:400]}" | {place}' for place, records in found.items()]
    return "\n".join([f"Unknown. {DEMO_NOTICE} It has no rule for this question.", "", *lines]).strip()


def compact(prompt: str) -> str:
    """The lines of a text that speak of the matter, word for word, as many as fit `COMPACT_CHARS`."""
    wanted = re.compile("|".join(map(re.escape, terms_for(question_of(prompt)))) or "$.", re.I)
    kept: list[str] = []
    for line in prompt.splitlines():
        if wanted.search(line) and sum(map(len, kept)) + len(line) < COMPACT_CHARS:
            kept.append(line)
    return "\n".join([DEMO_NOTICE, *kept])
