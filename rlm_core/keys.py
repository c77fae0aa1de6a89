"""Keys of model providers: in which variables they are looked for, and the file that keeps those that are not there.

The environment comes first. What it does not have may be kept in `keys.json` of the data folder, readable by its owner alone
(mode 0600), and is lent to the processes that speak to models and to nobody else. Covered: other users of this machine, the
store, logs, exports, code cells. Not covered: whoever may read this user's files, or may use the app in this user's name.
It refuses to know models and prices, and never says a value: errors and `repr` name variables only.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path

from rlm_core.errors import StoreError
from rlm_core.private_file import ONLY_OWNER, replace_file, writing_in

FILE = "keys.json"
MAX_BYTES = 64 * 1024
MIN_CHARS, MAX_CHARS = 6, 4_096

Way = tuple[str, ...]
"""Variables that are enough together."""


@dataclass(frozen=True, slots=True)
class Provider:
    """`ways`: any one of them is enough, the usual one first."""

    title: str
    ways: tuple[Way, ...]


def _one(title: str, *variables: str) -> Provider:
    """A provider that wants one variable, whichever of these."""
    return Provider(title, tuple((each,) for each in variables))


PROVIDERS: Mapping[str, Provider] = {
    "openai": _one("OpenAI", "OPENAI_API_KEY"),
    "anthropic": _one("Anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "gemini": _one("Google Gemini", "GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "openrouter": _one("OpenRouter", "OPENROUTER_API_KEY"),
    "ai21": _one("AI21", "AI21_API_KEY"),
    "azure": Provider("Azure OpenAI", (("AZURE_API_KEY", "AZURE_API_BASE", "AZURE_API_VERSION"),)),
    "azure_ai": Provider("Azure AI", (("AZURE_AI_API_KEY", "AZURE_AI_API_BASE"),)),
    "baseten": _one("Baseten", "BASETEN_API_KEY"),
    "bedrock": Provider(
        "Amazon Bedrock",
        (
            ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
            ("AWS_PROFILE",),
            ("AWS_ROLE_ARN",),
            ("AWS_WEB_IDENTITY_TOKEN_FILE",),
            ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",),
            ("AWS_CONTAINER_CREDENTIALS_FULL_URI",),
        ),
    ),
    "cerebras": _one("Cerebras", "CEREBRAS_API_KEY"),
    "codestral": _one("Codestral", "CODESTRAL_API_KEY"),
    "cohere": _one("Cohere", "COHERE_API_KEY"),
    "dashscope": _one("Alibaba DashScope", "DASHSCOPE_API_KEY"),
    "databricks": Provider("Databricks", (("DATABRICKS_API_KEY", "DATABRICKS_API_BASE"),)),
    "deepinfra": _one("DeepInfra", "DEEPINFRA_API_KEY"),
    "deepseek": _one("DeepSeek", "DEEPSEEK_API_KEY"),
    "fireworks_ai": _one("Fireworks", "FIREWORKS_AI_API_KEY", "FIREWORKS_API_KEY", "FIREWORKSAI_API_KEY"),
    "groq": _one("Groq", "GROQ_API_KEY"),
    "huggingface": _one("Hugging Face", "HUGGINGFACE_API_KEY"),
    "minimax": _one("MiniMax", "MINIMAX_API_KEY"),
    "mistral": _one("Mistral", "MISTRAL_API_KEY"),
    "moonshot": _one("Moonshot", "MOONSHOT_API_KEY"),
    "nebius": _one("Nebius", "NEBIUS_API_KEY"),
    "novita": _one("Novita", "NOVITA_API_KEY"),
    "nvidia_nim": _one("NVIDIA NIM", "NVIDIA_NIM_API_KEY"),
    "perplexity": _one("Perplexity", "PERPLEXITYAI_API_KEY"),
    "replicate": _one("Replicate", "REPLICATE_API_KEY"),
    "sambanova": _one("SambaNova", "SAMBANOVA_API_KEY"),
    "together_ai": _one("Together", "TOGETHERAI_API_KEY"),
    "vercel_ai_gateway": _one("Vercel AI Gateway", "VERCEL_AI_GATEWAY_API_KEY"),
    "vertex_ai": Provider("Google Vertex AI", (("VERTEXAI_PROJECT", "VERTEXAI_LOCATION"),)),
    "wandb": _one("Weights & Biases", "WANDB_API_KEY"),
    "xai": _one("xAI", "XAI_API_KEY"),
    "zai": _one("Z.AI", "ZAI_API_KEY"),
}
"""By LiteLLM's name of the provider: the common ones. Others have a variable that ends in `_API_KEY`."""

KNOWN_NAMES = frozenset(name for each in PROVIDERS.values() for way in each.ways for name in way)
_OTHER_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,60}_API_KEY")
"""Nothing else gets into the environment of a process from a file: some variables decide what code it loads."""


@dataclass(frozen=True, slots=True)
class KeptKeys:
    """What the file holds, by name of the variable. The values are for `lend` alone."""

    values: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self.values))

    def lend(self, environment: MutableMapping[str, str]) -> None:
        """Add to `environment` what it lacks. A provider that it has a way to already is left as it is there."""
        served = {
            name
            for provider in PROVIDERS.values()
            if any(is_set(way, environment) for way in provider.ways)
            for way in provider.ways
            for name in way
        }
        for name, value in self.values.items():
            if name not in served and not is_set((name,), environment):
                environment[name] = value


