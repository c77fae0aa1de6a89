"""What a task may cost and how long it may take, before it starts: ranges, never promises.

Pure: figures go in, a range comes out. It knows no store and no price list. Where earlier runs of the same strategy and the
same models are given, they are believed; otherwise the cost follows from these assumptions, with their sources:

    a run of rlm has 4 to 9 turns                 runs of our prompt with capable models; the recorded sample run has 4
    the opening is about 2,300 tokens             measured: system prompt, question and a list of 28 documents
    a turn adds 1,000 to 4,000 tokens             sample run: 1,100 on average; at most `shown_chars` of output are shown
    a reply has 700 to 2,500 tokens               sample run: 700; models that think first are charged for thinking as well
    helpers read 0.1 to 1.1 times the archive     sample run: 1.05; where code narrows the archive down they read far less
                                                  (paper, appendix on cost: less than one reading of 6 to 11 M tokens)
    helpers write 3 to 10 % of what they read     sample run: 3 %, one line an item
    base writes 500 to 4,000 tokens               one answer, with or without thinking
    the same task again costs 2/3 to 3/2 as much  a guess: the paper reports a wide spread between runs

Unknown stays unknown: without a price there is no cost, and without an earlier run of the same models there is no time.
Discounts for cached prompts are left out, so long histories may cost less. Above the limits nothing is expected.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rlm_core.task import Json, Limits
from rlm_core.tokens import BYTES_PER_TOKEN

OPENING_TOKENS = 2_300
TURNS = (4, 9)
TURN_TOKENS = (1_000, 4_000)
REPLY_TOKENS = (700, 2_500)
HELPERS_READ = (0.1, 1.1)
HELPERS_WRITE = (0.03, 0.1)
BASE_REPLY_TOKENS = (500, 4_000)
SPREAD = 1.5
SIMILAR_SIZE = 4.0
"""An earlier run counts if its archive was at most so many times larger or smaller."""
WINDOW_SHARE = 0.9
"""Part of a window that a cut archive fills; the rest is for the reply."""


@dataclass(frozen=True, slots=True)
class Range:
    low: float
    high: float

    def __add__(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def at_most(self, most: float | None) -> Range:
        return self if most is None else Range(min(self.low, most), min(self.high, most))


NOTHING = Range(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Rate:
    """What a model charges, in US dollars per token; `None` is unknown."""

    input_usd: float | None
    output_usd: float | None
    window_tokens: int | None = None

    def cost(self, input_tokens: float, output_tokens: float) -> float | None:
        if self.input_usd is None or self.output_usd is None:
            return None
        return input_tokens * self.input_usd + output_tokens * self.output_usd


@dataclass(frozen=True, slots=True)
class EarlierRun:
    """A run that ended with an answer, of the strategy, options and models that are asked about."""

    corpus_tokens: int
    cost_usd: float | None
    """`None` if any part of it is unknown."""
    time_s: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """`None` is unknown. `earlier_runs`: how many runs it rests on; none: it rests on the assumptions above."""

    usd: Range | None = None
    time_s: Range | None = None
    earlier_runs: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be estimated."""

    strategy: str
    options: Json
    corpus_tokens: int
    root: Rate
    helper: Rate
    limits: Limits


def estimate(plan: Plan, earlier: Sequence[EarlierRun] = ()) -> Estimate:
    """What the plan may cost and how long it may take."""
    similar = [run for run in earlier if _is_similar(run, plan)]
    assumed = _assumed_usd(plan)
    known = [(run, run.cost_usd) for run in similar if run.cost_usd is not None]
    # A price that is unknown now stays so, whatever the model cost when it was reached by another way.
    usd = assumed if assumed is None or assumed == NOTHING or not known else _repeated(known, plan)
    time_s = _repeated([(run, run.time_s) for run in similar], plan) if similar else None
    return Estimate(
        usd.at_most(plan.limits.max_usd) if usd else None,
        time_s.at_most(plan.limits.timeout_s) if time_s else None,
        len(similar),
    )


def total_usd(estimates: Iterable[Estimate]) -> tuple[Range | None, int]:
    """The sum of what is known, `None` if nothing is, and how many are unknown."""
    found = list(estimates)
    known = [each.usd for each in found if each.usd is not None]
    return (sum(known, NOTHING) if known else None), len(found) - len(known)


def _is_similar(run: EarlierRun, plan: Plan) -> bool:
    sizes = sorted((max(1, run.corpus_tokens), max(1, plan.corpus_tokens)))
    return sizes[1] <= SIMILAR_SIZE * sizes[0]


def _repeated(runs: Sequence[tuple[EarlierRun, float]], plan: Plan) -> Range:
    """From what earlier runs took. Part of it grows with the archive and part does not: both ends are allowed for."""
    low, high = [], []
    for run, took in runs:
        ratio = max(1, plan.corpus_tokens) / max(1, run.corpus_tokens)
        low.append(took * min(1.0, ratio))
        high.append(took * max(1.0, ratio))
    return Range(min(low) / SPREAD, max(high) * SPREAD)


def _assumed_usd(plan: Plan) -> Range | None:
    match plan.strategy, plan.options.get("depth"):
        case "base", _:
            return _base(plan)
        case "rlm", 0:
            return _root(plan, shown_tokens=plan.limits.shown_chars / BYTES_PER_TOKEN)
        case "rlm", None | 1:
            root, helpers = _root(plan), _helpers(plan)
            return root + helpers if root is not None and helpers is not None else None
    free = all(rate.cost(1, 1) == 0 for rate in (plan.root, plan.helper))
    return NOTHING if free else None


def _base(plan: Plan) -> Range | None:
    tokens, window = plan.corpus_tokens, plan.root.window_tokens
    if plan.options.get("overflow") == "cut" and window is not None:
        tokens = min(tokens, int(window * WINDOW_SHARE))
    return _range([plan.root.cost(tokens, reply) for reply in BASE_REPLY_TOKENS])


def _root(plan: Plan, shown_tokens: float = 0.0) -> Range | None:
    """All turns of the root model: each is charged for all that was said before it. Without helpers it prints what it has
    to read, so that its outputs may be as long as they are shown."""
    ends = []
    grown = (TURN_TOKENS[0], max(TURN_TOKENS[1], shown_tokens + REPLY_TOKENS[0]))
    for turns, growth, reply in zip(TURNS, grown, REPLY_TOKENS, strict=True):
        turns = min(turns, plan.limits.max_turns)
        ends.append(plan.root.cost(turns * OPENING_TOKENS + growth * turns * (turns - 1) / 2, turns * reply))
    return _range(ends)


def _helpers(plan: Plan) -> Range | None:
    ends = []
    for read, written in zip(HELPERS_READ, HELPERS_WRITE, strict=True):
        tokens = plan.corpus_tokens * read
        ends.append(plan.helper.cost(tokens, tokens * written))
    return _range(ends)


def _range(ends: Sequence[float | None]) -> Range | None:
    low, high = ends
    return None if low is None or high is None else Range(low, high)
