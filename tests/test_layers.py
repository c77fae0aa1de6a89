"""The table of who may import whom, enforced on the source of `rlm_core` and `app`.

A new top-level module gets a line in `MAY_IMPORT`; the rows are explained there. Imports for type checkers count as well: a
type that a lower row needs from a higher one is in the wrong place.
"""

import ast
import graphlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

WORDS = "errors task tokens events notes choices story_edits settings ingest_limits"
PARTS = "lm sandbox corpus store view plain passages samples shown"
READINGS = (
    "evidence wording template waiting outline lanes lineage crowding likeness folding mending unread narrowing naming "
    "search holdups timeline layout listed scoring right_answers matrix matrix_words compare partings headlines reasons repeats "
    "trails steps_aligned diagnose estimates looks story"
)
ENGINE = "closings services spans approvals journal calls session frame children strategies run"
USES = "jobs bench importers exporters checks"
KEYS = "keys key_status"

MAY_IMPORT = {
    # row 0, words
    "errors": "",
    "task": "errors",
    "tokens": "",
    "events": "errors task",
    "event_json": "errors task events",
    "notes": "errors",
    "choices": "errors",
    "story_edits": "errors",
    "private_file": "",
    "held_folder": "private_file",
    "ingest_limits": "errors",
    "settings": "errors task private_file ingest_limits",
    "keys": "errors private_file",
    # row 1, parts: never each other
    "lm": f"{WORDS} keys",
    "sandbox": WORDS,
    "corpus": f"{WORDS} held_folder spreadsheet",
    "store": f"{WORDS} event_json",
    "view": WORDS,
    "plain": "",
    "markdown": "plain",
    "spreadsheet": "",
    "passages": "",
    "samples": "errors",
    "shown": "task",
    # row 2, readings: pure functions of what is above
    "evidence": f"{WORDS} corpus view passages",
    "wording": WORDS,
    "outline": f"{WORDS} view",
    "lanes": "",
    "lineage": f"{WORDS} view outline",
    "waiting": f"{WORDS} view",
    "crowding": "view",
    "likeness": f"{WORDS} view passages outline",
    "folding": f"{WORDS} view outline likeness crowding",
    "mending": f"{WORDS} view passages outline likeness",
    "unread": f"{WORDS} view passages outline",
    "narrowing": f"{WORDS} view outline likeness",
    "search": f"{WORDS} view passages outline folding",
    "naming": f"{WORDS} view plain passages wording outline folding likeness",
    "holdups": f"{WORDS} view lanes",
    "timeline": f"{WORDS} view outline lanes likeness holdups",
    "layout": "",
    "template": "",
    "listed": WORDS,
    "scoring": f"{WORDS} listed",
    "right_answers": f"{WORDS} scoring",
    "matrix": f"{WORDS} scoring right_answers listed",
    "matrix_words": f"{WORDS} plain wording matrix scoring looks",
    "compare": f"{WORDS} view passages evidence listed",
    "partings": f"{WORDS} compare listed",
    "headlines": f"{WORDS} wording compare partings listed",
    "reasons": f"{WORDS} wording compare partings headlines",
    "trails": f"{WORDS} view passages outline likeness lineage",
    "steps_aligned": f"{WORDS} trails likeness",
    "repeats": f"{WORDS} wording compare listed lineage",
    "diagnose": f"{WORDS} view passages shown evidence wording outline lineage template",
    "estimates": WORDS,
    "looks": (
        f"{WORDS} event_json view plain passages evidence wording waiting outline lineage likeness folding layout mending "
        "unread narrowing naming search compare"
    ),
    "story": f"{WORDS} view plain passages evidence wording outline folding compare listed headlines looks",
    "key_status": f"{WORDS} keys lm",
    # row 3, engine
    "closings": f"{WORDS} lm sandbox",
    "services": WORDS,
    "spans": WORDS,
    "approvals": WORDS,
    "journal": f"{WORDS} view",
    "calls": f"{WORDS} lm sandbox corpus closings spans approvals journal",
    "session": f"{WORDS} sandbox",
    "frame": f"{WORDS} lm sandbox corpus evidence closings services spans approvals journal calls session",
    "children": f"{WORDS} lm corpus view journal frame",
    "strategies": f"{WORDS} lm corpus shown services frame",
    "run": f"{WORDS} lm corpus spans journal calls frame children strategies",
    # row 4, uses
    "jobs": f"{WORDS} held_folder {KEYS} {PARTS} {READINGS} {ENGINE} importers exporters",
    "bench": f"{WORDS} {PARTS} {READINGS} {ENGINE} jobs exporters",
    "importers": f"{WORDS} event_json wording",
    "exporters": f"{WORDS} event_json view plain passages markdown spreadsheet {READINGS}",
    "checks": f"{WORDS} {KEYS} {PARTS} {READINGS} jobs",
    # row 5, doors
    "cli": f"{WORDS} event_json corpus store view plain passages samples {READINGS} {USES}",
    "app": f"{WORDS} event_json view plain passages {READINGS} importers exporters",
}
"""By first name below `rlm_core`, or `app`. Everything may import from itself."""

