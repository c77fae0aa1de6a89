"""A run as text: the answer with its findings, and the whole way to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rlm_core import events as ev
from rlm_core import wording
from rlm_core.cli.narration import spelled, summary
from rlm_core.exporters.report import without_code
from rlm_core.plain import plain, plain_line
from rlm_core.task import PROVEN, Finding, earlier_labels
from rlm_core.view import Node, RunView, own_totals
from rlm_core.wording import EXACT_MEANS, batch, exact, goes_on, m_of_n, money, outcome, place, seconds, verdict

SHOWN_FINDINGS = 20
SHOWN_CHARS = 4_000
"""Of a code's output or a model's reply, as far as it is printed here."""
QUOTE_CHARS = 160
LAST_LABELS = ("unknown", "no")
"""What most items of an archive come to, and what few readers ask for: told after all other labels, in this order."""
CODE_TYPES = frozenset({"function", "type", "module", "builtin_function_or_method", "ABCMeta", "EnumType"})
"""Variables of these types are code, which is printed anyway."""


def answer_in_words(view: RunView, rest: str | None = None) -> str:
    """The answer, then its findings with their quotes; of many the first, but every one whose quote is in doubt.

    `rest` says where the others are; without it, the command that shows them.
    """
    parts = [plain(view.answer.text)] if view.answer else []
    findings = sorted(view.findings(), key=lambda each: _rank(each[1]))
    if findings:
        more = [each for each in findings[SHOWN_FINDINGS:] if not each[2] or each[2].verdict not in PROVEN]
        chosen = findings[:SHOWN_FINDINGS] + more
        counted = Counter(verdict(checked.verdict if checked else None) for _, _, checked in findings)
        verdicts = ", ".join(f"{number:,} {said}" for said, number in counted.most_common())
        earlier = earlier_labels(finding for _, finding, _ in view.findings(corrected=True))
        verdicts += f"; {exact(len(earlier), 'item')} recorded with several labels" if earlier else ""
        head = f"Findings, {m_of_n(len(chosen), len(findings))}" if len(chosen) < len(findings) else "Findings"
        parts += ["", f"{head} (quotes: {verdicts}):"]
        parts += [finding_in_words(finding, checked, earlier.get(finding.item, ())) for _, finding, checked in chosen]
        parts += [f"({EXACT_MEANS})"] if any(checked and checked.verdict == "exact" for _, _, checked in chosen) else []
        parts += [rest or f"All of them: rlm-studio show {view.run}"] if len(chosen) < len(findings) else []
    return "\n".join(parts)


def _rank(finding: Finding) -> int:
    """0 for a label that says something was found, then `unknown`, then `no`."""
    label = finding.label.strip().lower()
    return LAST_LABELS.index(label) + 1 if label in LAST_LABELS else 0


def finding_in_words(finding: Finding, checked: ev.QuoteChecked | None, earlier: Sequence[str] = ()) -> str:
    """`A12: yes. "Dripped again." (book.txt line 9, exact)`; of one in doubt also why: `[no proven quote]`."""
    quote = f' "{plain_line(finding.quote, QUOTE_CHARS)}"' if finding.quote else ""
    where = place(checked.document, checked.line) if checked and checked.document else finding.source
    became = verdict(checked.verdict if checked else None)
    note = f" {plain_line(finding.note, QUOTE_CHARS)}" if finding.note else ""
    located = f"{plain_line(where)}, {became}" if where else became
    doubts = wording.doubts(checked.verdict, earlier) if checked else wording.doubts("exact", earlier)
    mark = f" [{plain_line('; '.join(doubts))}]" if doubts else ""
    return f"- {plain_line(finding.item)}: {plain_line(finding.label)}.{quote} ({located}){note}{mark}"


def steps_in_words(view: RunView, archive: str | None = None, *, recorded: bool = False) -> str:
    """The whole run as text: its task, every turn with its code and outputs, its calls, and how it ended.

    `archive` is the name of what was asked, where it is known. A `recorded` run came with the program.
    """
    lines = _head(view, archive, " (recorded)" if recorded else "")
    for node, depth in view.walk():
        said = _step(view, node)
        if said:
            indent = "  " * max(0, depth - 2)
            lines += ["", *(f"{indent}{line}".rstrip() for line in said)]
    return "\n".join([*lines, "", *_end(view)])


def _head(view: RunView, archive: str | None, mark: str) -> list[str]:
    task = view.task
    if task is None:
        return [f"Run {view.run}"]
    options = "".join(f", {name} {value}" for name, value in task.options.items())
    models = (
        task.root_model if task.root_model == task.helper_model else f"{task.root_model}, helpers {task.helper_model}"
    )
    asked = f"{archive} ({task.corpus})" if archive else task.corpus or "an archive that was not recorded"
    return [
        f"Run {view.run}: {outcome(view.outcome)}{mark}",
        f"Question: {plain(task.question)}",
        plain_line(f"Asked of {asked} with {task.strategy}{options}; model {models}"),
        *_origin(view),
    ]


def _origin(view: RunView) -> list[str]:
    origin = view.started.origin if view.started else None
    if origin is None:
        return []
    told = origin.fork.instruction if origin.fork else None
    return [
        f"Goes on from {plain_line(origin.run)} {goes_on(origin)}",
        *([f"Instruction: {plain(told)}"] if told else []),
    ]


def _end(view: RunView) -> list[str]:
    ended = [plain(view.finished.reason)] if view.finished and view.finished.reason else []
    answer = [answer_in_words(view, "The other findings stand above.")] if view.answer else []
    return [f"{outcome(view.outcome)} · {summary(view)}", *ended, *answer]


def _step(view: RunView, node: Node) -> list[str]:
    body, title = node.started, f"{spelled(node.id)}: {node.status}"
    notes = [f"note, {each.topic}: {plain_line(each.text)}" for each in node.remarks if isinstance(each, ev.Noted)]
    limits = [
        f"limit {each.limit} = {each.allowed:g} reached" for each in node.remarks if isinstance(each, ev.LimitReached)
    ]
    notes += [_remark(each) for each in node.remarks if isinstance(each, ev.ApprovalAsked | ev.ApprovalGiven)]
    for each in node.remarks:
        if isinstance(each, ev.ReplayDiverged):
            notes += [
                "not as in the run before:",
                *_indented(f"before  {each.expected}"),
                *_indented(f"now     {each.got}"),
            ]
    match body:
        case ev.FrameStarted():
            said = [f"{spelled(node.id)} ({body.strategy}): {node.status}"] if node.parent != ev.RUN_SPAN else []
        case ev.TurnStarted():
            refused = node.finished.refused if isinstance(node.finished, ev.TurnFinished) else None
            said = [f"== {title} · {_cost(view, node)}", *([f"answer sent back: {plain(refused)}"] if refused else [])]
        case ev.CallStarted():
            said = _call(node, body, title)
        case ev.CellStarted():
            said = _cell(view, node, body, title)
        case ev.FindingRecorded():
            said = [f"finding {finding_in_words(body.finding, view.verdicts.get(node.id))}"]
        case ev.Searched():
            said = [f"search {plain_line(body.query)!r}: {exact(len(body.hits), 'hit')}"]
        case _:
            said = []
    return [*said, *notes, *limits]


def _remark(body: ev.ApprovalAsked | ev.ApprovalGiven) -> str:
    if isinstance(body, ev.ApprovalGiven):
        return f"a person has {'approved' if body.granted else 'refused'} it"
    return f"a person was asked about {batch(body.calls, body.estimated_usd)}"


def _from_before(done: ev.CallFinished | None) -> str:
    if done is None or done.replayed is None:
        return ""
    if done.replayed.edited:
        return " · written by a person"
    return f" · replayed from {plain_line(done.replayed.run)}"


def _call(node: Node, body: ev.CallStarted, title: str) -> list[str]:
    done = node.finished if isinstance(node.finished, ev.CallFinished) else None
    if body.role == "root":
        said = without_code(done.text or done.error or "") if done else ""
        return [f"{title} · {plain_line(body.model)}{_from_before(done)} says:", *_indented(said)]
    prompt = plain_line(body.messages[-1].text if body.messages else "", 100)
    reply = plain_line((done.text or done.error or "") if done else "no reply yet", 100)
    return [f"{title} · {plain_line(body.model)}{_from_before(done)} · {_own_cost(node)} · {prompt} -> {reply}"]


def _cell(view: RunView, node: Node, body: ev.CellStarted, title: str) -> list[str]:
    lines = [f"{title} · {_cost(view, node)}", *(f"  > {line}" for line in plain(body.code).strip("\n").split("\n"))]
    if isinstance(node.finished, ev.CellFinished):
        done = node.finished
        missing = f"\n[{exact(done.output_chars, 'character')} in all]" if done.output_chars > len(done.output) else ""
        lines += _indented(f"{done.output}{missing}") + _indented(done.error or "")
        data = [each for each in done.variables if each["type"] not in CODE_TYPES]
        lines += ["  " + plain_line(f"{each['change']}: {each['name']} ({each['type']})") for each in data]
    return lines


def _indented(text: str) -> list[str]:
    """The text's lines; of a long text the first part and how much is missing."""
    if not text.strip():
        return []
    cut = len(text) - SHOWN_CHARS
    more = [f"  [{exact(cut, 'more character')}; --json has all]"] if cut > 0 else []
    return [f"  {line}" for line in plain(text[:SHOWN_CHARS]).strip("\n").split("\n")] + more


def _cost(view: RunView, node: Node) -> str:
    totals = view.totals(node.id)
    elapsed = "" if node.finished_at is None else f" · {seconds(node.elapsed_s())}"
    return f"{exact(totals.calls, 'call')} · {_said(totals.cost_usd, totals.calls_without_cost)}{elapsed}"


def _own_cost(node: Node) -> str:
    own = own_totals(node)
    return _said(own.cost_usd, own.calls_without_cost)


def _said(usd: float | None, unknown_calls: int) -> str:
    said = money(usd, unknown_calls)
    return f"cost {said}" if said == "unknown" else said
