"""The names that a cell finds: helpers to call, findings to record, and the ways to give an answer.

Runs in the child. Knows how arguments are checked and put into requests, and what advice a wrong call gets; refuses to
know what the host does with them. Names and argument order are those of the published RLM prompts.
"""

from __future__ import annotations

from rlm_core.sandbox.context import Context, Use
from rlm_core.sandbox.document import Document
from rlm_core.sandbox.hits import Hits, hits
from rlm_core.sandbox.preview import preview, size
from rlm_core.sandbox.values import as_text, encode

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Ask = Callable[[str, dict[str, Any]], Any]

OFFERS = {
    "llm_query": ("llm_query", "llm_query_batched"),
    "rlm_query": ("rlm_query", "rlm_query_batched"),
    "search": ("search",),
    "record": ("record",),
    "budget": ("budget",),
}
"""What the host may offer, and the names that each offer puts into the namespace."""
ALWAYS = ("SHOW_VARS", "FINAL", "FINAL_VAR", "SUBMIT")
_NO_VALUE = object()


class CallFailed:
    """A call that brought no reply. False in a condition; `error` says why. Deliberately no `str`."""

    def __init__(self, error: str) -> None:
        self.error = error

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<call failed: {self.error}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(
            f"this call failed ({self.error}), so there is no reply and no .{name}. A failed call is false: "
            "check `if reply:` before using it; reply.error says why it failed"
        )


class Answers:
    """The answer that a cell has given, in whichever of the accepted ways."""

    def __init__(self, variables: Mapping[str, Any], reserved: frozenset[str]) -> None:
        self._variables = variables
        self._reserved = reserved
        self.box: dict[str, Any] = {"content": "", "ready": False}
        """What the cell knows as `answer`."""
        self.given: dict[str, Any] | None = None

    def final(self, value: Any = _NO_VALUE) -> None:
        """Give `value` as the final answer."""
        if value is _NO_VALUE:
            raise TypeError("FINAL takes the answer: FINAL('the answer') or FINAL(variable)")
        self._give(value, "FINAL")

    def final_var(self, name: Any = _NO_VALUE) -> None:
        """Give the value of the variable `name` as the final answer."""
        if name is _NO_VALUE:
            raise TypeError("FINAL_VAR takes the name of a variable: FINAL_VAR('result')")
        self._give(self._named(name), "FINAL_VAR")

    def submit(self, *values: Any, **fields: Any) -> None:
        """Give the final answer, as SUBMIT(value) or SUBMIT(answer=value)."""
        if len(values) + len(fields) == 0:
            raise TypeError("SUBMIT takes the answer: SUBMIT('the answer') or SUBMIT(answer=variable)")
        if values and fields:
            raise TypeError("SUBMIT takes either one value or named fields, not both")
        if fields:
            self._give(next(iter(fields.values())) if len(fields) == 1 else fields, "SUBMIT")
        else:
            self._give(values[0] if len(values) == 1 else list(values), "SUBMIT")

    def collect(self) -> dict[str, Any] | None:
        """The answer given since the last time, if any."""
        holder = self._variables.get("answer")
        for box in (holder, self.box):
            if self.given is None and isinstance(box, dict) and box.get("ready"):
                self._give(box.get("content", ""), "answer")
        self.box["ready"] = False
        given, self.given = self.given, None
        return given

    def _give(self, value: Any, how: str) -> None:
        if isinstance(value, CallFailed):
            raise TypeError(f"a failed call is no answer ({value.error}). Check `if reply:` before answering with it")
        self.box["content"] = value  # so that an answer which is sent back need only be made ready again
        self.given = {"value": encode(value), "text": as_text(value), "how": how}

    def _named(self, name: Any) -> Any:
        if not isinstance(name, str):
            return name
        key = name.strip().strip("'\"")
        if key in self._variables:
            return self._variables[key]
        if not key.isidentifier() or any(each is name for each in self._variables.values()):
            return name
        raise NameError(
            f"there is no variable {key!r}. Assign it first, or give a text with FINAL(...). "
            f"Your variables: {', '.join(user_names(self._variables, self._reserved)) or 'none yet'}"
        )

    def show(self) -> Table:
        """The variables made so far, as a table."""
        return Table(variable_table(self._variables, self._reserved))


class Table(str):
    """A text that a REPL shows as it is."""

    __slots__ = ()
    __repr__ = str.__str__


def function_names(offered: frozenset[str]) -> tuple[str, ...]:
    """The functions of a namespace with these offers, in the order in which they are advised."""
    return tuple(name for offer in OFFERS if offer in offered for name in OFFERS[offer]) + ALWAYS


def functions(offered: frozenset[str], ask: Ask, answers: Answers, use: Use) -> dict[str, Any]:
    """Everything callable that the namespace holds, by name."""
    everything = {
        **_helpers(ask, use),
        **_services(ask, use),
        "SHOW_VARS": answers.show,
        "FINAL": answers.final,
        "FINAL_VAR": answers.final_var,
        "SUBMIT": answers.submit,
    }
    return {name: everything[name] for name in function_names(offered)}


