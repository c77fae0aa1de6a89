"""Questions about real dumps that code can decide, with the code a model would write: by the text, and not by the fields of the
data from which others have computed the gold answers. The dumps lie beside the repository."""

from __future__ import annotations

from pathlib import Path

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

CODE = {
    "rustsec-1": UNMAINTAINED,
    "kev-1": RANSOMWARE,
    "maintenance_work_orders-3": LEAKS,
    "openjs_minutes-3": BOTH_PRESENT,
    "sherlock-1": TITLES,
    "apache_access_log-1": NOT_FOUND,
}
"""By the id of the question in `questions.json`."""


def turns(code: str) -> list[str]:
    """What a model says that writes this code and then answers."""
    return [f"```repl\n{code}\n```", '```repl\nanswer["ready"] = True\n```']
