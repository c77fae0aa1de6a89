"""What becomes of a reply, the same for every strategy that runs code: its cells are run, its answer is taken; and when the
run may not go on, the best answer that can still be had.

Knows the frame and what a reply asks for; refuses to know prompts beyond the last one, and whether an answer is good enough.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from rlm_core.errors import CallError, LimitHit
from rlm_core.frame import Frame, Ran
from rlm_core.strategies.finals import ROUND_A_NAME
from rlm_core.strategies.reply import Move, read_reply, without_thoughts
from rlm_core.task import Answer, Message, standing_labels


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a reply: the cells that ran, how many were left out after a failure, and the answer, if one was given."""

    ran: list[Ran]
    skipped: int = 0
    answer: Answer | None = None


def play(frame: Frame, move: Move, *, how: str = "FINAL") -> Played:
    """Run the cells of a reply in order, up to the first that fails. A cell that fails gives no answer: nobody has seen why.
    `how` is how an answer in words counts as given."""
    for repair in move.repairs:
        if repair != ROUND_A_NAME:
            frame.repaired(repair)
    cells = [*move.cells, *([move.closing] if move.closing else [])]
    ran: list[Ran] = []
    answer = Answer(move.final, how) if move.final is not None else None
    for code in cells:
        ran.append(frame.execute(code))
        result = ran[-1].result
        if result.status != "ok":
            return Played(ran, len(cells) - len(ran))
        if result.answer is not None:
            answer = Answer(result.answer["text"], result.answer["how"])
            if code == move.final_code and answer.how == "FINAL_VAR":
                frame.repaired(ROUND_A_NAME)  # else it was a word
    return Played(ran, 0, answer)


def is_last_turn(frame: Frame) -> bool:
    """Whether the model cannot be asked again, as far as turns and calls tell."""
    return frame.turns >= frame.limits.max_turns or frame.spent.calls >= frame.limits.max_calls


def best_answer(
    frame: Frame,
    history: list[Message],
    limit: LimitHit | CallError,
    last_prompt: str,
    held: Answer | None = None,
    *,
    answer_lines: bool = False,
) -> Answer:
    """The answer of a run that may not go on: the model's own if it may be asked once more, else the one that it was sent
    back with (`held`), else what was recorded."""
    reason = str(limit)
    if isinstance(limit, LimitHit) and limit.limit == "max_turns":
        last = Message("user", f"{history[-1].text}\n\n{last_prompt}")
        try:
            reply = frame.ask([*history[:-1], last])
            return Answer(last_words(frame, reply.text, answer_lines=answer_lines), "forced", reason)
        except (LimitHit, CallError) as error:
            reason = f"{reason} The model's last word could not be had: {error}"
    if held and held.text.strip():
        return Answer(held.text, "forced", reason)
    labels = Counter(standing_labels(finding for finding, _ in frame.findings).values())
    recorded = ", ".join(f"{count} {label}" for label, count in labels.most_common()) or "none"
    return Answer(f"No answer was reached. {reason} Findings recorded until then: {recorded}.", "forced", reason)


def last_words(frame: Frame, text: str, *, answer_lines: bool = False) -> str:
    """What a reply says that is taken for the answer, whatever it holds: the answer that it gives in words, the value of the
    variable that it names, else all of it but the thoughts."""
    move = read_reply(text, answer_lines=answer_lines)
    if move.closing and not move.cells:
        result = frame.execute(move.closing).result
        if result.answer is not None and result.answer["text"].strip():
            return str(result.answer["text"])
    return move.final or without_thoughts(text) or text.strip()
