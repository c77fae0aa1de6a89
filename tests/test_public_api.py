import ast
import subprocess
import sys
from pathlib import Path

import rlm_core

HEAVY = ("click", "dbos", "litellm", "pandas", "sqlite3", "sqlite_utils", "streamlit")


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_the_public_names_are_sorted_and_every_one_is_there():
    assert rlm_core.__all__ == sorted(rlm_core.__all__)
    for name in rlm_core.__all__:
        assert getattr(rlm_core, name).__name__ == name
    assert set(rlm_core.__all__) <= set(dir(rlm_core))


def test_every_public_name_has_a_docstring_of_its_own():
    for name in rlm_core.__all__:
        said = getattr(rlm_core, name).__doc__
        assert said, f"{name} has no docstring"
        assert not said.startswith(f"{name}("), f"{name} has only what dataclass writes by itself"


def test_type_checkers_are_told_of_exactly_the_public_names():
    tree = ast.parse(Path(rlm_core.__file__).read_text(encoding="utf-8"))
    guarded = [node for node in tree.body if isinstance(node, ast.If)]
    names = [alias.name for node in ast.walk(guarded[0]) if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(names) == rlm_core.__all__


def test_importing_the_package_imports_nothing_heavy():
    loaded = python("import sys, rlm_core; print(*sys.modules)").split()
    assert not set(HEAVY) & set(loaded)


def test_importing_the_package_takes_less_than_30_milliseconds():
    measure = "import time; t = time.perf_counter(); import rlm_core; print(time.perf_counter() - t)"
    assert min(float(python(measure)) for _ in range(3)) < 0.03


def test_ask_can_be_imported_and_called():
    assert python("from rlm_core import ask; print(callable(ask))") == "True"


def test_an_unknown_name_is_an_ordinary_error():
    assert python("import rlm_core; print(hasattr(rlm_core, 'answer_everything'))") == "False"
