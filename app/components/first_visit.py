"""What somebody sees who has asked nothing yet: what this is, four ways in, and what this installation has.

The picture is fixed text and shapes; facts beside it are read from this installation.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.backend import Cells, KeyLine
from app.components.presets import DEMO, PRESETS
from app.components.settings_machine import headline
from app.components.text import escaped
from app.components.trouble import told
from app.components.upload import ARCHIVE
from app.places import STATIC
from rlm_core import wording
from rlm_core.plain import plain_line
from rlm_core.task import DEMO_MODEL

_picture = st.components.v2.component(
    "first_visit",
    html=(STATIC / "first_visit.html").read_text(encoding="utf-8"),
    css=(STATIC / "first_visit.css").read_text(encoding="utf-8"),
)


def show() -> None:
    with st.container(key="first-visit"):
        _picture(key="first-visit-picture", height="content")
        st.divider()
        left, right = st.columns([1.25, 1], gap="large")
        with left.container(key="first-visit-doors", gap="xsmall"):
            _doors()
        with right.container(key="first-visit-installation", gap="xsmall"):
            _installation()


def _doors() -> None:
    recorded = backend.recorded_run()
    if recorded:
        opened = _door(
            "See a recorded run",
            _recorded_in_words(recorded),
            "Open the recorded run",
            ":material/play_arrow:",
            primary=True,
        )
        if opened:
            links.open_run(recorded)
    both = "The same question, recorded; a capable language model answered as both. Item by item, with the evidence."
    if _door("See a base model beside an RLM", both, "Open the comparison", ":material/compare:", name="comparison"):
        open_recorded_comparison()
    sample = "Maintenance records with a question. The demo model answers by rules, free and offline; it is no language model."
    _door("Try the sample archive", sample, "Ask the sample", to=(links.SAMPLE, DEMO), primary=not recorded)
    kinds = ARCHIVE.kinds
    own = f"{kinds[0].upper()}{kinds[1:]}. For a true answer it needs a model: the key of a provider, or a server of your own."
    _door("Bring your own", own, "Upload an archive", ":material/upload:", to=(links.UPLOAD, None))


def _door(
    title: str,
    says: str,
    label: str,
    icon: str | None = None,
    to: tuple[str, str | None] | None = None,
    *,
    name: str = "recorded",
    primary: bool = False,
) -> bool:
    """A way in: what it is, and its button. Without an archive and a preset to turn to, true when it was clicked."""
    name = to[0] if to else name
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key=f"door-{name}"):
        with st.container(gap=None):
            st.markdown(f"### {escaped(title)}")
            st.caption(escaped(says))
        return st.button(
            label,
            icon=icon,
            type="primary" if primary else "secondary",
            width=205,
            key=f"open-{name}",
            on_click=links.ask if to else None,
            args=to,
        )


def open_recorded_comparison() -> None:
    """One question answered in two ways, side by side; the runs come into the data folder when somebody wants to see them."""
    with told("recorded-comparison"):
        links.open_comparison(backend.recorded_comparison())


def _recorded_in_words(run: str) -> str:
    """`A building's maintenance archive, 216 calls, 212 findings. …`, as it was recorded."""
    sheet = backend.sheet(run)
    if sheet is None:
        return "Needs no key and no network."
    size = f"{wording.exact(sheet.totals.calls, 'call')}, {wording.exact(len(sheet.findings), 'finding')}"
    by = " Played by the demo model." if sheet.task.root_model == DEMO_MODEL else ""
    return f"A building's maintenance archive, {size}.{by} Needs no key and no network."


def _installation() -> None:
    st.markdown("#### This installation")
    keys = keys_in_words(backend.key_lines())
    _fact(
        "key",
        "Model key",
        keys or "none found; the demo needs none",
        good=bool(keys),
        more="" if keys else "How to add one",
    )
    cells = backend.cells()
    _fact("shield", "Sandbox", sandbox_in_words(cells), good=cells.jailed, more="What this means")
    _fact("table_chart", "Prices", f"list prices of {backend.price_list()}; your provider may charge otherwise")
    found = backend.data_folder()
    things = f"{wording.exact(found.runs, 'run')}, {wording.exact(found.archives, 'archive')}"
    where = plain_line(str(found.home), 80)
    _fact("folder", "Data", f"{things}, {wording.size(found.disk.free)} free, in {where}", more="Settings")
    st.caption("Nothing leaves this machine except the prompts of the runs you start.")


def keys_in_words(lines: Sequence[KeyLine]) -> str:
    """Whose keys are there: of the presets by name, else the variables that hold one; nothing if there is none."""
    ready = [
        each.label for each in PRESETS if each.root not in ("", DEMO_MODEL) and backend.key_status(each.root, None).ok
    ]
    found = [each.variable for each in lines if each.place]
    return f"found for {', '.join(ready)}" if ready else ", ".join(found)


def sandbox_in_words(cells: Cells) -> str:
    """The short of it; Settings has all of it."""
    if not cells.jailed:
        return headline(cells)
    missing = f"; not on this machine: {'; '.join(cells.missing)}" if cells.missing else ""
    return f"code that models write runs in a sandbox: no network, none of your files{missing}"


def _fact(icon: str, topic: str, says: str, more: str = "", *, good: bool = True) -> None:
    colour = "gray" if good else "orange"
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"fact-{icon}"):
        st.markdown(f":{colour}[:material/{icon}:]", width="content")
        st.markdown(f"**{topic}**", width=76)
        st.caption(escaped(says))
        if more:
            st.page_link(links.SETTINGS, label=more, width="content")
