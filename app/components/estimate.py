"""How an estimate is said: `~$0.20–0.60`, `~2–4 min`, `free`, `unknown`. Pure functions from a range to words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rlm_core import wording
from rlm_core.estimates import NOTHING, Estimate, Range, total_usd
from rlm_core.task import Limits

FREE = "free"


def money(usd: Range | None) -> str:
    if usd is None:
        return wording.UNKNOWN
    if usd == NOTHING:
        return FREE
    digits = 4 if usd.high < 0.01 else 2
    low, high = (wording.money(each, digits=digits) for each in (usd.low, usd.high))
    return f"~{high}" if low == high else f"~{low}–{high.removeprefix('$')}"


def time(time_s: Range | None) -> str:
    """Whole seconds, and minutes from 100 s on: a range must not look more exact than it is."""
    if time_s is None:
        return wording.UNKNOWN
    for size, unit, until in ((1, "s", 100), (60, "min", 100 * 60), (3600, "h", math.inf)):
        if time_s.high < until:
            low, high = max(1, math.floor(time_s.low / size)), max(1, math.ceil(time_s.high / size))
            return f"~{high} {unit}" if low == high else f"~{low}–{high} {unit}"
    return wording.UNKNOWN


def total(estimates: Sequence[Estimate]) -> str:
    """What all runs together may cost; a part that is unknown is said."""
    usd, unknown = total_usd(estimates)
    if not estimates:
        return ""
    if usd is None or not unknown:
        return money(usd)
    return f"{money(usd)} + ?" if usd != NOTHING else wording.UNKNOWN


def most(limits: Limits, prices: str) -> str:
    """What stands under the total: the limit that holds in any case, and where the prices are from."""
    if limits.max_usd is None:
        return f"no limit on spending is set: give one at “Stop at $” · list prices of {prices}"
    return f"never more than {wording.money(limits.max_usd)} each, as far as prices are known · list prices of {prices}"


def basis(estimates: Sequence[Estimate], prices: str) -> str:
    """What the estimates rest on, in one sentence or two."""
    earlier = sum(each.earlier_runs for each in estimates)
    seen = f"{wording.exact(earlier, 'earlier run')} with these models" if earlier else ""
    if all(each.usd == NOTHING for each in estimates):
        return f"Nothing is charged. Time as in {seen}." if seen else ""
    if all(each.usd is None for each in estimates):
        return "Without a known price the cost is unknown." + (f" Time as in {seen}." if seen else "")
    took = f"list prices ({prices}) and what such runs took: 4 to 9 turns, and helpers read the archive about once"
    if all(each.earlier_runs for each in estimates):
        return f"Estimated from {seen}."
    return (
        f"Estimated from {seen}, else from {took}."
        if seen
        else f"Estimated from {took}. Time is unknown before the first run."
    )
