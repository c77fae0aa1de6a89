"""A fresh data folder, and the store in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rlm_core.store.store import Store


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    opened = Store.open(home)
    yield opened
    opened.close()
