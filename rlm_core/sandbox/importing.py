"""Lets cells import the few packages that the host offers, and nothing else from beside the standard library.

Runs in the child, which has no site-packages on its path. Nothing is imported before a cell asks for it. Arithmetic uses one
thread, because each further one of the library for linear algebra would cost memory. The random numbers of `random` and
`numpy.random` start the same in every child, so that cells which are run again do the same again.

Refuses to know why these packages and no others; that is `packages.py`.
"""

from __future__ import annotations

import os
import sys
from _frozen_importlib import ModuleSpec  # `importlib.machinery` without its imports
from _frozen_importlib_external import PathFinder, SourceFileLoader

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")

_SEEDED = frozenset({"random", "numpy.random"})
"""Modules with random numbers for everybody, and a function `seed`."""


class Offered:
    """A finder for `sys.meta_path`: knows packages by name and path, as `packages.find` gives them."""

    def __init__(self, places: dict[str, str]) -> None:
        self._places = places

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name in _SEEDED:
            return _seeded(PathFinder.find_spec(name, path))
        place = self._places.get(name)
        if place is None:
            return None
        if name == "numpy":
            for variable in _ONE_THREAD:
                os.environ.setdefault(variable, "1")
        is_module = place.endswith(".py")
        file = place if is_module else f"{place}/__init__.py"
        spec = ModuleSpec(name, SourceFileLoader(name, file), origin=file, is_package=not is_module)
        spec.has_location = True
        if not is_module:
            spec.submodule_search_locations = [place]
        return spec


class _Seeding(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        module.seed(0)


def _seeded(spec: ModuleSpec | None) -> ModuleSpec | None:
    if spec is not None and isinstance(spec.loader, SourceFileLoader):
        spec.loader = _Seeding(spec.loader.name, spec.loader.path)
    return spec


def offer(places: dict[str, str]) -> None:
    """From now on these can be imported. To be called before anything that is seeded is imported."""
    sys.meta_path.insert(0, Offered(places))