def is_set(way: Way, environment: Mapping[str, str]) -> bool:
    """Whether all variables of `way` hold something. One that is set but empty counts as not set."""
    return all(environment.get(name, "").strip() for name in way)


def may_be_kept(name: str) -> bool:
    """Whether `name` is that of a key: a variable of a known provider, or any other that ends in `_API_KEY`."""
    return name in KNOWN_NAMES or _OTHER_NAME.fullmatch(name) is not None


def load_keys(home: Path) -> KeptKeys:
    """The kept keys; none if there is no file. Raises `StoreError` for a file that others can read, or that is damaged."""
    file = home / FILE
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return KeptKeys()
    except OSError as error:
        raise StoreError(f"The keys in {file} cannot be read: {_reason(error)}. They are not used.") from None
    with os.fdopen(descriptor, "rb") as opened:
        _check_privacy(file, os.fstat(descriptor))
        try:
            content = opened.read(MAX_BYTES + 1)
        except OSError as error:
            raise StoreError(f"The keys in {file} cannot be read: {_reason(error)}. They are not used.") from None
    return KeptKeys(_parsed(file, content))


def keep_key(home: Path, name: str, value: str) -> None:
    """Keep `value` under the name of its variable, in the place of an earlier one. Raises `StoreError`, which does not
    quote the value."""
    value = value.strip()
    problem = name_problem(name) or value_problem(name, value)
    if problem:
        raise StoreError(problem)
    _change(home, {name: value})


def forget_key(home: Path, name: str) -> None:
    """Remove a key from the file; quiet if it is not there. Raises `StoreError`."""
    _change(home, {name: None})


def mend_permissions(home: Path) -> None:
    """Make the file readable by its owner alone. Raises `StoreError` if it is not this user's to change."""
    file = home / FILE
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            os.fchmod(descriptor, ONLY_OWNER)
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(
            f"The permissions of {file} cannot be changed: {_reason(error)}. Remove the file and add the keys again."
        ) from None


def name_problem(name: str) -> str | None:
    """Why no key can be kept under `name`."""
    if may_be_kept(name):
        return None
    return (
        f"{name[:80]!r} is no name of a key. Use the name of the variable in which the provider looks for it, in capitals: "
        "OPENAI_API_KEY, or any other that ends in _API_KEY."
    )


def value_problem(name: str, value: str) -> str | None:
    """Why `value` cannot be the key of `name`, without quoting it."""
    if not value:
        return "The key is empty. Paste it into the field."
    if value.startswith((f"{name}=", "export ", "Bearer ", '"', "'")):
        return "Paste the key alone, without the name of the variable, quotation marks, or the word Bearer."
    if not value.isascii() or not value.isprintable() or " " in value:
        return "The key holds a space, a line break, or a letter that keys do not have. Paste the key alone."
    if len(value) < MIN_CHARS:
        return (
            f"The key has fewer than {MIN_CHARS} characters. One so short cannot be told from words and kept out of what "
            f"models say. Set {name} in the environment if it has to be this one."
        )
    if len(value) > MAX_CHARS:
        return f"The key has {len(value):,} characters; up to {MAX_CHARS:,} are taken."
    return None


def _change(home: Path, changes: Mapping[str, str | None]) -> None:
    try:
        with writing_in(home):
            _check_folder(home)
            values = {**load_keys(home).values, **changes}
            left = {name: value for name, value in sorted(values.items()) if value is not None}
            if left:
                replace_file(home / FILE, json.dumps(left, indent=1))
            else:
                (home / FILE).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(
            f"The keys cannot be written to {home / FILE}: {_reason(error)}. Nothing was changed."
        ) from None


def _check_folder(home: Path) -> None:
    if home.stat().st_mode & 0o022:
        raise StoreError(
            f"Others may write in the data folder {home} (mode {_mode(home.stat())}), so no key is kept there. "
            f"Close it with `chmod go-w {home}`, or set the key in the environment."
        )


def _check_privacy(file: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{file} is no ordinary file, so no keys are read from it. Remove it and add the keys again.")
    if found.st_uid != os.geteuid():
        raise StoreError(
            f"The keys in {file} belong to another user and are not used. Remove the file and add the keys again."
        )
    if found.st_mode & 0o077:
        raise StoreError(
            f"The keys in {file} are not used, because others on this machine can read or change them "
            f"(mode {_mode(found)}). Close the file with `chmod 600 {file}`; if others use this machine, make new keys."
        )


def _parsed(file: Path, content: bytes) -> dict[str, str]:
    damaged = f"The keys in {file} cannot be used: {{}}. Mend the file, or remove it and add the keys again."
    if len(content) > MAX_BYTES:
        raise StoreError(damaged.format(f"the file is larger than {MAX_BYTES // 1024} kB"))
    try:
        values = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        raise StoreError(damaged.format("it is no JSON")) from None
    if not isinstance(values, dict):
        raise StoreError(damaged.format("it is no object of names and keys"))
    for name, value in values.items():
        if not may_be_kept(name):
            raise StoreError(damaged.format(f"{name[:80]!r} is no name of a key"))
        if not isinstance(value, str) or value_problem(name, value):
            raise StoreError(damaged.format(f"what stands under {name} is no key"))
    return values


def _mode(found: os.stat_result) -> str:
    return f"{stat.S_IMODE(found.st_mode):04o}"


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
