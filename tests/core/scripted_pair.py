"""Two runs of a scripted model over the three rooms that come to one count by different items: B misses A12 and counts B07."""

from __future__ import annotations

import json
from pathlib import Path

from console import QUESTION, THREE_ROOMS, rlm_studio, script

DRIPPED, OLD = "Dripped again after heavy rain, same beam.", "Stain is old and dry, meter 8 %."
DRY, LEAK = "Dry. Closed, M. Ortiz.", "Leak over the sink, towel laid out."
PATCHED = "Membrane patched over the skylight, 2 m of felt renewed."
A = (("A12", "yes", DRIPPED), ("B07", "no", OLD), ("C02", "unknown", PATCHED))
B = (("A12", "no", DRY), ("B07", "yes", LEAK), ("C02", "unknown", PATCHED))


def made(home: Path) -> tuple[str, str]:
    """Asks twice, through the whole pipeline; the ids of the runs."""
    runs = []
    for findings in (A, B):
        (room,) = (item for item, label, _ in findings if label == "yes")
        lines = "\n".join(f"record({item!r}, {label!r}, quote={quote!r})" for item, label, quote in findings)
        end = f'answer["content"] = "1 room: {room}."\nanswer["ready"] = True'
        turns = ["```repl\nprint(context)\n```", f"```repl\n{lines}\n```", f"```repl\n{end}\n```"]
        rlm_studio(home, "ask", THREE_ROOMS, QUESTION, "--model", script(home, turns))
        runs.append(json.loads(rlm_studio(home, "runs", "--json", "--limit", 1).stdout)[0]["id"])
    return runs[0], runs[1]
