"""Values and numbers that are asked for and that no statement of the page gives for the thing.

Manuals give weights, torques and part numbers for many things; who asks for one they do not
give is easily answered with its neighbour's. So a statement answers only if it shows a value of
the kind that is asked for together with something of the thing in question.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.retrieval.asked_values import (
    asked_measure,
    kind_words,
    names_value,
    sharp_kinds,
    tells_time,
)
from desktop.core.retrieval.tokens import UNIT_PATTERN, UNITS, index_term_set, query_terms
from desktop.core.retrieval.unshown.statements import (
    GENERAL,
    LEAST_SHARE,
    about,
    in_full,
    share_said,
    statements,
    terms_of,
    thing_of,
    told,
)
from desktop.core.structure.tables import CELL_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.question import Question, TermGroup
    from desktop.core.retrieval.quote_ranking import RankedQuote

# One value of one thing, asked for in few words: a statement must say this share of them.
_LEAST_SHARE_OF_ONE = 0.4
_FEW_WORDS = 5
# "charging current", "rotation test": the first word tells the second from its like.
_QUANTITIES = (
    r"(?:current|voltage|pressure|speed|temperature|torque|time|code|test|power|resistance|frequency"
    r"|load|capacity|number|life|cycles?|rate|level|class|rating|value|range|volume|weight|length"
    r"|interval)\b"
)
_QUALIFIED = re.compile(rf"\b([a-z][a-z-]{{2,}}) {_QUANTITIES}", re.IGNORECASE)
_QUANTITY = re.compile(rf"\b{_QUANTITIES}", re.IGNORECASE)
# "How many charge cycles does ...": the words up to the verb name what is counted.
_HOW_MANY = re.compile(
    r"\b(?:how many|wie viele|(?:max(?:imum|imale?)?|total|highest) (?:number of|anzahl))\s+"
    r"((?:[^\W\d_]+[ -]){0,2}?[^\W\d_]+)(?=\s+(?:can|may|must|does|do|that|which|at|for|on"
    r"|did|are|is|has|have|will|should|could|per|in|of|it|take|the|a|kann|können|hat|haben|sind|gibt"
    r"|werden|braucht|hält)\b|[?,])",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:max\w*|limit\w*|up to|at most|no more|highest|largest|total|can|supports?|allows?|holds?"
    r"|room for|bis zu|höchst\w*|kann|können|unterstützt|fasst)\b",
    re.IGNORECASE,
)
_WHICH_PART = re.compile(
    r"\b(?:which|what|welche[rsnm]?)\s+(?:[a-z-]+\s+)?(jumper|dip switch|fuse|relay|password|cable"
    r"|valve|breaker|gasket|filter|sicherung|relais|passwort|kabel|ventil|dichtung)\b",
    re.IGNORECASE,
)
# "What is the default serial timeout of ...": up to four words name the setting.
_DEFAULT = re.compile(
    r"(?:\b(?:what|which|was|welche\w*)\b[^?.!;]*?\b|^\W*)(?:default|voreingestellte\w*)\s+"
    r"((?:[\w/-]+\s+){0,3}?[\w/-]+)(?=\s+(?:of|in|on|for|to|with|is|are|that|the|a|an|does|do|from"
    r"|used?|after|when|von|vom|des|der|im|in|bei|für|am)\b|\W*$|[?,;(])",
    re.IGNORECASE,
)
# The words of a setting that a statement must have, by their rarity.
_LEAST_OF_SETTING = 0.6
_ANY_SETTING = terms_of("setting state position mode configuration option")
_HOW_LONG = re.compile(r"\bhow (?:long|often|frequently)\b|\bwie (?:lange?|oft)\b", re.IGNORECASE)
# Times without a figure.
_SOME_TIME = re.compile(
    r"\b(?:forever|until|while|as long as|each|whenever|permanent\w*|continuous\w*|immediate\w*"
    r"|never|indefinite\w*|expires?|bis|solange|jede\w*|immer|dauer\w*|sofort|nie)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b[^\W\d_][\w/]*\d\w*")
_STEP_NUMBER = re.compile(r"^\W*\(?\d{1,2}[.)]\s")
_COUNT = re.compile(
    rf"(?<![\w.,:/-])\d+(?:[.,]\d+)*(?!\s?(?:{UNIT_PATTERN}|m³|°|Ω|seconds?|minutes?|days?|ohms?)(?!\w))(?![\w/:]|[.-]\d)"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|both|single|no|none"
    r"|eine?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|beide|keine?)\b",
    re.IGNORECASE,
)
_ASKS_WHICH = re.compile(r"\b(what|which|how (long|many|much|high|large))\b", re.IGNORECASE)


def lacks_value(question: Question, page: Evidence, ranked: Sequence[RankedQuote]) -> bool:
    """Whether a kind of value is named outright that no statement about the thing shows.

    Of a row, the headings of its columns say nothing of the thing: they stand above all rows.
    """
    if any(lacks(question, ranked) for lacks in (_lacks_count, _lacks_time, _lacks_part)):
        return True
    if _lacks_setting(question, page, ranked):
        return True
    kinds = sharp_kinds(question.text)
    if not kinds:
        return False
    found = (*_QUALIFIED.finditer(question.text), *_QUANTITY.finditer(question.text))
    quantity = query_terms(" ".join(match.group() for match in found))
    groups = thing_of(question, page, {*kind_words(question.text), *quantity})
    of_one = not question.several and len(groups) <= _FEW_WORDS
    nameless = not any(c.isdigit() for group, _ in groups for c in group[0])
    least = _LEAST_SHARE_OF_ONE if of_one and names_value(question.text) else LEAST_SHARE
    said = [
        told(item, question)
        for item in statements(ranked)
        if share_said(groups, about(item) if of_one else in_full(item)) >= least
        or (nameless and _is_of_product(item, quantity))
    ]
    return any(not any(_shows(kind, text) for text in said) for kind in kinds)


def _shows(kind: re.Pattern[str], text: str) -> bool:
    """Whether a text gives such a value: the 3v of the G203V is none."""
    return bool(kind.search(_NAME.sub(" ", text) if kind.pattern.startswith(r"\d") else text))


def lacks_qualifier(question: Question, page: Evidence, ranked: Sequence[RankedQuote]) -> bool:
    """Whether no statement says which one of its like is asked for: "charging" current."""
    left_out = {term for group in kind_words(question.text) for term in group}
    title = index_term_set(page.known_as)
    said = [index_term_set(in_full(i)) for i in statements(ranked)]
    for sentence in re.split(r"[.?!;]\s", question.text):
        if not _ASKS_WHICH.search(sentence):
            continue
        for match in _QUALIFIED.finditer(sentence):
            for group in query_terms(match.group(1)):
                known = (left_out | GENERAL | title).intersection(group)
                if not known and not any(terms.intersection(group) for terms in said):
                    return True
    return False


def _counted(words: str) -> str:
    """Return a unit, else the last word that is a plural, of "values fit" the first, or the last.

    "How many km late may it be?" counts kilometres.
    """
    several = words.split()
    units = (word for word in several if word.lower() in UNITS)
    plurals = (word for word in reversed(several) if word.endswith("s"))
    return next(units, next(plurals, several[-1]))


def _is_of_product(item: RankedQuote, quantity: Sequence[TermGroup]) -> bool:
    """Whether a row opens with nothing but the quantity: it is that of the product as a whole."""
    key = query_terms(item.quote.text.split(CELL_SEPARATOR)[0])
    kind = {term for group in quantity for term in group} | GENERAL
    return item.quote.kind == "row" and bool(key) and all(kind.intersection(g) for g in key)


def _lacks_time(question: Question, ranked: Sequence[RankedQuote]) -> bool:
    """Whether a duration or frequency is asked for, and no statement gives any time or length."""
    if not _HOW_LONG.search(question.text):
        return False
    return not any(
        tells_time(told(item, question)) or _SOME_TIME.search(item.quote.text)
        for item in statements(ranked)
    )


def _lacks_part(question: Question, ranked: Sequence[RankedQuote]) -> bool:
    """Whether it is asked which jumper, fuse or password, and the page speaks of none.

    A drawing need not say what it shows.
    """
    match = _WHICH_PART.search(question.text)
    if match is None or not ranked or ranked[0].quote.kind == "label":
        return False
    said = [index_term_set(in_full(item)) for item in ranked]
    asked = [question.widest(group) for group in query_terms(match.group(1))]
    return not any(terms.intersection(group) for group in asked for terms in said)


def _lacks_setting(question: Question, page: Evidence, ranked: Sequence[RankedQuote]) -> bool:
    """Whether the default of a setting is asked for, and no statement names that setting."""
    match = _DEFAULT.search(question.text)
    if match is None or not ranked or ranked[0].quote.kind == "label":
        return False
    setting = terms_of(match.group(1)) - _ANY_SETTING
    groups = [item for item in thing_of(question, page, ()) if setting.intersection(item[0])]
    return not any(share_said(groups, in_full(i)) >= _LEAST_OF_SETTING for i in statements(ranked))


def _lacks_count(question: Question, ranked: Sequence[RankedQuote]) -> bool:
    """Whether a number of things is asked for, and no statement names them with a number."""
    match = _HOW_MANY.search(question.text)
    counted = query_terms(_counted(match.group(1)))[-1:] if match else []
    if not counted or counted[0][0] in UNITS or asked_measure(question.text):
        return False
    limit = _LIMIT.search(question.text) is not None
    return not any(
        index_term_set(in_full(item)).intersection(counted[0])
        and _COUNT.search(_STEP_NUMBER.sub(" ", told(item, question)))
        and (not limit or item.quote.kind == "row" or _LIMIT.search(in_full(item)))
        for item in statements(ranked)
    )
