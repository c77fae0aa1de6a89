"""Signs that office programs take from a picture font instead of from Unicode: what people see in their place.

Knows the Greek and mathematical letters of the font Symbol, and the ticks, boxes and arrows of Wingdings.
"""

from __future__ import annotations

_SYMBOL = dict(zip("abgdezhqiklmnxoprstufcyw", "αβγδεζηθικλμνξοπρστυφχψω", strict=True))
_SYMBOL |= {latin.upper(): greek.upper() for latin, greek in _SYMBOL.items()}
_SYMBOL |= {
    **{
        "\xa3": "≤",
        "\xa5": "∞",
        "\xab": "↔",
        "\xac": "←",
        "\xad": "↑",
        "\xae": "→",
        "\xaf": "↓",
        "\xb0": "°",
        "\xb1": "±",
    },
    **{
        "\xb3": "≥",
        "\xb4": "×",
        "\xb6": "∂",
        "\xb7": "•",
        "\xb8": "÷",
        "\xb9": "≠",
        "\xba": "≡",
        "\xbb": "≈",
        "\xbc": "…",
    },
    **{
        "\xc5": "⊕",
        "\xc6": "∅",
        "\xc7": "∩",
        "\xc8": "∪",
        "\xce": "∈",
        "\xcf": "∉",
        "\xd1": "∇",
        "\xd2": "®",
        "\xd3": "©",
    },
    **{"\xd4": "™", "\xd5": "∏", "\xd6": "√", "\xd9": "∧", "\xda": "∨", "\xde": "⇒", "\xe5": "∑", "\xf2": "∫"},
}
_WINGDINGS = {
    **{
        "\x28": "☎",
        "\x2a": "✉",
        "\x4a": "☺",
        "\x4c": "☹",
        "\x6c": "●",
        "\x6e": "■",
        "\x6f": "□",
        "\x71": "❑",
        "\x76": "❖",
    },
    **{
        "\xa7": "▪",
        "\xa8": "◻",
        "\xab": "★",
        "\xd8": "➢",
        "\xdf": "←",
        "\xe0": "→",
        "\xe1": "↑",
        "\xe2": "↓",
        "\xe8": "➔",
    },
    **{"\xf0": "⇨", "\xfb": "✗", "\xfc": "✓", "\xfd": "☒", "\xfe": "☑"},
}
_PRIVATE = 0xF000
"""Fonts of pictures are laid over this part of Unicode."""


def symbol(font: str, code: str) -> str:
    """The sign for a character of a font, both as Word writes them (`Wingdings`, `F0FC`); "" for what is no code."""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    if not 0 < number < 0xD800 and not 0xE000 <= number <= 0xFFFF:
        return ""
    low = chr(number - _PRIVATE) if _PRIVATE <= number <= _PRIVATE + 0xFF else chr(number)
    if font.casefold() == "symbol":
        return _SYMBOL.get(low, low)
    if font.casefold().startswith("wingdings"):
        return _WINGDINGS.get(low, "\N{REPLACEMENT CHARACTER}")
    return chr(number)
