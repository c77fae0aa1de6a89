"""What was shown of an open document, as the source reader draws it: the strip at its edge, and the rule beside its lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app import backend, strips
from app.backend import Covered, OpenDocument
from app.components import coverage_strips, place_words
from app.components.seers import spans_of, title_of
from app.strips import Marks
from rlm_core.evidence.coverage import Span, length
from rlm_core.evidence.windows import Line
from rlm_core.plain import plain_line
from rlm_core.wording import exact

NAME_CHARS = 40
LAYERS = {
    "root": "shown to the root",
    "helper": "shown to a helper",
    "root unsure": "perhaps: stands elsewhere too",
    "helper unsure": "perhaps: stands elsewhere too",
    "never": "never shown to any model",
}


@dataclass(frozen=True, slots=True)
class ShownLines:
    """`mine` is what the node of `name` was shown of the document, `never` what no model was."""

    strip: dict[str, Marks] = field(default_factory=dict)
    cited: tuple[int, ...] = ()
    """Where on the strip a quote stands."""
    mine: tuple[Span, ...] = ()
    never: tuple[Span, ...] = ()
    mine_in_words: str = ""

    def of(self, line: Line) -> str:
        """`mine`, `never`, or nothing: how a line is marked. A line of nothing but space was not kept from anybody."""
        end = line.begin + max(1, line.chars)
        if any(start < end and line.begin < stop for start, stop in self.mine):
            return "mine"
        whole = any(start <= line.begin and end <= stop for start, stop in self.never)
        return "never" if whole and line.text.strip() else ""

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The marks of the strip that are there, each with what it means."""
        names = [name for name in LAYERS if self.strip.get(name)]
        unsure = [name for name in names if name.endswith("unsure")][:1]  # one shade lighter, whoever was shown it
        said = [(name, LAYERS[name]) for name in names if not name.endswith("unsure") or name in unsure]
        return [*said, *([("cited", "cited")] if self.cited else [])]


def shown_lines(run: str, archive: str, opened: OpenDocument, node: str | None) -> ShownLines | None:
    """`None` where it is not known what was shown."""
    covered = backend.covered(run, archive)
    if covered is None or not covered.looked:
        return None
    mine, said = _of_node(run, archive, covered, opened.index, node) if node else ((), "")
    strip, cited = _strip(archive, covered, opened)
    return ShownLines(strip, cited, mine, tuple(covered.coverage.gaps_of(opened.index)), said)


def _strip(archive: str, covered: Covered, opened: OpenDocument) -> tuple[dict[str, Marks], tuple[int, ...]]:
    """What was shown along the document, and where it is cited."""
    document = covered.documents[opened.index]
    few = document.lines < strips.FEW_LINES
    ruler = () if few else backend.ruler(archive, opened.index, strips.RULER)

    def placed(spans: Sequence[Span]) -> Marks:
        return strips.by_line(spans, document.chars, ruler, document.lines)

    layers = covered.layers(opened.index)
    strip = {name: placed(spans) for name, spans in coverage_strips.named(layers).items()}
    cited = placed([(start, start + 1) for start, _ in layers.cited])
    return {**strip, "never": placed(covered.coverage.gaps_of(opened.index))}, tuple(at for at, _ in cited)


def _of_node(run: str, archive: str, covered: Covered, document: int, node: str) -> tuple[tuple[Span, ...], str]:
    spans = covered.shown_to(backend.read(run, spans_of, (node,)) or ()).get(document, [])
    if not spans:
        return (), ""
    passage = backend.passage_of(archive, document, *spans[0])
    where = place_words.lines(passage.first_line, passage.last_line)
    if len(spans) > 1:
        where = f"{where} and {exact(len(spans) - 1, 'more place')}, {exact(length(spans), 'character')}"
    name = backend.read(run, title_of, node) or "it"
    return tuple(spans), f"shown to {plain_line(name, NAME_CHARS)}: {where}"
