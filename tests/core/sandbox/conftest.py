"""`sandbox(...)` starts a real child and closes it after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sandboxes import Echo, write_context

from rlm_core.sandbox.contract import CellLimits
from rlm_core.sandbox.host import Sandbox

ALL = frozenset({"llm_query", "rlm_query", "search", "record", "budget"})
THREE_DOCUMENTS = [
    ("mail/one.txt", "Anna met Béla.\nThe ship left on Friday.\n"),
    ("mail/two.txt", "Nothing of interest. 💡\n"),
    ("notes/three.md", "The ship came back."),
]


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[Callable[..., Sandbox]]:
    with ExitStack() as stack:

        def start(documents: Any = THREE_DOCUMENTS, services: Any = None, **options: Any) -> Sandbox:
            limits = CellLimits(**{"timeout_s": 10.0, "grace_s": 0.5, **options.pop("limits", {})})
            functions = options.pop("functions", ALL)
            files = write_context(tmp_path, documents)
            made = Sandbox(files, services or Echo(), limits, functions=functions, question="Which ship?", **options)
            return stack.enter_context(made)

        yield start
