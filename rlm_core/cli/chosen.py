"""The RUN of a command: an id, the beginning of one, or `last`."""

from __future__ import annotations

import click

from rlm_core.store.store import Store

LAST = "last"


def chosen_run(store: Store, word: str) -> str:
    """The id of the run or queued job that the word means. Raises `UsageError` with the near ones if there is not one."""
    known = [job.id for job in store.jobs("queued")][::-1] + [row.id for row in store.runs(1_000)]
    if word == LAST and known:
        return known[0]
    if word in known or store.run(word) is not None:
        return word
    if not known:
        raise click.UsageError(
            f"There are no runs in {store.home} yet. Ask something: rlm-studio ask ARCHIVE QUESTION."
        )
    near = [id for id in known if id.startswith(word)]
    if len(near) == 1:
        return near[0]
    listed = f"Several begin so: {', '.join(near[:5])}." if near else f"The newest are: {', '.join(known[:5])}."
    raise click.UsageError(f"There is no run {word!r} in {store.home}. {listed}")
