"""Named pairs of models: one click in place of two names. Pure data; knows no key and no price.

Each pair is a model that can play the root and a much cheaper one that does the reading. All are in the price list that is
shipped, and none of them is announced there to be switched off.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlm_core.task import DEMO_MODEL

DEMO = "demo"
SERVER = "server"
"""Names of presets. Which models a server of one's own has, nobody else can know."""


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    """As in the address."""
    label: str
    root: str = ""
    helper: str = ""


PRESETS = (
    Preset(DEMO, "Demo", DEMO_MODEL, DEMO_MODEL),
    Preset("openai", "OpenAI", "openai/gpt-6.1-sol", "openai/gpt-6-luna"),
    Preset("anthropic", "Anthropic", "anthropic/claude-sonnet-5-5", "anthropic/claude-haiku-5-5"),
    Preset("google", "Google", "gemini/gemini-4-argon", "gemini/gemini-3.8-flash"),
    Preset(SERVER, "Own server"),
)


def preset(name: str | None) -> Preset | None:
    return next((each for each in PRESETS if each.name == name), None)


def preset_of(root: str, helper: str, api_base: str | None) -> str | None:
    """The name of the preset that these models are; `None` where somebody has chosen them one by one."""
    if api_base:
        return SERVER
    return next((each.name for each in PRESETS if (each.root, each.helper) == (root, helper)), None)
