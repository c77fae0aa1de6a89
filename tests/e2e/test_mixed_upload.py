"""From a mixed archive with bad files in it to a quote in its source, and to the document that nobody read."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from playwright.sync_api import Page, expect
from real_app import App

CANTEEN = "The canteen is closed on Friday. Bring your own lunch, please. There will be coffee all the same.\n" * 12
RECORDS = {
    **{f"letters/{number}.txt": f"Dear all, this is letter {number} of the porter.\n" for number in range(5)},
    "mail/canteen.txt": CANTEEN,  # the demo looks at every second document, and not at this one
    "reports/05.txt": "Room A12\n12 May 2021 Leak at the beam, sealed.\n3 June 2021 Dripped again after heavy rain.\n\n"
    "Room B07\n14 May 2021 Leak at the sill, sealed.\n20 June 2021 Dry, no further leak. Closed.\n",
    "reports/06.txt": "Nothing to report.\n",
}
CUT_OFF_PDF = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pa"


def archive(folder: Path) -> Path:
    """Good documents, a PDF that was cut off, and a zip whose member is encrypted."""
    inner = folder / "locked.zip"
    with zipfile.ZipFile(inner, "w") as packed:
        packed.writestr("secret.txt", "nobody reads this")
    locked = bytearray(inner.read_bytes())
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(signature) + at] |= 1  # the flag of a member that needs a password
    path = folder / "mixed.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in RECORDS.items():
            packed.writestr(name, text)
        packed.writestr("plans/cut.pdf", CUT_OFF_PDF)
        packed.writestr("old/locked.zip", bytes(locked))
    return path


def test_bad_files_are_told_with_reasons_and_what_nobody_read_is_listed(page: Page, app: App, tmp_path: Path):
    page.goto(f"{app.url}/?archive=upload&strategies=rlm-1")
    page.locator("input[type=file]").first.set_input_files(archive(tmp_path))
    expect(page.get_by_text("2 files need a look")).to_be_visible()
    expect(page.get_by_text("plans/cut.pdf").first).to_be_visible()
    expect(page.get_by_text(re.compile("damaged or cut off.*Not read"))).to_be_visible()
    expect(page.get_by_text("old/locked.zip").first).to_be_visible()
    expect(page.get_by_text(re.compile("password.*Not read")).first).to_be_visible()
    page.get_by_text("All 10 files").click()
    expect(page.get_by_text("2 of 10 need a look; they come first.")).to_be_visible()
    for ending in ("CSV", "JSON"):
        expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
        with page.expect_download() as saved:
            page.get_by_test_id("stDownloadButton").filter(has_text=f"Download as {ending}").click()
        assert "cut off" in Path(saved.value.path()).read_text(encoding="utf-8")

    page.get_by_role("textbox", name="Question").fill("In which rooms did the leak come back?")
    page.get_by_test_id("stBaseButton-primary").click()
    page.wait_for_url(re.compile(r"/run\?run=\S+"))
    expect(page.locator(".badge")).to_have_text("answered", timeout=60_000)

    page.get_by_role("radio", name="Findings").or_(page.get_by_role("button", name="Findings")).first.click()
    page.get_by_role("link", name="Open all in their sources").click()
    expect(page.locator(".reader .path")).to_have_text("reports/05.txt")
    expect(page.locator(".reader mark.quote").first).to_be_in_viewport()
    page.get_by_role("link", name="Back to the run").click()

    page.get_by_role("radio", name="Coverage").or_(page.get_by_role("button", name="Coverage")).first.click()
    expect(page.get_by_role("button", name="mail/canteen.txt whole document")).to_be_visible()
    expect(page.get_by_text(re.compile("cut.pdf.*no readable text"))).to_be_visible()
