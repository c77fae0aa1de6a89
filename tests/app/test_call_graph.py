"""The graph of a run as plain data: what each box says and where it stands, before any browser draws it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import pyvis
from streamlit.testing.v1 import AppTest
from written_runs import FINDINGS, Writer, answered, ended, hostile, running

from app.components import call_graph, graph_table, tables
from app.places import STATIC
from rlm_core import events as ev
from rlm_core.looks.boxes import THICKEST, THIN, Face, faces, place
from rlm_core.looks.look import Look, look_at, reading_of
from rlm_core.looks.place import Place
from rlm_core.passages import Passage
from rlm_core.store.store import Store
from rlm_core.task import Message, Usage
from rlm_core.view import fold
from rlm_core.wording import DOES_NOT_APPLY


def look(home: Path, run: str, node: str | None = None, opened: dict[str, range] | None = None) -> Look:
    store = Store.open(home)
    view = fold(store.events(run, resolve=False))

    def whole(text: Passage) -> str:
        return text.head if text.sha is None else store.text(text.sha)

    found = look_at(reading_of(view, whole), Place(run, node, opened or {}))
    store.close()
    return found


def wide(home: Path, calls: int = 60, failed_calls: int = 1, cost_usd: float | None = 0.0125) -> str:
    with Writer(home, "wide-1") as life:
        life.turn(cost_usd=cost_usd)
        life.turn("I ask.", calls=calls, failed_calls=failed_calls, findings=FINDINGS, cost_usd=cost_usd)
        life.finish(answer="1 room: A12.\nAll others are dry.")
    return "wide-1"


def by_id(look: Look) -> dict[str, Face]:
    return {face.id: face for face in faces(look)}


def graph(page: AppTest) -> dict[str, Any]:
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return next(each for each in found if "edges" in each)


GROUP = "f1.t2.c1.g1"


def test_the_library_that_is_served_is_the_one_of_the_wheel():
    of_wheel = Path(pyvis.__file__).parent / "templates" / "lib" / "vis-9.1.2" / "vis-network.min.js"
    served = STATIC / "vis" / "vis-network.min.js"
    assert hashlib.sha256(served.read_bytes()).digest() == hashlib.sha256(of_wheel.read_bytes()).digest()


def test_the_address_of_our_scripts_changes_with_them():
    assert len(call_graph.VERSION) == 12
    names = {path.stem for path in call_graph.PARTS.glob("*.js")}
    loader = (STATIC / "call_graph.js").read_text(encoding="utf-8")
    assert all(f'"{name}"' in loader for name in names)


def test_the_run_is_a_pyvis_network_with_a_place_for_every_node(home: Path):
    boxes = call_graph.faces(look(home, wide(home)))
    network = call_graph.network_of(boxes, place(boxes))
    nodes, edges, *_, options = network.get_network_data()
    assert {"f1.t1", "f1.t2", "f1.t2.c1", GROUP, f"{GROUP}.more", "answer"} <= {node["id"] for node in nodes}
    assert "run" not in network.get_nodes()
    assert all(isinstance(node["x"], int) and isinstance(node["y"], int) for node in nodes)
    ways = {(edge["from"], edge["to"]): edge["way"] for edge in edges}
    assert ways["f1.t1", "f1.t2"] == "next"
    assert ways["f1.t2", "f1.t2.c1"] == ways["f1.t2.c1", GROUP] == "started"
    assert ways[GROUP, f"{GROUP}.more"] == "member"
    assert json.loads(options)["physics"] == {"enabled": False}


def test_ways_are_as_wide_as_what_they_lead_to_cost(home: Path):
    data = call_graph.data_of(look(home, wide(home)))
    width = {edge["to"]: edge["width"] for edge in data["edges"]}
    assert width[GROUP] > width["f1.t2.c1.k61"] == THIN
    assert max(width.values()) <= THICKEST
    assert [edge["dashes"] for edge in data["edges"] if edge["to"] == "f1.t2.c1.k61"] == [True]


def test_where_nothing_costs_anything_calls_count_and_time_is_said(home: Path):
    found = look(home, wide(home, failed_calls=0, cost_usd=0.0))
    assert call_graph.data_of(found)["share"] == "calls"
    boxes = by_id(found)
    assert boxes[GROUP].share == pytest.approx(60 / 62, abs=0.001)
    assert boxes["f1.t1"].figure.endswith(" s")
    assert "$" not in " ".join(boxes[GROUP].lines)


def test_a_group_says_how_many_it_holds_and_what_they_cost_together(home: Path):
    group = by_id(look(home, wide(home)))[GROUP]
    assert group.form == "group"
    assert group.title.startswith("×60")
    assert group.figure == "ok"
    assert any(line.endswith("from first start to last end") for line in group.tip)
    assert group.lines[0].startswith("$0.750 in sum · p50 ")
    assert group.lines[1].endswith("18 k in, 720 out")
    assert group.unfold == f"{GROUP}:50"
    assert not group.fold


def test_an_opened_group_can_be_folded_again_and_says_how_many_are_left(home: Path):
    boxes = by_id(look(home, wide(home), opened={GROUP: range(50)}))
    assert boxes[GROUP].fold == f"{GROUP}:0"
    assert boxes[GROUP].unfold == f"{GROUP}:100"
    assert sum(face.form == "chip" for face in boxes.values()) > 50
    assert boxes[f"{GROUP}.more"].title.endswith("more")
    assert boxes[f"{GROUP}.more"].unfold == f"{GROUP}:100"


def test_members_of_a_group_that_are_drawn_say_why(home: Path):
    run = wide(home)
    chips = [face for face in faces(look(home, run)) if face.form == "chip" and face.figure]
    assert {word for face in chips for word in face.figure.split(", ")} >= {"dearest", "slowest"}
    plain = next(
        span for span in ("f1.t2.c1.k31", "f1.t2.c1.k33", "f1.t2.c1.k35") if span not in {each.id for each in chips}
    )
    selected = by_id(look(home, run, plain))[plain]
    assert (selected.form, selected.figure) == ("chip", "")


def test_a_failed_call_says_what_went_wrong_and_that_its_cost_is_unknown(home: Path):
    failed = by_id(look(home, wide(home)))["f1.t2.c1.k61"]
    assert failed.title.endswith("failed: No reply in 60 s.")
    assert failed.lines == ("cost unknown, possibly paid",)
    assert (failed.kind, failed.tone, failed.figure) == ("failed", "failed", "")


def test_an_unknown_cost_is_no_zero(home: Path):
    boxes = by_id(look(home, wide(home, cost_usd=None)))
    assert (boxes["f1.t1"].figure, boxes["f1.t1"].unknown) == ("unknown", True)
    assert boxes[GROUP].lines[0].startswith("cost unknown")
    assert not any("$0.00" in line for face in boxes.values() for line in (face.figure, *face.lines, *face.tip))


def test_the_answer_has_its_first_words_as_title_and_says_which_quotes_stand(home: Path):
    answer = by_id(look(home, wide(home)))["answer"]
    assert answer.title == "1 room"
    assert answer.lines == ("A12.", "1 quote found word for word in the archive")
    assert answer.figure == "answered"


def test_a_run_that_has_only_begun_is_drawn_as_itself(home: Path):
    with Writer(home, "begun") as life:
        boxes = faces(look(home, "begun"))
        life.finish("cancelled", None)
    assert [face.title for face in boxes] == ["run"]


def test_what_is_under_way_says_so_and_what_was_stopped_does_not_fail(home: Path):
    life = running(home)
    under_way = by_id(look(home, "running-1"))
    assert under_way["f1.t2.c1"].figure == under_way["f1.t2.c1.k3"].figure == "running"
    assert call_graph.data_of(look(home, "running-1"))["live"] is True
    life.finish("cancelled", None, "Somebody asked for it.")
    life.recorder.close()
    stopped = by_id(look(home, "running-1"))
    assert (stopped["f1.t2.c1"].figure, stopped["f1.t2.c1"].tone) == ("stopped", "stopped")


def test_a_cell_and_a_turn_that_failed_are_marked(home: Path):
    ended(home, "failed", "No credit.")
    with Writer(home, "no-reply") as life:
        life.emit("f1.t1", "f1", ev.TurnStarted(1))
        life.emit("f1.t1.k1", "f1.t1", ev.CallStarted("root", "demo", (Message("user", "Go."),)))
        life.emit("f1.t1.k1", "f1.t1", ev.CallFinished("failed", error="The key is wrong.", error_kind="auth"))
        life.emit("f1.t1", "f1", ev.TurnFinished())
        life.finish("failed", None)
    cell = by_id(look(home, "failed-1"))["f1.t1.c1"]
    assert (cell.tone, cell.figure, cell.lines) == ("failed", "failed", ("NameError: name 'roms' is not defined",))
    turn = by_id(look(home, "no-reply"))["f1.t1"]
    assert (turn.tone, turn.figure, turn.lines) == ("failed", "failed", ("The key is wrong.",))


def test_turns_of_a_child_frame_stand_beside_it(home: Path):
    with Writer(home, "deep") as life:
        cell = life.turn(open_cell=True)
        frame = f"{cell}.f1"
        life.emit(frame, cell, ev.FrameStarted(1, "rlm", "What of the roof?", {}))
        for number in (1, 2):
            turn = f"{frame}.t{number}"
            life.emit(turn, frame, ev.TurnStarted(number))
            life.emit(f"{turn}.k1", turn, ev.CallStarted("root", "demo", (Message("user", "Go."),)))
            life.emit(f"{turn}.k1", turn, ev.CallFinished("ok", "I look.", Usage(1, 1), 0.01))
            life.emit(turn, frame, ev.TurnFinished())
        life.emit(frame, cell, ev.FrameFinished("answered", ""))
        life.finish()
    boxes = faces(look(home, "deep"))
    layout = place(boxes)
    spots = layout.spots
    assert spots[f"{frame}.t1"].x == spots[f"{frame}.t2"].x > spots[frame].x > spots[cell].x
    data = call_graph.data_of(look(home, "deep"))
    assert f"{frame}.t1>{frame}.t2" in [edge["id"] for edge in data["edges"] if edge["way"] == "next"]
    assert by_id(look(home, "deep"))[frame].lines == ("What of the roof?",)


def test_every_text_of_a_hostile_run_is_one_line_without_controls(home: Path):
    for face in faces(look(home, hostile(home))):
        for said in (face.title, face.figure, *face.lines, *face.tip):
            assert said == "".join(char for char in said if char.isprintable()), repr(said)
            assert len(said) < 250


def test_a_run_of_two_thousand_calls_is_sent_folded_and_small(home: Path):
    data = call_graph.data_of(look(home, wide(home, calls=2000, failed_calls=0)))
    assert re.fullmatch(r"[78] of 2,005 nodes, 1,99[78] in groups", data["says"])
    assert len(json.dumps(data)) < 20_000


def test_the_page_sends_the_graph_with_what_is_selected(home: Path, opened: Callable[..., AppTest]):
    page = opened("run", run=wide(home), node="f1.t2.c1.k44")
    data = graph(page)
    assert data["selected"] == "f1.t2.c1.k44"
    assert "f1.t2.c1.k44" in [node["id"] for node in data["nodes"]]
    assert data["run"] == "wide-1"


@pytest.mark.parametrize("outcome", ["failed", "cancelled", "interrupted", "forced"])
def test_every_outcome_has_a_graph(home: Path, opened: Callable[..., AppTest], outcome: Any):
    answer = "Perhaps A12." if outcome == "forced" else None
    page = opened("run", run=ended(home, outcome, "It was so.", answer=answer))
    assert "f1.t1" in [node["id"] for node in graph(page)["nodes"]]


def test_the_graph_has_a_table_and_the_way_back(home: Path, opened: Callable[..., AppTest]):
    page = opened("run", run=answered(home))
    page.session_state[call_graph.AS_TABLE] = True
    page.run()
    assert "turn 1" in page.dataframe[0].value["What"].iloc[1]
    page.button(key="graph-back").click().run()
    assert graph(page)["nodes"]


def test_the_table_sets_steps_in_and_has_their_figures(home: Path):
    found = look(home, wide(home))
    rows = {row["What"].strip(): row for row in graph_table.rows(found)}
    assert rows["turn 1"]["What"].startswith(tables.STEP)
    assert rows["turn 1"]["Cost"] in ("$0.012", "$0.013")
    assert rows["cell 1"]["Calls"] == DOES_NOT_APPLY
    assert len(rows) == len({mark.id for mark in found.tree.marks})


def test_never_more_is_drawn_than_can_be_read_whatever_is_unfolded(home: Path):
    with Writer(home, "wide-1") as life:
        groups = [f"{life.turn(calls=100, failed_calls=1)}.g1" for _ in range(20)]
        life.finish()
    assert len(faces(look(home, "wide-1", opened=dict.fromkeys(groups, range(100))))) < 400


def test_a_name_of_sixty_letters_takes_a_row_of_its_own(home: Path):
    with Writer(home, "long-names") as life:
        cell = life.turn(open_cell=True)
        for number in range(12):
            call = f"{cell}.k{number}"
            life.emit(call, cell, ev.CallStarted("sub", "demo", (Message("user", f"Item {chr(65 + number) * 60}?"),)))
            life.emit(call, cell, ev.CallFinished("ok", "no", Usage(1, 1), 0.01))
        life.finish()
    chips = [face for face in faces(look(home, "long-names", opened={f"{cell}.g0": range(50)})) if face.form == "chip"]
    assert len(chips) == 12
    assert {face.width for face in chips} == {262}