def _helpers(ask: Ask, use: Use) -> dict[str, Any]:
    def llm_query(prompt: str, model: str | None = None) -> Any:
        """Ask the helper model; returns its reply as a str, or a CallFailed."""
        return _calls(ask, "llm_query", [_prompt(prompt, "llm_query")], model)[0]

    def llm_query_batched(prompts: list[str], model: str | None = None) -> list[Any]:
        """Ask the helper model many things at once; returns the replies in the order of the prompts."""
        checked = [_prompt(each, "llm_query_batched") for each in _batch(prompts, "llm_query_batched")]
        return _calls(ask, "llm_query", checked, model)

    def rlm_query(prompt: str, context: Any = None, model: str | None = None) -> Any:
        """Ask a helper that can run code over `context`; returns its answer as a str, or a CallFailed."""
        request = {"prompt": _prompt(prompt, "rlm_query"), "context": _context(context, use.context)}
        return _calls(ask, "rlm_query", [request], model)[0]

    def rlm_query_batched(prompts: list[str], contexts: list[Any] | None = None, model: str | None = None) -> list[Any]:
        """Ask many such helpers at once, each with the context in the same place."""
        checked = [_prompt(each, "rlm_query_batched") for each in _batch(prompts, "rlm_query_batched")]
        given = [None] * len(checked) if contexts is None else list(contexts)
        if len(given) != len(checked):
            raise ValueError(
                f"rlm_query_batched got {len(checked)} prompts and {len(given)} contexts; one is needed for each"
            )
        requests = [
            {"prompt": prompt, "context": _context(each, use.context)}
            for prompt, each in zip(checked, given, strict=True)
        ]
        return _calls(ask, "rlm_query", requests, model)

    return {each.__name__: each for each in (llm_query, llm_query_batched, rlm_query, rlm_query_batched)}


def _services(ask: Ask, use: Use) -> dict[str, Any]:
    def search(query: str, k: int = 5) -> Hits:
        """The `k` best passages of the context for `query`: dicts with path, start, end, text, score."""
        use.touched = True
        if not isinstance(query, str):
            raise TypeError(f"search takes a text to look for, not {type(query).__name__}")
        return hits(ask("search", {"query": str.__str__(query), "k": int(k)}))

    def record(item: Any, label: Any, quote: Any = None, source: Any = None, note: Any = None) -> None:
        """Record one finding: what was decided of `item`, the words that decide it, and where they stand."""
        finding = {"item": item, "label": label, "quote": quote, "note": note}
        if any(isinstance(each, CallFailed) for each in finding.values()):
            raise TypeError("record got a CallFailed: that call brought no reply. Check `if reply:` first")
        request = {name: None if each is None else str(each) for name, each in finding.items()}
        origin = source.path if isinstance(source, Document) else source
        request["source"] = None if origin is None else str(origin)
        ask("record", request)

    def budget() -> dict[str, Any]:
        """What is used and what is left of the run's limits."""
        left: dict[str, Any] = ask("budget", {})
        return left

    return {each.__name__: each for each in (search, record, budget)}


def _calls(ask: Ask, service: str, prompts: list[Any], model: Any) -> list[Any]:
    if model is not None and not isinstance(model, str):
        raise TypeError(f"{service}: model is the name of a model or None, not {type(model).__name__}")
    if not prompts:
        return []
    replies = ask(service, {"prompts": prompts, "model": model})
    return [reply["text"] if "text" in reply else CallFailed(str(reply.get("error"))) for reply in replies]


def _prompt(prompt: Any, function: str) -> str:
    if isinstance(prompt, str):
        return str.__str__(prompt)
    one = "a prompt" if function.endswith("_batched") else "the prompt"
    if isinstance(prompt, CallFailed):
        raise TypeError(f"{function}: {one} is a CallFailed ({prompt.error}). Check `if reply:` before using a reply")
    if isinstance(prompt, Context):
        raise TypeError(f"{function}: {one} is the context, a list of documents. Put one document's text into it")
    advice = " For many prompts at once use " + function + "_batched." if isinstance(prompt, list | tuple) else ""
    raise TypeError(f"{function}: {one} must be a str, not {type(prompt).__name__}.{advice}")


def _batch(prompts: Any, function: str) -> list[Any]:
    single = function.removesuffix("_batched")
    if isinstance(prompts, str):
        raise TypeError(
            f"{function} takes a list of prompts, not one str. Use {single}(prompt) or {function}([prompt])"
        )
    try:
        return list(prompts)
    except TypeError:
        raise TypeError(f"{function} takes a list of prompts, not {type(prompts).__name__}") from None


def _context(context: Any, whole: Any) -> Any:
    """What is handed over to a child. The session's own context, `whole`, is only named: the host has it."""
    if context is whole or (isinstance(context, Context) and context.is_whole):
        return {"$type": "context"}
    if isinstance(context, Document):
        document = {"$type": "document", "path": context.path, "kind": context.kind, "value": str.__str__(context)}
        return document | ({"units": context.units} if context.units else {})
    if isinstance(context, Context) or type(context) in (list, tuple):
        return [_context(each, whole) if isinstance(each, Document) else encode(each) for each in context]
    return encode(context)


def user_names(variables: Mapping[str, Any], reserved: frozenset[str]) -> list[str]:
    """The names that cells have made, in order: no reserved names, no modules, nothing that starts with `_`."""
    return [
        name
        for name, value in list(variables.items())
        if not name.startswith("_") and name not in reserved and type(value).__name__ != "module"
    ]


def variable_table(variables: Mapping[str, Any], reserved: frozenset[str]) -> str:
    """A table of the user's variables: name, type, size, the beginning of the value."""
    rows = []
    for name in user_names(variables, reserved):
        value = variables[name]
        items = size(value)
        rows.append((name, type(value).__name__, "" if items is None else f"{items:,}", preview(value, 60)))
    if not rows:
        return "no variables yet"
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join("  ".join([*map(str.ljust, row[:3], widths), row[3]]) for row in rows)
