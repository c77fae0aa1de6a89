"""What came of logs: the runs that came in, those that were here already, what could not be read; and the way to each run.

Names and texts of logs are other people's: they are shown as text only.
"""

from __future__ import annotations

from collections import Counter

import streamlit as st

from app import backend, links
from app.backend import ImportedLogs
from app.components.text import escaped
from app.components.trouble import say
from rlm_core import wording
from rlm_core.looks.run_words import is_recorded, question_in_words
from rlm_core.plain import plain, plain_line

LINKED = 10
TOLD = 5
"""Of what could not be read."""


def show(found: ImportedLogs, key: str) -> None:
    with st.container(border=True, gap="small", key=f"{key}-imported"):
        st.text(in_words(found))
        for number, words in enumerate(unread(found)):
            say(plain(words), f"{key}-unread-{number}")
        runs = {each.run: each for each in sorted(found.runs, key=lambda each: not each.is_new)}
        for each in list(runs.values())[:LINKED]:
            if line := backend.run_line(each.run):
                label = question_label(line.title or line.question, each.file)
                icon = ":material/arrow_forward:"
                st.page_link(links.RUN, label=label, icon=icon, query_params=links.run_query(each.run))
        if len(runs) > LINKED:
            st.caption(f"{wording.m_of_n(LINKED, len(runs))} runs; all are in the list of runs.")


def question_label(question: str, file: str) -> str:
    """What a run was asked, as Markdown; where that is not known, that it is not, and its file."""
    if not is_recorded(question):
        return f"*{question_in_words(question)}* · {escaped(plain_line(file, 80))}"
    return escaped(plain_line(question, 80))


def in_words(found: ImportedLogs) -> str:
    """`3 runs of rlms came in, 2 were here already.`"""
    new = Counter(each.tool for each in found.runs if each.is_new)
    here = sum(not each.is_new for each in found.runs)
    came = " and ".join(f"{wording.exact(count, 'run')} of {tool}" for tool, count in new.items())
    were = f"{here:,} {'was' if here == 1 else 'were'} here already"
    if came:
        return f"{came} came in{f', {were}' if here else ''}."
    return f"No run came in: {were}." if here else "No run came in."


def unread(found: ImportedLogs) -> list[str]:
    """Why logs, or lines of them, were not read, each said once; of many the first ones."""
    said = list(dict.fromkeys([*found.unread, *(words for each in found.runs for words in each.unread)]))
    more = [f"And {wording.exact(len(said) - TOLD, 'more thing')} like that."] if len(said) > TOLD else []
    return said[:TOLD] + more
