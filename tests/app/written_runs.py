"""Runs written event by event into a data folder, one for each state a run can be in, for tests of the pages."""

from __future__ import annotations

import time
from pathlib import Path

from rlm_core import events as ev
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Answer, Finding, Limits, Message, Outcome, Task, Usage

HOSTILE = (
    "<script>alert(1)</script> ![x](http://evil.example/x.png) **bold** $x$ :red[a] :material/home: [a](http://b) "
    "\x1b[31mred\x1b[0m \u202eabc \x00"
)
SLOWEST = 2
"""Which call of a cell takes longest: else it would be another one each time."""
QUESTION = "In which rooms did the leak come back?"
CODE = 'rooms = ["A12", "B07"]\nfor room in rooms:\n    print(room)\n'
OUTPUT = "A12\nB07\n"
TASK = Task(QUESTION, "no-corpus", "rlm", {"depth": 1}, "demo", "demo")


class Writer:
    """Writes one run: `with Writer(home, "r1") as run: run.turn(...)`, then `run.finish(...)`, or not."""

    def __init__(self, home: Path, run: str, task: Task = TASK) -> None:
        Store.open(home).close()
        self.recorder = Recorder.open(home, run)
        self.emit = self.recorder.emit
        self.turns = 0
        self.emit(ev.RUN_SPAN, None, ev.RunStarted(task))
        context = {"kind": "documents", "chars": 1200, "documents": 3}
        self.emit("f1", ev.RUN_SPAN, ev.FrameStarted(0, task.strategy, task.question, context))

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self.recorder.close()

    def turn(
        self,
        words: str = "I look at the rooms.",
        code: str = CODE,
        output: str = OUTPUT,
        error: str | None = None,
        calls: int = 0,
        failed_calls: int = 0,
        findings: tuple[tuple[Finding, ev.QuoteChecked | None], ...] = (),
        cost_usd: float | None = 0.0125,
        open_cell: bool = False,
        variables: tuple[dict[str, object], ...] = (),
        hostile: str = "",
    ) -> str:
        """A turn with one cell. Returns the span of the cell."""
        self.turns += 1
        turn = f"f1.t{self.turns}"
        call, cell = f"{turn}.k1", f"{turn}.c1"
        self.emit(turn, "f1", ev.TurnStarted(self.turns))
        self.emit(call, turn, ev.CallStarted("root", "demo", (Message("user", f"{hostile}Look at the archive."),)))
        reply = f"{words}\n\n```repl\n{code}\n```"
        self.emit(
            call, turn, ev.CallFinished("ok", reply, Usage(1500, 200), cost_usd, "free" if cost_usd == 0 else "list")
        )
        self.emit(cell, turn, ev.CellStarted(code))
        for number in range(1, calls + failed_calls + 1):
            self._sub_call(cell, number, number > calls, cost_usd, hostile)
        for number, (finding, verdict) in enumerate(findings, 1):
            self.emit(f"{cell}.r{number}", cell, ev.FindingRecorded(finding))
            if verdict:
                self.emit(f"{cell}.r{number}", cell, verdict)
        if not open_cell:
            status: ev.Status = "failed" if error else "ok"
            self.emit(cell, turn, ev.CellFinished(status, output, len(output), error, variables))
            self.emit(turn, "f1", ev.TurnFinished())
        return cell

    def _sub_call(self, cell: str, number: int, fails: bool, cost_usd: float | None, hostile: str) -> None:
        span = f"{cell}.k{number}"
        self.emit(
            span, cell, ev.CallStarted("sub", "demo", (Message("user", f"{hostile}Was room {number} wet again?"),))
        )
        if number == SLOWEST:
            time.sleep(0.05)
        if fails:
            body = ev.CallFinished("failed", error=f"{hostile}No reply in 60 s.", error_kind="timeout", maybe_paid=True)
        else:
            body = ev.CallFinished(
                "ok", f"{hostile}Room {number}: no.", Usage(300, 12), cost_usd, "free" if cost_usd == 0 else "list"
            )
        self.emit(span, cell, body)

    def finish(self, outcome: Outcome = "answered", answer: str | None = "1 room: A12.", reason: str = "") -> None:
        self.emit("f1", ev.RUN_SPAN, ev.FrameFinished(outcome, reason))
        self.emit(ev.RUN_SPAN, None, ev.RunFinished(outcome, Answer(answer) if answer is not None else None, reason))


FINDINGS = (
    (
        Finding("A12", "yes", "Dripped again after heavy rain, same beam.", "reports/05.txt:131"),
        ev.QuoteChecked("exact", "reports/05.txt", 100, 142, 131),
    ),
    (Finding("B07", "no", "Stain is old and dry.", "reports/02.txt"), ev.QuoteChecked("not found")),
    (Finding("C02", "unknown"), ev.QuoteChecked("no quote")),
)


def answered(home: Path, run: str = "answered-1", task: Task = TASK) -> str:
    """Two turns, a batch of calls of which one failed with unknown cost, three findings, an answer."""
    with Writer(home, run, task) as life:
        variable = {"name": "rooms", "type": "list", "size": "2", "preview": "['A12', 'B07']", "change": "new"}
        life.turn(variables=(variable,))
        life.turn("I ask a helper about every room.", calls=9, failed_calls=1, findings=FINDINGS)
        life.finish()
    return run


def running(home: Path, run: str = "running-1") -> Writer:
    """A run in the middle of its second cell. The caller keeps the writer open: closing it would let the run be closed."""
    life = Writer(home, run)
    life.turn()
    life.turn("I ask.", calls=2, open_cell=True)
    life.emit("f1.t2.c1.k3", "f1.t2.c1", ev.CallStarted("sub", "demo", (Message("user", "And this room?"),)))
    return life


def ended(home: Path, outcome: Outcome, reason: str, run: str | None = None, answer: str | None = None) -> str:
    """A run that ended badly after one cell, which failed."""
    name = run or f"{outcome}-1"
    with Writer(home, name, Task(QUESTION, "no-corpus", limits=Limits(max_turns=1))) as life:
        life.turn(error="Traceback (most recent call last):\n  line 2\nNameError: name 'roms' is not defined")
        if outcome == "forced":
            life.emit("f1", ev.RUN_SPAN, ev.LimitReached("max_turns", 1, 1))
        life.finish(outcome, answer, reason)
    return name


def hostile(home: Path, run: str = "hostile-1") -> str:
    """A run in which every text that a model, a document or a person can write tries to do something."""
    task = Task(HOSTILE, "no-corpus", root_model="**evil** <b>", helper_model="![x](http://evil.example/y.png)")
    finding = Finding(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    variable = {"name": HOSTILE, "type": HOSTILE, "size": "1", "preview": HOSTILE, "change": HOSTILE}
    with Writer(home, run, task) as life:
        life.turn(
            HOSTILE,
            f"print('{HOSTILE}')",
            f"{HOSTILE}\n{'x' * 1_000_000}",
            error=HOSTILE,
            calls=1,
            failed_calls=1,
            findings=((finding, ev.QuoteChecked("exact", HOSTILE, 0, 1, 1)),),
            variables=(variable,),
            hostile=HOSTILE,
        )
        life.emit("f1", ev.RUN_SPAN, ev.Noted(HOSTILE, HOSTILE))
        life.finish("answered", f"{HOSTILE}\n{'y' * 1_000_000}", HOSTILE)
    return run
