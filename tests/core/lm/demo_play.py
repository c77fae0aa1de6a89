"""Plays the demo model against a session in this process: the real prompts, real cells, a plain namespace."""

import contextlib
import io
import re
import traceback
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from rlm_core.lm.client import Request
from rlm_core.lm.demo import DemoLM
from rlm_core.task import Message

PROMPTS = Path(__file__).parents[3] / "rlm_core" / "strategies" / "prompts"
CELL = re.compile(r"```repl\n(.*?)\n```", re.S)


class Document(str):
    path: str


class CallFailed:
    error = "no reply after 60 s"

    def __bool__(self) -> bool:
        return False


@dataclass
class Played:
    answer: str = ""
    cells: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    findings: dict[str, dict] = field(default_factory=dict)
    prompts: list[str] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)

    def labelled(self, label: str) -> list[str]:
        return sorted(item for item, finding in self.findings.items() if finding["label"] == label)


def fill(name: str, **values: str) -> str:
    """A prompt of the strategies, read as a file: these tests need no engine."""
    return Template((PROMPTS / f"{name}.md").read_text(encoding="utf-8")).substitute(values)


def archive(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name).decode() for name in file.namelist() if not name.endswith("/")}


def opening(texts: dict[str, str], question: str, depth: int) -> list[Message]:
    helpers = fill("rlm_helper_functions", concurrency="8", helper_limit="") if depth else ""
    advice = fill("rlm_helper_advice") if depth else fill("rlm_alone_advice")
    system = fill(
        "rlm_system",
        context_kind="the archive",
        helper_functions=helpers,
        helper_advice=advice,
        python_version="3.11",
        shown_chars="20,000",
        for_a_caller="",
    )
    listed = "\n".join(f"{path}  (text, {len(text):,} characters)" for path, text in texts.items())
    first = fill(
        "rlm_first",
        question=question,
        context_size=f"{len(texts)} documents.",
        document_list=listed,
        reading_advice="",
        limits="25 turns.",
    )
    return [Message("system", system), Message("user", first)]


def play(texts: dict[str, str], question: str, *, depth: int = 1, fails=lambda prompt, attempt: False) -> Played:
    """The demo's whole run over these documents. `fails` says which helper calls fail."""
    played, lm = Played(), DemoLM()
    documents = []
    for path, text in texts.items():
        documents.append(Document(text))
        documents[-1].path = path
    attempts: dict[str, int] = {}

    def one(prompt: str):
        played.prompts.append(prompt)
        attempts[prompt] = attempts.get(prompt, 0) + 1
        if fails(prompt, attempts[prompt]):
            return CallFailed()
        return lm.say(Request("demo", (Message("user", prompt),), "sub"))

    def llm_query_batched(prompts, model=None):
        played.batches.append(len(prompts))
        return [one(prompt) for prompt in prompts]

    def record(item, label, quote=None, source=None, note=None):
        assert item not in played.findings, f"{item} was recorded twice"
        played.findings[item] = {"label": label, "quote": quote, "source": source, "note": note}

    session = {
        "context": str(documents[0]) if len(documents) == 1 else documents,
        "question": question,
        "record": record,
        "answer": {"content": "", "ready": False},
    }
    if depth:
        session["llm_query_batched"] = llm_query_batched
    history = opening(texts, question, depth)
    for _ in range(8):
        reply = lm.say(Request("demo", tuple(history), "root"))
        (code,) = CELL.findall(reply)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            try:
                exec(compile(code, "cell", "exec"), session)
            except Exception:
                print(traceback.format_exc())
        played.cells.append(code)
        played.outputs.append(output.getvalue())
        if session["answer"]["ready"]:
            played.answer = session["answer"]["content"]
            return played
        history += [
            Message("assistant", reply),
            Message("user", f"Output of cell:\n{output.getvalue()}\n\nUsed: turn 1."),
        ]
    raise AssertionError("the demo gave no answer in 8 turns")