MORE_FOR = {"app.backend": f"held_folder {KEYS} corpus store jobs bench samples checks"}
"""Modules that may do more than the others of their package: the app has one door to the engine."""

ONLY_IN = {
    "litellm": ("rlm_core.lm.live",),
    "httptools": ("rlm_core.lm.http_connections",),
    "sqlite_utils": ("rlm_core.store",),
    "dbos": ("rlm_core.jobs",),
    "click": ("rlm_core.cli",),
    "streamlit": ("app",),
    "plotly": ("app",),
    "pyvis": ("app",),
}
"""Packages of others that only these modules, and those below them, may import."""

IMPORTS_LATE = {
    "rlm_core.lm.live": ("litellm",),
    "rlm_core.lm.router": ("rlm_core.lm.openai_http",),
    "rlm_core.sandbox.cell": ("asyncio",),
    "app.__main__": ("app.asgi",),
    "app.asgi": ("app.backend", "app.file_route", "app.upload_route"),
    "app.components.call_graph": ("pyvis.network",),
}
"""Modules that may import inside a function, and what; each says why where it does so."""
IMPORTS_BY_NAME = ("rlm_core", "rlm_core.cli", "rlm_core.corpus.formats", "app")
"""Modules that may import what a table of theirs names."""


@dataclass(frozen=True)
class Import:
    target: str
    late: bool
    """Inside a function."""
    typing: bool
    """Under `if TYPE_CHECKING`: seen by the table, not by the running program."""


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    """Source by dotted name; a package has the name of its folder."""
    found = {}
    for folder in ("rlm_core", "app"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file.read_text(encoding="utf-8")
    return found


def imports_of(name: str, sources: Mapping[str, str]) -> Iterator[Import]:
    """What a module imports, each as the deepest dotted name that is a module."""
    tree = ast.parse(sources[name])
    late, typing = _inside(tree, _is_function), _inside(tree, _is_for_type_checkers)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node in late, node in typing) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name} imports relatively; write the whole name"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                target = whole if whole in sources else str(node.module)
                yield Import(target, node in late, node in typing)


def _inside(tree: ast.AST, chosen: Callable[[ast.AST], bool]) -> set[ast.AST]:
    return {below for node in ast.walk(tree) if chosen(node) for below in ast.walk(node)}


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def _is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING"


def layer_of(name: str) -> str:
    """`rlm_core.lm.live` is `lm`, `app.views.run` is `app`."""
    first, _, rest = name.partition(".")
    return rest.partition(".")[0] if first == "rlm_core" else first


