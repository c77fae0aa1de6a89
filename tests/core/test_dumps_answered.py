"""Real dumps that lie beside the repository: a question that code can decide, answered by a model that writes that code.

The gold answers were computed from the fields of the data by others; the code here goes by the text, as a model would.
"""

import json
from pathlib import Path

import pytest
from runs import run_scripted, scripted

from rlm_core.corpus.ingest import ingest, sources_of
from rlm_core.task import PROVEN

DUMPS = Path(__file__).parents[3] / "shared" / "dumps"

UNMAINTAINED = r"""
import re
found = []
for advisory in context:
    date = re.search(r'^date = "2024-.*"$', advisory, re.M)
    kind = re.search(r'^informational = "unmaintained"$', advisory, re.M)
    if date and kind:
        found.append(advisory.path)
        record(advisory.path, "unmaintained, 2024", quote=f"{date[0]}", source=advisory.path)
answer["content"] = str(len(found))
"""
RANSOMWARE = r"""
import json
found = []
for each in json.loads(context)["vulnerabilities"]:
    if each["vendorProject"] == "Microsoft" and each["knownRansomwareCampaignUse"] == "Known":
        found.append(each["cveID"])
        record(each["cveID"], "ransomware", quote=f'"cveID": "{each["cveID"]}"')
answer["content"] = str(len(found))
"""
LEAKS = r"""
found = [line for line in context.splitlines() if "leak" in line.lower()]
for line in found:
    record(line.partition(": ")[0], "leak", quote=line)
answer["content"] = str(len(found))
"""
BOTH_PRESENT = r"""
import re
found = []
for minutes in context:
    section = re.search(r"^#+ *(?:Present|Participants|Attendance)\b.*?(?=^#|\Z)", minutes, re.M | re.S)
    lines = section[0].splitlines() if section else []
    named = [next((line for line in lines if re.search(rf"{handle}\b", line, re.I)), "") for handle in ("@joesepi", "@ljharb")]
    if all(named):
        found.append(minutes.path)
        record(minutes.path, "both present", quote=named[0].strip(), source=minutes.path)
answer["content"] = str(len(found))
"""
TITLES = r"""
import json, re
found = re.findall(r"^(?:ADVENTURE )?[IVX]+\. [A-Z' -]{12,}$", context, re.M)
for title in found:
    record(title, "title", quote=title)
answer["content"] = json.dumps(found)
"""
NOT_FOUND = r"""
import re
found = [(number, line) for number, line in enumerate(context.splitlines(), 1) if '" 404 ' in line]
for number, line in found[:50]:
    record(f"line {number}", "404", quote=line, source=f"line {number}")
answer["content"] = str(len(found))
"""


@pytest.mark.skipif(not DUMPS.is_dir(), reason="runs where shared/dumps lies beside the repository")
@pytest.mark.parametrize(
    ("question", "code", "findings"),
    [
        ("rustsec-1", UNMAINTAINED, 40),
        ("kev-1", RANSOMWARE, 99),
        ("maintenance_work_orders-3", LEAKS, 119),
        ("openjs_minutes-3", BOTH_PRESENT, 71),
        ("sherlock-1", TITLES, 12),
        ("apache_access_log-1", NOT_FOUND, 50),
    ],
)
def test_a_question_that_code_can_decide_is_answered_rightly_and_every_quote_proven(question, code, findings, tmp_path):
    asked = next(each for each in json.loads((DUMPS / "questions.json").read_text()) if each["id"] == question)
    corpus, report = ingest(sources_of(DUMPS / asked["file"]), tmp_path)
    assert report.upload_status == "ok"
    ran = run_scripted(
        corpus, scripted(f"```repl\n{code}\n```", '```repl\nanswer["ready"] = True\n```'), question=asked["question"]
    )
    assert ran.outcome == "answered", ran.reason
    gold = asked["answer"]
    right = gold["orders_with_the_string_leak"] if isinstance(gold, dict) else gold
    assert json.loads(ran.answer) == right
    found = ran.view.findings()
    assert len(found) == findings
    assert {checked.verdict for _, _, checked in found} <= PROVEN
