"""What became of the files of an upload, in words: statuses, doubts, pages and sheets, encodings. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from app.backend import HARMLESS, Item
from rlm_core import wording
from rlm_core.plain import plain_line
from rlm_core.wording import exact

STATUS_WORDS = {
    "ok": "read",
    "no-text-layer": "no text layer",
    "too-large": "too large",
    "unsafe-path": "unsafe path",
    "bomb": "refused: would unpack to far more than it is",
    "timeout": "took too long",
    "unsupported": "this type is not read",
}
KIND_WORDS = {
    "text": "Text",
    "markdown": "Markdown",
    "csv": "Tables",
    "json": "JSON",
    "jsonl": "JSON lines",
    "log": "Logs",
    "html": "Web pages",
    "code": "Code",
    "config": "Configuration",
    "xml": "XML",
    "pdf": "PDF",
    "docx": "Word documents",
    "pptx": "Slides",
    "eml": "Mails",
    "mbox": "Mailboxes",
    **dict.fromkeys(("xlsx", "xlsb", "xls", "ods"), "Spreadsheets"),
}
MOST_NAMED = 8


def is_lost(item: Item) -> bool:
    return item.status not in HARMLESS or item.status == "no-text-layer"


def kind(item: Item) -> str:
    return KIND_WORDS.get(item.kind or "", item.kind or "")


def doubts(item: Item) -> str:
    """What was read, and must be known all the same; nothing where there is no doubt."""
    said = [item.warning] if item.warning else []
    if item.replaced and not item.warning:
        said.append(f"{exact(item.replaced, 'character')} could not be decoded and show as �.")
    if item.bad_lines and not item.warning:
        said.append(f"{exact(len(item.bad_lines), 'line')} could not be parsed.")
    if item.status == "ok" and item.pages_without_text and "text" not in item.warning:
        noun = "slide" if item.kind == "pptx" else "page"
        many = len(item.pages_without_text)
        of = f" of {item.pages:,}" if item.pages else ""
        said.append(f"No text on {noun}{'' if many == 1 else 's'} {ranges(item.pages_without_text)}{of}.")
    if item.status == "ok" and (hidden := hidden_sheets(item)) and "hidden" not in item.warning:
        names = ", ".join(plain_line(name, 40) for name in hidden[:MOST_NAMED])
        more = f" and {len(hidden) - MOST_NAMED:,} more" if len(hidden) > MOST_NAMED else ""
        said.append(f"Hidden {'sheet' if len(hidden) == 1 else 'sheets'}, read like the others: {names}{more}.")
    return " ".join(said)


def hidden_sheets(item: Item) -> list[str]:
    return [name for name, state in item.sheets.items() if state != "visible"]


def why(item: Item) -> str:
    if not is_lost(item):
        return item.reason or doubts(item)
    return f"{item.reason or STATUS_WORDS.get(item.status, item.status)} Not read."


def parts(item: Item) -> str:
    """`12 pages, 2 without text`, `3 sheets, 1 hidden`, `1,204 rows`; nothing where a file has no parts."""
    said = []
    if item.pages is not None:
        said.append(exact(item.pages, "slide" if item.kind == "pptx" else "page"))
        said += [f"{len(item.pages_without_text):,} without text"] if item.pages_without_text else []
    if item.sheets:
        said.append(exact(len(item.sheets), "sheet"))
        said += [f"{len(hidden):,} hidden"] if (hidden := hidden_sheets(item)) else []
    if item.rows is not None:
        said.append(exact(item.rows, "row"))
    return ", ".join(said)


def encoding(item: Item) -> str:
    """`windows-1252, 73 % sure, 12 replaced`."""
    if not item.encoding:
        return ""
    said = [plain_line(item.encoding, 40)]
    if item.encoding_confidence is not None and item.encoding_confidence < 1:
        said.append(f"{wording.share(item.encoding_confidence, 1)} sure")
    said += [f"{item.replaced:,} replaced"] if item.replaced else []
    return ", ".join(said)


def ranges(numbers: Iterable[int]) -> str:
    """`3, 5–7`; of very many the first few and how many more."""
    runs: list[list[int]] = []
    for each in sorted(numbers):
        if runs and each == runs[-1][1] + 1:
            runs[-1][1] = each
        else:
            runs.append([each, each])
    said = [f"{first:,}" if first == last else f"{first:,}–{last:,}" for first, last in runs[:MOST_NAMED]]
    rest = sum(last - first + 1 for first, last in runs[MOST_NAMED:])
    return ", ".join(said) + (f" and {rest:,} more" if rest else "")