def breaches(sources: Mapping[str, str]) -> list[str]:
    """Every import that the tables above forbid."""
    found = []
    for name in sources:
        if name == "rlm_core":  # the public names: imported when they are used
            continue
        more = next((MORE_FOR[home] for home in MORE_FOR if f"{name}.".startswith(f"{home}.")), "")
        allowed = {layer_of(name), *MAY_IMPORT.get(layer_of(name), "").split(), *more.split()}
        for each in imports_of(name, sources):
            first = each.target.partition(".")[0]
            if first in ("rlm_core", "app") and layer_of(each.target) not in allowed:
                found.append(f"{name} imports {each.target}")
            if first in ONLY_IN and not any(f"{name}.".startswith(f"{home}.") for home in ONLY_IN[first]):
                found.append(f"{name} imports {first}")
            if each.late and each.target not in IMPORTS_LATE.get(name, ()):
                found.append(f"{name} imports {each.target} inside a function")
    return found


def graph_of(sources: Mapping[str, str]) -> dict[str, set[str]]:
    return {
        name: {
            each.target
            for each in imports_of(name, sources)
            if each.target in sources and each.target != name and not each.typing
        }
        for name in sources
        if name != "rlm_core"
    }


def reached_from(name: str, sources: Mapping[str, str]) -> set[str]:
    """All modules that importing `name` imports, the packages that they lie in included."""
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each in reached or each not in sources or each == "rlm_core":
            continue
        reached.add(each)
        waiting += [each.rpartition(".")[0], *(found.target for found in imports_of(each, sources) if not found.typing)]
    return reached


def test_every_module_has_its_place_in_the_table(sources):
    layers = {layer_of(name) for name in sources if name != "rlm_core"}
    assert layers <= set(MAY_IMPORT), "add a line to MAY_IMPORT"


def test_the_table_itself_has_no_cycle():
    list(graphlib.TopologicalSorter({layer: below.split() for layer, below in MAY_IMPORT.items()}).static_order())


def test_modules_import_only_what_the_table_allows(sources):
    assert breaches(sources) == []


def test_no_modules_import_each_other_in_a_circle(sources):
    list(graphlib.TopologicalSorter(graph_of(sources)).static_order())


@pytest.mark.parametrize("start", ["rlm_core.store.recorder", "rlm_core.jobs.run_process"])
def test_a_run_writes_its_events_without_the_slow_imports(sources, start):
    reached = reached_from(start, sources)
    imported = {found.target for each in reached for found in imports_of(each, sources) if not found.typing}
    assert len(reached) > 5
    assert not imported & {"sqlite_utils", "dbos", "click", "streamlit"}


def test_modules_are_imported_by_name_only_where_a_table_says_so(sources):
    for name, source in sources.items():
        called = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute | ast.Name)]
        named = {getattr(node, "attr", getattr(node, "id", "")) for node in called}
        assert name in IMPORTS_BY_NAME or not named & {"import_module", "__import__"}, name


@pytest.mark.parametrize(
    ("name", "source", "breach"),
    [
        ("rlm_core.lm.live", "from rlm_core.store.store import Store", "rlm_core.lm.live imports rlm_core.store.store"),
        ("rlm_core.cli.ask", "import streamlit as st", "rlm_core.cli.ask imports streamlit"),
        ("app.views.run", "from rlm_core.store.store import Store", "app.views.run imports rlm_core.store.store"),
        ("app.backend", "from rlm_core import frame", "app.backend imports rlm_core.frame"),
        ("rlm_core.view", "def f():\n import json", "rlm_core.view imports json inside a function"),
    ],
)
def test_a_breach_is_found(name, source, breach):
    known = {"rlm_core.store.store": "", "rlm_core.frame": ""}
    assert breaches({**known, name: source}) == [breach]


def test_a_circle_is_found():
    circle = {"rlm_core.lm.a": "from rlm_core.lm import b", "rlm_core.lm.b": "import rlm_core.lm.a"}
    with pytest.raises(graphlib.CycleError):
        list(graphlib.TopologicalSorter(graph_of(circle)).static_order())
