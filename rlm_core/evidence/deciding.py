"""Which words decide: those without which a sentence says something else. Numbers, dates, names, units, negations, opposites.

Knows words of a few languages, and that an unknown word with a capital may be a name: in doubt a difference decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rlm_core.evidence.differences import Words, aligned


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEGATIONS = _words(
    """
    no not non never none nor neither nobody nothing nowhere without cannot hardly barely scarcely unless except lacks
    lacking kein keine keinen keinem keiner keines nicht nichts nie niemals niemand nirgends ohne weder außer kaum ne
    pas jamais aucun aucune rien sans ni personne nulle nul sauf nunca jamás sin nadie nada ningún ninguna nessun
    nessuno nessuna senza mai niente niet geen nooit zonder não nem sem inte ingen ikke aldrig uden utan не нет ни без
    никогда 不 没 沒 無 无 未 非 否
    """
)
_NUMBERS = _words(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen half
    twice once double first second third fourth fifth last both all every null zwei drei vier fünf sechs sieben acht
    neun zehn elf zwölf zwanzig dreißig hundert tausend halb doppelt erste zweite zéro deux trois quatre cinq six sept
    huit neuf dix onze douze vingt trente cent mille demi premier première deuxième janvier février mars avril mai juin
    juillet août septembre octobre novembre décembre 一 二 三 四 五 六 七 八 九 十 百 千 万 萬 億 亿
    """
)
_UNITS = _words(
    """
    mm cm dm m km ft yd mi inch inches foot feet yard yards mile miles metre metres meter meters kilometre kilometres
    kilometer kilometers centimetre centimetres centimeter centimeters millimetre millimetres millimeter millimeters mg
    g kg t lb lbs oz gram grams kilogram kilograms ton tons tonne tonnes pound pounds ounce ounces ml cl l litre litres
    liter liters gallon gallons ms s sec min h hr hour hours minute minutes day days week weeks month months year years
    decade decades stunde stunden minuten sekunden tag tage woche wochen monat monate jahr jahre heure heures jour jours
    semaine semaines mois ans année années v kv ma w kw mw kwh mwh hz khz mhz ghz pa kpa bar psi kb mb gb tb bit bits
    byte bytes percent prozent pourcent usd eur gbp chf dollar dollars euro euros cent cents degree degrees celsius
    fahrenheit kelvin
    """
)
_OPPOSITES = _words(
    """
    yes true false before after above below more less fewer most least up down increase increased increases decrease
    decreased decreases rise rose rises fell fall falls pass passed fail failed fails open opened closed on off left
    right north south east west with minimum maximum high low higher lower always sometimes only must may ja nein vor
    nach über unter mehr weniger oui avant après plus moins
    """
)
_LISTED = _NEGATIONS | _NUMBERS | _UNITS | _OPPOSITES
_FUNCTION_WORDS = _words(
    """
    a an the this that these those it its he she they we you i his her their our your in at of to for from by and or but
    as is are was were be been has have had there here when where which who what if so then also der die das den dem des
    ein eine einen einem einer es er sie wir und oder aber in im am an auf von zu mit für ist war le la les un une des
    du de il elle ils on nous et ou mais en au aux est
    """
)
"""Words that are no names, even where they begin a sentence."""
_ODD = re.compile(r"[\d_@%‰°€$£¥<>=≤≥±]|\w\.\w|[^\W\d_][A-ZÄÖÜ]")
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "mis", "non", "non-", "de")
_SUFFIXES = ("less", "los", "frei")
_MIN_STEM = 3
_COMPARED = 100
"""Of a long run of changed words so many are compared with each other."""


def decides(word: str) -> bool:
    """Whether a word, as it is written, may turn a sentence into another one."""
    lower = word.lower().replace("’", "'")
    if _ODD.search(word) or lower in _LISTED or lower.endswith("n't") or lower.startswith("n'"):
        return True
    return word[:1].isupper() and lower not in _FUNCTION_WORDS


def differ_in_what_decides(quote: str, source: str) -> bool:
    """Whether a word that decides stands on one side only, or a word and its opposite face each other."""
    ours, theirs = Words(quote), Words(source)
    for same, one, other in aligned(ours.keys, theirs.keys):
        if same:
            continue
        if any(decides(each) for each in (*ours.written(*one), *theirs.written(*other))):
            return True
        if _negated(ours.keys[slice(*one)][:_COMPARED], theirs.keys[slice(*other)][:_COMPARED]):
            return True
    return False


def negates(text: str) -> bool:
    """Whether a text holds a negation."""
    return any(key in _NEGATIONS or key.endswith("n't") for key in Words(text).keys)


def _negated(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """`usual` and `unusual`, `resealed` and `unsealed`, `harm` and `harmless`."""
    return any(_is_opposite(one, other) or _is_opposite(other, one) for one in ours for other in theirs)


def _is_opposite(negative: str, word: str) -> bool:
    stems = [negative.removeprefix(each) for each in _PREFIXES if negative.startswith(each)]
    without = [negative.removesuffix(each) for each in _SUFFIXES if negative.endswith(each)]
    return any(len(stem) >= _MIN_STEM and word.endswith(stem) for stem in stems) or word in without
