"""What the exit code of a command means: one table for the help, the code and the tests."""

from __future__ import annotations

from rlm_core.errors import CorpusError, StudioError, TaskError
from rlm_core.task import Outcome

OF_OUTCOME: dict[Outcome, int] = {"answered": 0, "failed": 1, "forced": 3, "cancelled": 4, "interrupted": 5}
FAILED = 1
USAGE = 2
NOTHING_READ = 6
PIPE_CLOSED = 141

EXIT_CODES = (
    "Exit codes: 0 answered, or done; 1 failed; 2 not usable as given (an option, the question, a strategy, a model); "
    "3 a limit was reached, the answer is the best until then; 4 cancelled; 5 interrupted, the process of the run died; "
    "6 nothing in the archive can be read. With --json too."
)


def exit_code_of(error: StudioError) -> int:
    """The exit code of a command that ended with this error, before there was a run."""
    if isinstance(error, TaskError):
        return USAGE
    return NOTHING_READ if isinstance(error, CorpusError) else FAILED
