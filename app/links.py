"""The address of every state: which run, and what was started with it. Reads and writes the query string; knows no store."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

ASK, RUNS, RUN = "views/ask.py", "views/runs.py", "views/run.py"


def run_query(run: str, started_with: Sequence[str] = ()) -> dict[str, str]:
    """The query of a run's page. `started_with` are the other runs of the same question."""
    others = ",".join(each for each in started_with if each != run)
    return {"run": run, "with": others} if others else {"run": run}


def run_in_address() -> str | None:
    return st.query_params.get("run")


def started_with() -> list[str]:
    return [each for each in st.query_params.get("with", "").split(",") if each]


def open_run(run: str, others: Sequence[str] = ()) -> None:
    """Go to the page of a run."""
    st.session_state.pop("run-not-chosen", None)
    st.switch_page(RUN, query_params=run_query(run, others))
