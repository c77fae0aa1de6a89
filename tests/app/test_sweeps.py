"""The search for garbage waits while a large run is read, and goes on afterwards."""

from __future__ import annotations

import gc

import pytest

from app.backend.sweeps import put_off


def test_no_search_for_garbage_begins_until_the_last_reader_is_done():
    assert gc.isenabled()
    with put_off():
        with put_off():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_reader_that_fails_leaves_it_as_it_was():
    with pytest.raises(ValueError, match="gone"), put_off():
        raise ValueError("gone")
    assert gc.isenabled()
    gc.disable()
    try:
        with put_off():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
