"""numpy and pandas in cells: they are there, they alone, and their values read well."""

import importlib.util
import re
from pathlib import Path

import pytest
from sandboxes import Echo, write_context

from rlm_core.sandbox import packages
from rlm_core.sandbox.contract import CellLimits
from rlm_core.sandbox.host import Sandbox
from rlm_core.sandbox.trouble import explain

if importlib.util.find_spec("pandas") is None:
    pytest.skip("numpy and pandas installed would run these", allow_module_level=True)

TABLE = (
    "import warnings\nwarnings.simplefilter('error')\nimport numpy as np\nimport pandas as pd\n"
    "table = pd.DataFrame({'name': ['a', 'b', 'c'], 'n': [1, 2, 3], 'day': pd.date_range('2024-01-01', periods=3)})\n"
    "column, grid, one = table['n'], np.arange(12.0).reshape(3, 4), np.int64(4)"
)


@pytest.fixture(scope="module")
def child(tmp_path_factory):
    """One child that has imported both; these imports are slow."""
    files = write_context(tmp_path_factory.mktemp("packages"), [("a.txt", "x")])
    with Sandbox(files, Echo(), CellLimits(timeout_s=30.0)) as started:
        result = started.execute(TABLE)
        assert (result.status, result.output) == ("ok", ""), result.error
        started.first = result
        yield started


def test_tables_and_arrays_show_what_they_are_in_the_list_of_variables(child):
    rows = {row["name"]: (row["type"], row["size"], row["preview"]) for row in child.first.variables}
    assert rows["table"][:2] == ("DataFrame", 3)
    assert rows["table"][2].startswith("3 rows x 3 columns: name ")
    assert rows["column"] == ("Series", 3, "Series of 3, int64: 1, 2, 3")
    assert rows["grid"][:2] == ("ndarray", 12)
    assert rows["grid"][2].startswith("ndarray of 3 x 4, float64: 0.0, 1.0, 2.0")
    assert rows["one"] == ("int64", None, "np.int64(4)")


def test_a_change_inside_a_table_or_an_array_is_seen_and_nothing_else(child):
    assert child.execute("table.shape, grid.sum()").variables == ()
    changed = child.execute("grid[0, 1] = 7\ntable.loc[0, 'n'] = 9")
    assert [(row["name"], row["change"]) for row in changed.variables if row["name"] != "column"] == [
        ("table", "changed"),
        ("grid", "changed"),
    ]


def test_what_people_do_with_tables_works_without_a_warning(child):
    code = (
        "import io\nback = pd.read_csv(io.StringIO(table.to_csv(index=False)), parse_dates=['day'])\n"
        "wide = back.merge(table, on='name').groupby('name')['n_x'].agg(['sum', 'mean'])\n"
        "late = back['day'].dt.tz_localize('Europe/Berlin').dt.tz_convert('UTC')\n"
        "wide.shape, str(late.dtype), back['name'].str.upper().tolist(), float(np.linalg.det(np.eye(3)))"
    )
    result = child.execute(code)
    assert result.status == "ok", result.error
    assert "['A', 'B', 'C'], 1.0)" in result.output


def test_answers_of_numbers_arrays_and_tables_are_plain_values(child):
    assert child.execute("FINAL(np.int64(4))").answer["value"] == 4
    assert child.execute("FINAL({'mean': np.float32(0.5), 'all': np.array([1, 2])})").answer["value"] == {
        "mean": 0.5,
        "all": [1, 2],
    }
    answer = child.execute("FINAL(pd.DataFrame({'a': [1, 2], 'day': [pd.Timestamp(2024, 1, 2), pd.NaT]}))").answer
    assert answer["value"]["$type"] == "DataFrame"
    assert answer["value"]["value"]["columns"] == ["a", "day"]
    assert answer["value"]["value"]["rows"][1] == [2, None]
    assert "2024-01-02" in answer["text"]


def test_a_long_table_is_an_answer_as_a_whole(child):
    text = child.execute("FINAL(pd.DataFrame({'a': range(200)}))").answer["text"]
    assert text.count("\n") == 200
    assert "..." not in text


def test_arithmetic_uses_one_thread_and_little_memory(child):
    assert child.execute("x = np.ones((300, 300))\nfloat((x @ x)[0, 0])").output == "300.0\n"
    status = Path(f"/proc/{child.pid}/status").read_text()
    assert int(re.search(r"Threads:\s+(\d+)", status).group(1)) == 2  # that of cells, and that which reads the line
    assert int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) < 250_000


def test_the_files_of_the_packages_cannot_be_changed_and_no_file_written(child):
    for code in ("open(np.__file__, 'a')", "np.save('/tmp/escaped', grid)", "table.to_csv('/tmp/escaped.csv')"):
        assert "Error" in child.execute(code).error


def test_random_numbers_of_numpy_are_the_same_in_every_child(sandbox):
    first, second = (sandbox().execute("import numpy as np\nnp.random.rand(3).tolist()").output for _ in range(2))
    assert first == second


def test_both_fit_into_a_small_memory_limit(sandbox):
    result = sandbox(limits={"memory_mb": 256, "timeout_s": 30}).execute("import pandas as pd\npd.Series([1, 2]).sum()")
    assert (result.status, result.output) == ("ok", "np.int64(3)\n"), result.error


@pytest.mark.parametrize("name", ["litellm", "streamlit", "pytest", "pyarrow"])
def test_no_other_package_can_be_imported(child, name):
    result = child.execute(f"import {name}")
    assert f"ModuleNotFoundError: No module named '{name}'" in result.error
    assert "only Python's standard library and numpy and pandas can be imported" in result.error


def test_only_what_these_two_need_is_offered():
    found = packages.find()
    assert {"numpy", "pandas", "dateutil"} <= set(found)
    assert set(found) <= {"numpy", "numpy.libs", "pandas", "pandas.libs", "dateutil", "pytz", "six", "tzdata"}
    assert all(Path(path).exists() for path in found.values())


def test_a_package_that_is_not_installed_is_said_in_words():
    try:
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")
    except ModuleNotFoundError as error:
        said = explain(error, {}, ())
    assert said.endswith("Advice: numpy is not installed on this machine. Do it with Python's standard library.")
