"""The address of every state. Reads and writes the query string; knows no store.

/run?run=R&node=SPAN&view=graph&metric=cost&open=GROUP:50-150,GROUP&with=R2,R3  one run
          &only=failed,slow,call,depth1&find=WORDS&hit=2                          its tree narrowed, and words found in it
          &pin=SPAN&beside=yes                                                    a node kept, and compared with the selected one
/run?run=R&document=PATH&char=900                                               and who was shown a place of its archive
/evidence?run=R&finding=SPAN    /evidence?run=R&document=PATH&line=131          one quote, or one place, in its document
          &start=900&end=940                                                    the characters of a place, counted from 0
          &unit=3&shown_to=SPAN                                                 a page of it; the lines that a node was shown
          &find=WORDS&hit=2&label=yes&verdict=exact&item=A1                     words found in it; the list of findings narrowed
          &with=R2,R3&view=Reader&node=SPAN&sought=WORDS&at=2   &runs=R,R2&show=differ&as=table     what it was opened from
/present?run=R&step=answer&base=R2&edit=yes                                     a run as a story, beside another; its words
/runs?find=WORDS&state=failed&tag=T                                             the list of runs, narrowed
/runs?import=1                                                                  and where logs of other tools are taken in
/compare?runs=R,R2&show=differ&as=table                                         runs side by side
            &part=steps&pair=AC&step=A:SPAN&unfolded=A:SPAN+                    a view of them: a step of two, and groups unfolded
/matrix?archive=ID&mode=different&a=COLUMN&b=COLUMN&cells=cost                    all questions by all strategies
/?archive=ID&preset=anthropic&strategies=rlm-1,base    /?from=RUN    /?about=1    a question, one like that of a run, what this is
/settings?section=keys                                                          one section of Settings
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from app import address
from rlm_core.looks import windows
from rlm_core.looks.place import Place
from rlm_core.looks.windows import whole
from rlm_core.narrowing import sort_of

ASK, RUNS, RUN, PRESENT, COMPARE, MATRIX, EVIDENCE, SETTINGS = (
    f"views/{name}.py" for name in ("ask", "runs", "run", "present", "compare", "matrix", "evidence", "settings")
)
SAMPLE, UPLOAD = "sample", "upload"
"""In the place of an archive's id: the sample, and one that is yet to be uploaded."""
COMPARED = ("runs", "show", "as", "part", "pair", "step", "unfolded")
"""What the address of a comparison is made of."""
LEFT = {
    **{name: name for name in ("with", "view", "node", "open", "only", "pin", "beside")},
    "find": "sought",
    "hit": "at",
}
"""What the address of a run says of how it was left, and its names on the page of its evidence, which has a search of its own."""
MAX_FIND_CHARS = 200
Query = dict[str, str]


def run_query(run: str, started_with: Sequence[str] = (), node: str | None = None) -> Query:
    """The query of a run's page. `started_with` are the other runs of the same question."""
    others = ",".join(each for each in started_with if each != run)
    return {"run": run, **({"with": others} if others else {}), **({"node": node} if node else {})}


def evidence_query(
    run: str,
    finding: str | None = None,
    document: str | None = None,
    line: int | None = None,
    chars: tuple[int, int] | None = None,
    shown_to: str | None = None,
) -> Query:
    """The query of the page that shows a finding's quote in its document, or a line or characters of a document; with it
    what the way back to the page that is open now needs."""
    start, end = chars or (None, None)
    given = {"run": run, "finding": finding, "document": document, "line": line, "start": start, "end": end}
    given |= {"shown_to": shown_to}
    asked = {name: str(value) for name, value in given.items() if value is not None}
    return {**asked, **_way_back(run)}


def _way_back(run: str) -> Query:
    """Of a run how it was left, of a comparison its own address."""
    if run_in_address() == run:
        return {LEFT[name]: value for name, value in _kept(*LEFT).items()}
    return _kept(*COMPARED) if address.get("runs") else {}


