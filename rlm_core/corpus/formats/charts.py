"""The text of charts and diagrams in DrawingML: of a chart its titles, and a table of the numbers that it was drawn from.

Not covered: charts of the kinds that came after 2013 (sunburst, waterfall, ...), which keep their numbers elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlm_core.corpus.formats.package import Element, Package, Relation, local
from rlm_core.corpus.formats.story import text_in

_MAX_POINTS = 100_000


@dataclass(frozen=True, slots=True)
class _Series:
    name: str
    categories: dict[int, str]
    values: dict[int, str]


def graphic_text(package: Package, relation: Relation | None) -> str:
    """The text of a chart or diagram."""
    roots = package.side(relation.target) if relation and relation.target in package else iter(())
    return "\n".join(chart_text(root) if local(root.tag) == "chartSpace" else text_in(root) for root in roots)


def chart_text(root: Element) -> str:
    """Titles a line each; then a row of the series' names, and a row for each category."""
    titles = [text_in(each) for each in root.iter() if local(each.tag) == "title"]
    series = [_series(each) for each in root.iter() if local(each.tag) == "ser"]
    categories: dict[int, str] = {}
    for at, category in (named for each in series for named in each.categories.items()):
        categories.setdefault(at, category)
    for at in (position for each in series for position in each.values):
        categories.setdefault(at, "")
    rows = ["\t".join(["", *(each.name for each in series)])] if any(each.name for each in series) else []
    for at in sorted(categories)[: _MAX_POINTS // max(len(series), 1)]:
        rows.append("\t".join([categories[at], *(each.values.get(at, "") for each in series)]))
    return "\n".join([title for title in titles if title] + rows)


def _series(element: Element) -> _Series:
    found: dict[str, dict[int, str]] = {}
    for part in element:
        name = local(part.tag)
        if name in ("tx", "cat", "val", "xVal", "yVal"):
            found[name] = _points(part)
    name = " ".join(found.get("tx", {}).values())
    return _Series(name, found.get("cat") or found.get("xVal", {}), found.get("val") or found.get("yVal", {}))


def _points(part: Element) -> dict[int, str]:
    """Position -> text of the values kept with the chart. Of several levels of categories the last one written stands."""
    points: dict[int, str] = {}
    for point in part.iter():
        if local(point.tag) == "pt" and (position := point.get("idx") or "").isdecimal():
            points[int(position[:9])] = _shown(point)
    if not points and (text := _shown(part)):
        return {0: text}
    return points


def _shown(element: Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())
