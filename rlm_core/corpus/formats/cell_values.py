"""The value of a cell as people see it: dates by their number format, per cent, leading zeros, large integers digit by digit.

Knows number formats as far as they change what a number means. Not covered: currency signs, thousands separators, rounding to
fewer decimals: those numbers are shown as they are stored.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Literal

NumberFormat = Literal["number", "date", "time", "moment", "duration", "percent"]

BUILT_IN_FORMATS = {
    **{
        9: "0%",
        10: "0.00%",
        14: "yyyy-mm-dd",
        18: "h:mm",
        19: "h:mm:ss",
        20: "h:mm",
        21: "h:mm:ss",
        22: "yyyy-mm-dd h:mm",
    },
    **dict.fromkeys((15, 16, 17, *range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((32, 33, 34, 35, 45, 47, 55, 56), "h:mm:ss"),
    46: "[h]:mm:ss",
}
"""Those that files refer to by number without writing them down, in the form that counts here."""
_NO_LETTERS = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)
_DECIMALS = re.compile(r"\.(0+)")
_ZEROS = re.compile(r"0{2,30}")
_INTEGER = re.compile(r"-?\d+")
_DAY_ZERO, _DAY_ZERO_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
_DAYS_OF_1900_WITHOUT_LEAP_DAY = 60
"""Spreadsheets believe that 1900 had a 29 February; earlier days are one off."""
_MAX_DAYS = 2_958_466


@lru_cache(maxsize=4096)
def meaning(code: str) -> NumberFormat:
    """What a number with this format is. Of several sections the first one counts."""
    bare = _NO_LETTERS.sub("", code.partition(";")[0]).casefold()
    if "[" in bare:
        return "duration"
    if "%" in bare:
        return "percent"
    if bare.startswith("general") or not re.search("[dyhs]|m", bare) or "e+" in bare:
        return "number"
    has_date, has_time = bool(re.search("[dy]", bare)), bool(re.search("[hs]", bare))
    if has_date or not has_time:
        return "moment" if has_time else "date"
    return "time"


def number_text(stored: str, code: str = "General", from_1904: bool = False) -> str:
    """A number as stored in the file, shown in a format."""
    try:
        value = float(stored)
    except ValueError:
        return stored
    kind = meaning(code)
    if kind == "percent":
        decimals = _DECIMALS.search(code)
        return f"{value * 100:.{len(decimals[1]) if decimals else 0}f}%"
    if kind != "number":
        return _moment(value, kind, from_1904) or _plain(stored, value)
    text = _plain(stored, value)
    if text.isdecimal() and _ZEROS.fullmatch(code):
        return text.zfill(len(code))
    return text


def value_text(value: object) -> str:
    """A value that a library has made of a cell."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return _plain(repr(value), value)
    if isinstance(value, datetime):
        return _iso(value)
    if isinstance(value, time):
        return value.isoformat("seconds")
    if isinstance(value, timedelta):
        return _duration(value.total_seconds())
    return value.isoformat() if isinstance(value, date) else str(value)


def _plain(stored: str, value: float) -> str:
    """Integers with all their digits and without `.0`; others with the 15 digits that spreadsheets show."""
    if _INTEGER.fullmatch(stored):
        return stored
    if value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return f"{value:.15g}".upper()


def _moment(value: float, kind: NumberFormat, from_1904: bool) -> str:
    """ "" for a number that is no day."""
    if kind == "duration":
        return _duration(value * 86_400)
    if not 0 <= value < _MAX_DAYS:
        return ""
    zero = _DAY_ZERO_1904 if from_1904 else _DAY_ZERO
    early = not from_1904 and 1 <= value < _DAYS_OF_1900_WITHOUT_LEAP_DAY
    moment = zero + timedelta(days=int(value) + early, seconds=round(value % 1 * 86_400))
    if kind == "time" or (kind == "moment" and value < 1):
        return moment.time().isoformat("seconds")
    return moment.date().isoformat() if kind == "date" else _iso(moment)


def _iso(moment: datetime) -> str:
    """A day without the midnight that programs add to it."""
    return moment.date().isoformat() if moment.time() == time() else moment.isoformat(" ", "seconds")


def _duration(seconds: float) -> str:
    if abs(seconds) > 1e12:
        return ""
    minutes, rest = divmod(round(abs(seconds)), 60)
    return f"{'-' if seconds < 0 else ''}{minutes // 60}:{minutes % 60:02}:{rest:02}"