def _kept(*names: str) -> Query:
    return {name: value for name in names if (value := address.get(name))}


def back_to_run(run: str, node: str | None = None) -> Query:
    """The query of a run's page, from its evidence: as it was left, if need be with another `node` selected."""
    left = {name: value for name, there in LEFT.items() if (value := address.get(there))}
    return {**left, **run_query(run, started_with() or compared_runs(), node)}


def back_to_comparison() -> Query | None:
    """The query of the comparison that this page was opened from."""
    return _kept(*COMPARED) if compared_runs() else None


def ask_query(
    archive: str | None = None, preset: str | None = None, strategies: Sequence[str] = (), run: str | None = None
) -> Query:
    """The query of Ask with so much filled in. `run`: everything else is as it was in that run."""
    given = {"archive": archive, "preset": preset, "strategies": ",".join(strategies), "from": run}
    return {name: value for name, value in given.items() if value}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of Ask fills in."""

    archive: str | None
    preset: str | None
    strategies: tuple[str, ...]
    run: str | None
    about: bool
    """What this is about, in place of the form."""


def asked() -> Asked:
    archive, preset, run, about = (address.get(name) or None for name in ("archive", "preset", "from", "about"))
    return Asked(archive, preset, tuple(_list("strategies")), run, bool(about))


def asked_query() -> Query:
    return st.query_params.to_dict()


def ask(archive: str, preset: str | None = None) -> None:
    """Turn to the form of Ask. Called from callbacks."""
    st.query_params.from_dict(ask_query(archive, preset))


def compare_query(runs: Sequence[str]) -> Query:
    return {"runs": ",".join(runs)}


def compared_items() -> tuple[str, bool]:
    """Which items of compared runs are shown, and whether as a table."""
    return address.get("show"), address.get("as") == "table"


def compared_part() -> str:
    """Which view of compared runs is open; nothing where the address does not say. It has a name of its own, for the page of a
    run, which the address of a comparison goes along to, has views too."""
    return address.get("part")


def compared_pair() -> str:
    """The letters of the two runs whose steps are laid side by side."""
    return address.get("pair")


def compared_step() -> tuple[str, list[str]]:
    """The step that is selected, and the groups that are unfolded."""
    return address.get("step"), _list("unfolded")


def out_of_comparison(run: str, node: str) -> Query:
    """The query of a node's page for a link out of a comparison, which goes along: Back leads to it."""
    return {**run_query(run, compared_runs(), node), **_kept(*COMPARED)}


def compare(**changes: str | None) -> None:
    """Set names of `COMPARED` in the address of a comparison; what is nothing is taken out. Called from callbacks."""
    address.write(**changes)


def presented_step() -> str:
    """The step of a story that is shown; nothing where the address does not say."""
    return address.get("step")


def presented_beside() -> str | None:
    """The run that a story is told beside."""
    return address.get("base") or None


def is_edited() -> bool:
    """Whether the words of a story are open to be changed."""
    return bool(address.get("edit"))


def present(**changes: str | None) -> None:
    """Set `step`, `base` or `edit` in the address of a story; what is nothing is taken out. Called from callbacks."""
    address.write(**changes)


def matrix_state(name: str) -> str:
    """What the address of the matrix says of `archive`, `mode`, `a`, `b` or `cells`; nothing where it does not."""
    return address.get(name)


def matrix_query(archive: str) -> Query:
    """The query of the matrix of one archive."""
    return {"archive": archive} if archive else {}


def turn_matrix(name: str, value: str) -> None:
    """Set one of these. Called from callbacks."""
    address.write(**{name: value})


def narrowed() -> tuple[str, str, str]:
    """What the list of runs is narrowed to: words, a state, a tag."""
    find, state, tag = (address.get(name) for name in ("find", "state", "tag"))
    return find, state, tag


def narrow(name: str, value: str) -> None:
    """Narrow the list of runs by `find`, `state` or `tag`; nothing widens it again. Called from callbacks."""
    address.write(**{name: value})


