"""A data folder for each test, and pages run without a browser."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

sys.path.insert(0, str(Path(__file__).parent))

MAIN = Path(__file__).parent.parent.parent / "app" / "main.py"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, in which the recorded run counts as deleted."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "sample-run").touch()
    monkeypatch.setenv("RLM_STUDIO_HOME", str(folder))
    return folder


@pytest.fixture
def opened(home: Path) -> Callable[..., AppTest]:
    """Opens a page: `opened("run", run="r1")`."""

    def open_page(page: str, **query: str) -> AppTest:
        test = AppTest.from_file(str(MAIN), default_timeout=30)
        test.run()
        if page != "ask":
            test.switch_page(f"views/{page}.py")
        for name, value in query.items():
            test.query_params[name] = value
        if page != "ask" or query:
            test.run()
        assert not test.exception, [each.value for each in test.exception]
        return test

    return open_page
