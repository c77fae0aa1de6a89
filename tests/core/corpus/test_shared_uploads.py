"""The ingestion cases and document dumps that lie beside the repository, where they are there."""

import json
import re
import resource
import time
from pathlib import Path

import pytest

from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import Source, ingest, sources_of
from rlm_core.corpus.report import DOCUMENT_STATUSES, IngestReport
from rlm_core.evidence.quotes import locate

SHARED = Path(__file__).parents[4] / "shared"
CASES = sorted(path.parent for path in SHARED.glob("cases/*/expected.json"))
DUMPS = {
    "rustsec/rustsec.zip": (1184, 1_215_133),
    "openjs_minutes/openjs_minutes.zip": (213, 901_408),
    "kev/known_exploited_vulnerabilities.json": (1, 1_257_542),
    "maintenance_work_orders/work_orders.txt": (1, 47_737),
    "sherlock/adventures_of_sherlock_holmes.txt": (1, 562_411),
    "apache_access_log/apache_access.log": (1, 2_371_073),
}


@pytest.mark.skipif(not CASES, reason="runs where shared/cases lies beside the repository")
@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_a_case_is_read_as_expected(folder, tmp_path):
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    before, started = _peak_rss_mb(), time.monotonic()
    sources = [Source(name, folder / name) for name in expected["inputs"]]
    corpus, report = ingest(sources, tmp_path / "work" / "corpora")
    limits = expected.get("limits", {})
    assert time.monotonic() - started < limits.get("max_seconds", 60)
    assert _peak_rss_mb() - before < limits.get("max_rss_growth_mb", 1000)
    assert report.upload_status == expected["upload_status"]
    assert report.documents == expected["documents"]
    assert [path.name for path in tmp_path.iterdir()] == ["work"], "something was written outside the workspace"

    texts = [corpus.text(document.index) for document in corpus.documents] if corpus else []
    for needle in expected["must_contain"]:
        assert any(needle in text for text in texts), needle
    for needle in expected["must_not_contain"]:
        assert not any(needle in text for text in texts), needle
    if "error_mentions" in expected:
        assert any(expected["error_mentions"].casefold() in item.reason.casefold() for item in report.items)
    assert sorted(item.path for item in report.items) == sorted(item["path"] for item in expected["items"])
    for item in expected["items"]:
        _check_item(item, corpus, report)


def _check_item(expected: dict, corpus: Corpus | None, report: IngestReport) -> None:
    item = next(item for item in report.items if item.path == expected["path"])
    for field in ("status", "duplicate_of", "encoding", "lines", "rows", "delimiter", "pages", "sheets"):
        if field in expected:
            assert getattr(item, field) == expected[field], field
    for word in re.findall(r"\w+", expected.get("reason", "")):
        assert word in item.reason.casefold()
    for field in ("bad_lines", "pages_without_text"):
        if field in expected:
            assert list(getattr(item, field)) == expected[field], field
    if item.status not in DOCUMENT_STATUSES:
        return
    document = corpus.find(item.path)
    text = corpus.text(document.index)
    assert all(needle in text for needle in expected.get("must_contain", []))
    assert not any(needle in text for needle in expected.get("must_not_contain", []))
    for needle, line in expected.get("line_of", {}).items():
        assert text.split("\n")[line - 1].find(needle) >= 0
        assert locate(needle, corpus, item.path).line == line
    for quote in expected.get("quotes", []):
        place = locate(quote["q"], corpus, item.path)
        assert place.verdict == quote["level"].replace("_", " ")
        if "page" in quote:
            assert document.units.at(place.start).label == str(quote["page"])
    assert expected.get("cells", {}).items() <= item.cells.items()


def _peak_rss_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@pytest.mark.parametrize("name", DUMPS)
def test_a_dump_is_read_whole(name, tmp_path):
    path = SHARED / "dumps" / name
    if not path.exists():
        pytest.skip("runs where shared/dumps lies beside the repository")
    corpus, report = ingest(sources_of(path), tmp_path)
    assert report.upload_status == "ok"
    assert (report.documents, corpus.chars) == DUMPS[name]
    assert not any(item.warning or item.replaced for item in report.items)