def imports() -> bool:
    """Whether the place where logs are taken in is open above the list of runs."""
    return bool(address.get("import"))


def open_import() -> None:
    address.write(**{"import": "1"})


def close_import() -> None:
    """Called from callbacks."""
    address.write(**{"import": None})


def widen() -> None:
    """Narrow the list of runs by nothing. Called from callbacks."""
    address.write(find=None, state=None, tag=None)


def leave_comparison(page: str, query: Query) -> None:
    """Go to a page from a comparison. Streamlit first writes the new query to the page that is left, and there Back leads: so
    the address of the comparison goes along, that it may still be one."""
    st.switch_page(page, query_params={**query, **_kept(*COMPARED)})


def run_in_address() -> str | None:
    return address.get("run") or None


def started_with() -> list[str]:
    return _list("with")


def compared_runs() -> list[str]:
    return list(dict.fromkeys(_list("runs")))


def place(run: str) -> Place:
    """Where the address says that somebody is on the page of `run`."""
    given = address.get
    only = tuple(dict.fromkeys(word for word in _list("only") if sort_of(word)))
    return Place(
        run,
        given("node") or None,
        opened(),
        given("document") or None,
        number("char") or 0,
        only,
        given("find")[:MAX_FIND_CHARS].strip(),
        number("hit") or 0,
        given("pin") or None,
        bool(given("beside")),
    )


def opened() -> dict[str, range]:
    """The groups that the address unfolds, and which members of each."""
    written = [each.rpartition(":") for each in _list("open")]
    return {group: windows.window(shown) for group, _, shown in written}


def narrow_tree(only: Sequence[str]) -> None:
    """Narrow the tree of a run; to nothing draws all of it. Called from callbacks."""
    address.write(only=",".join(only))


def pin(span: str | None) -> None:
    """Keep a node in mind, or none. Called from callbacks."""
    address.write(beside=None, pin=span)


def compare_with_pin(wanted: bool) -> None:
    """Show the selected node beside the pinned one, or by itself. Called from callbacks."""
    address.write(beside="yes" if wanted else None)


def look_for(words: str, hit: int = 0) -> None:
    """Look for words in the texts of a run, and say which of the nodes that have them is shown. Called from callbacks."""
    address.write(find=words[:MAX_FIND_CHARS].strip(), hit=str(hit or ""))


def select_place(document: str, char: int) -> None:
    """Select a place of the archive, and no node. Called from callbacks."""
    address.write(node=None, document=document, char=str(char))


def select(node: str | None) -> None:
    """Move the selection. Called from callbacks, so that everything on the page is drawn with it."""
    address.write(document=None, char=None, node=node)


def unfold(group: str, shown: range) -> None:
    """Show these members of a group; none folds it again."""
    now = opened()
    now.pop(group, None)
    if shown:
        now[group] = shown
    address.write(open=windows.written(now))


def show_view(view: str) -> None:
    """Turn to another view of the run. Called from callbacks: the switch between views is bound to the address."""
    st.session_state["view"] = view


def open_run(run: str, others: Sequence[str] = ()) -> None:
    """Go to the page of a run, to the view that shows how it grows."""
    for remembered in ("run-not-chosen", "view"):
        st.session_state.pop(remembered, None)
    st.switch_page(RUN, query_params=run_query(run, others))


def open_comparison(runs: Sequence[str]) -> None:
    """Go to these runs side by side."""
    st.switch_page(COMPARE, query_params=compare_query(runs))


def section(known: Sequence[str]) -> str:
    """The section of Settings that the address names; the first one if it names none."""
    named = address.get("section")
    return named if named in known else known[0]


def open_section(name: str) -> None:
    address.write(section=name)


def _list(name: str) -> list[str]:
    return [each for each in address.get(name).split(",") if each]


def number(name: str) -> int | None:
    """A whole number of the address; `None` where it has none."""
    return whole(address.get(name))
