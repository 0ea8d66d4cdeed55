"""Signs in a sentence or row that it answers the kind of question asked.

Each is a number between 0 and 1 that `quote_ranking` weighs; none needs a model.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from desktop.core.retrieval.tokens import index_term_set
from desktop.core.structure.tables import CELL_SEPARATOR
from desktop.core.structure.units import column_headings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.question import Question, TermGroup

_FIGURE = re.compile(
    r"\b(figure|fig|drawing|diagram|picture|photo|image|schematic|layout|shown|number \d+"
    r"|abbildung|bild|zeichnung|schaltplan|skizze)\b",
    re.IGNORECASE,
)
_REFERS_BACK = re.compile(
    r"^\W*(it|this|these|they|that|those|both|das|er|es|sie|dies\w*|in this case|otherwise|then"
    r"|after that|if so|damit|dadurch)\b",
    re.IGNORECASE,
)
_NUMBER_WORD = re.compile(
    r"\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve|once|twice|hourly|daily"
    r"|weekly|monthly|yearly|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|einmal|zweimal)\b",
    re.IGNORECASE,
)
# What is asked with one of the first words is answered with one of the second.
_WHEN = re.compile(r"\b(when|wann|(which|what) condition|after (which|how))\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(when|if|as soon as|after|once|whenever|until|before|during|only|wenn|sobald|nach|falls"
    r"|at \d)",
    re.IGNORECASE,
)
_HOW = re.compile(
    r"\bhow (do|can|should|must|to|is|are)\b|\bwie .*\b(ich|man|wird|werden)\b", re.IGNORECASE
)
_MEANS = re.compile(
    r"\b(by|press\w*|set|use|using|select|enter|open|hold|choose|run|type|connect|turn|add|remove"
    r"|click|command|must|should|can|mit|drück\w*|taste|über|wähl\w*)\b",
    re.IGNORECASE,
)
_WHETHER = re.compile(
    r"^\W*(may|can|is|are|does|do|must|should|will|darf|kann|ist|sind|muss)\b", re.IGNORECASE
)
_VERDICT = re.compile(
    r"\b(not|never|no|only|cannot|can|may|must|allowed|permitted|possible|nicht|nie|kein\w*|nur"
    r"|darf|kann)\b",
    re.IGNORECASE,
)
_LEADER = re.compile(r"(?:\.\s?){4,}\s*(?:\|\s*)?[\w-]+\s*$")
_FORBIDS = re.compile(
    r"\b((must|may|shall|should|do|can|could)(\s+not|n['’]t)|never|cannot"
    r"|not (be )?(allowed|permitted)|avoid\w*|forbidden|prohibited|only"
    r"|nicht|nie|niemals|nur|verboten)\b",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"(?<![\w.,:])(?<![^\W\d_]-)\d{1,4}(?![\w.,]*\d)")
# "Bit No. 9", "pin 14": what a column is called and what stands in it
_NAMED_NUMBER = re.compile(
    r"([^\W\d_]+)\s+(?:(?:no|nr|number|nummer)\b\.?\s*)?[:#]?\s*(\d{1,4})(?![\w.,]*\d)",
    re.IGNORECASE,
)
_CODE = re.compile(r"([a-z]+)(\d+[a-z]?)")
_LONGEST_CODE = 10


def asks_for_figure(question: Question) -> bool:
    """Whether a drawing may be what is asked for."""
    return _asks(_FIGURE, question.text)


def refers_back(text: str) -> bool:
    """Whether a sentence says something of what the one before it names ("It uses ...")."""
    return bool(_REFERS_BACK.match(text))


def has_number(text: str) -> bool:
    """Whether a figure or a number word stands in the text."""
    return bool(_NUMBER_WORD.search(text))


def tells_when(question: Question, text: str) -> bool:
    """Whether a time or condition is asked for and the text gives one."""
    return _asks(_WHEN, question.text) and bool(_CONDITION.search(text))


def tells_how(question: Question, text: str) -> bool:
    """Whether a way is asked for and the text says what to do."""
    return _asks(_HOW, question.text) and bool(_MEANS.search(text))


def tells_whether(question: Question, text: str) -> bool:
    """Whether yes or no is asked for and the text allows, forbids or denies."""
    return _asks(_WHETHER, question.text) and bool(_VERDICT.search(text))


def forbids(text: str) -> bool:
    """Whether the text forbids or excludes something."""
    return bool(_FORBIDS.search(text))


def numbered_as_asked(question: Question, quote: Quote) -> float:
    """Return the share of the question's bare numbers that open a cell of the row or the item.

    "Pin 14" is found in the row that begins a cell with 14; wholly, if that column is headed
    "Pin", whatever other numbers the question has.
    """
    numbers = asked_numbers(question.text)
    if numbers and _stands_in_its_column(question.text, quote):
        return 1.0
    return sum(opens_with(number, quote) for number in numbers) / len(numbers) if numbers else 0.0


def is_printed_question(text: str) -> bool:
    """Whether a text is a question that the manual itself asks."""
    said = text.strip()
    return said.endswith("?") or said.startswith(("Q:", "F:"))


def is_line_of_contents(text: str) -> bool:
    """Whether a text is a heading with dots and the page where it stands."""
    return bool(_LEADER.search(text))


def asked_numbers(question: str) -> list[str]:
    """Return the bare numbers of a question: neither decimals nor parts of a name."""
    return _BARE_NUMBER.findall(question)


def opens_with(number: str, quote: Quote) -> bool:
    """Whether a bare number opens an item or a cell of a row."""
    if quote.kind not in ("row", "item"):
        return False
    return any(_opens(number, cell) for cell in quote.text.split(CELL_SEPARATOR))


def _opens(number: str, cell: str) -> bool:
    return bool(re.match(rf"\W*{number}(?![.,]?\d)", cell))


def _stands_in_its_column(question: str, quote: Quote) -> bool:
    """Whether a number of the question opens the cell of a row below the word it follows there."""
    headings = column_headings(quote.context)
    if quote.kind != "row" or len(headings) < 2:
        return False
    columns = zip(headings, quote.text.split(CELL_SEPARATOR), strict=False)
    named = _NAMED_NUMBER.findall(question)
    return any(
        _opens(number, cell) and index_term_set(word) & index_term_set(head)
        for head, cell in columns
        for word, number in named
    )


def speaks_of_other_code(question: Question, text: str) -> bool:
    """Whether the text names another one of a series than the question: J7 for J9, E05 for E03."""
    asked = _asked_series(question.groups)
    if not asked:
        return False
    said = _series(index_term_set(text))
    return any(name in said and not said[name] & codes for name, codes in asked.items())


@lru_cache(maxsize=256)
def _asks(pattern: re.Pattern[str], question: str) -> bool:
    """Whether a question has the words of a pattern; every sentence that is compared asks."""
    return bool(pattern.search(question))


@lru_cache(maxsize=64)
def _asked_series(groups: Sequence[TermGroup]) -> dict[str, set[str]]:
    return _series(term for group in groups for term in group)


def _series(terms: Iterable[str]) -> dict[str, set[str]]:
    """Return the codes among terms by the letters they begin with."""
    series: dict[str, set[str]] = {}
    for term in terms:
        name = _series_of(term)
        if name:
            series.setdefault(name, set()).add(term)
    return series


@lru_cache(maxsize=100_000)
def _series_of(term: str) -> str:
    """Return the letters that a code begins with, "" if the term is none."""
    match = _CODE.fullmatch(term) if len(term) <= _LONGEST_CODE else None
    return match.group(1) if match else ""
