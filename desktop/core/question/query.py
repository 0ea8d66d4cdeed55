"""What is searched for: a question and its words, pages it names, manuals to look in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from desktop.core.jobs import Cancelled
from desktop.core.question.languages import language_in
from desktop.core.question.tokens import query_terms
from desktop.sentences import template

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    import apsw


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Query:
    """A question for the index.

    before: the question asked before it, which it may be following up.
    document_ids: search only these manuals; empty means all.
    limit: pages to return. cancelled: checked between the steps of a search.
    """

    text: str
    document_ids: frozenset[int] = frozenset()
    limit: int = 10
    before: str = ""
    cancelled: Callable[[], bool] = field(default=_never, compare=False, repr=False)

    def check(self) -> None:
        """Raises: Cancelled, if nobody waits for the answer any more."""
        if self.cancelled():
            raise Cancelled


_CODE = re.compile(r"(?<![\w/.:-])(?:0[xX][\da-fA-F]+|[^\W\d_]{1,5}[-:.]?\d[\w/.:-]*)")
"""Letters and then digits: E25, S-131, X5:9; or a hexadecimal number: 0x83. In the labels (learn,
choose) a code that no page of the manual has stands in 25 of 561 questions without an answer and
3 of 1,686 with one."""

_STRETCH = re.compile(r"[^\W\d_]+|\d+")

TermGroup = tuple[str, ...]
"""Alternative index terms for one word of the question; any of them counts as the word."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its meaningful words, as term groups.

    wording: what a text model reads of it. names: groups that name the manual, which that need not
    know of.
    """

    text: str
    groups: tuple[TermGroup, ...]
    names: frozenset[TermGroup] = frozenset()

    @classmethod
    def parse(cls, text: str) -> Question:
        """Read a question; one without meaningful words has no groups."""
        return cls(text, _groups_of(text))

    @property
    def wording(self) -> str:
        """What a text model reads: the question as it was asked, without the manual's names."""
        words = self.text.split()
        kept = [word for word in words if not self._is_name(word)] if self.names else words
        return " ".join(kept or words)

    def _is_name(self, word: str) -> bool:
        groups = query_terms(word)
        return bool(groups) and self.names.issuperset(groups)

    def codes_in(self, groups: Collection[TermGroup]) -> tuple[str, ...]:
        """Return the codes whose words are all among some term groups, as they are written."""
        found = ((code, query_terms(code)) for code in codes_of(self.text))
        return tuple(
            code for code, terms in found if terms and all(each in groups for each in terms)
        )


@lru_cache(maxsize=256)  # a question is read again for each statement of its answer
def _groups_of(text: str) -> tuple[TermGroup, ...]:
    return tuple(query_terms(text, language_in(text)))


def codes_of(text: str) -> tuple[str, ...]:
    """Return the codes of a text as they are written, without the signs that end a sentence."""
    return tuple(dict.fromkeys(code.rstrip("/.:-") for code in _CODE.findall(text)))


def is_sibling(code: str, other: str) -> bool:
    """Whether two codes differ in one stretch of letters or digits: F-70L, F-70H; E03, E05."""
    one: list[str] = _STRETCH.findall(code.casefold())
    two: list[str] = _STRETCH.findall(other.casefold())
    differing = [first for first, second in zip_longest(one, two) if first != second]
    return len(differing) == 1


BY_LABEL = template("page label")
"""The name of this searcher in `Evidence.found_by`; all of them are words that are translated."""

_NAMED = re.compile(
    r"\b(?:pages?|seiten?|p\.)\s*"
    r"((?:[a-z]{1,2}|\d{1,3})[-–.]\d{1,4}|\d{1,4}|[ivxlc]{1,7})(?![\w-])",
    re.IGNORECASE,
)
_MOST = 20


def asked_labels(text: str) -> tuple[str, ...]:
    """Return the page labels that a question names, in its order."""
    found = (match.group(1).replace("–", "-").casefold() for match in _NAMED.finditer(text))
    return tuple(dict.fromkeys(found))


def without_labels(text: str) -> str:
    """Return a question without the pages that it names."""
    return _NAMED.sub(" ", text)


def pages_with_labels(
    connection: apsw.Connection, labels: Sequence[str], documents: Collection[int]
) -> list[int]:
    """Return the ids of the pages with these labels; for a number that is no label, that page.

    documents: only pages of these; of all if none is named.
    """
    if not labels:
        return []
    marks = ",".join("?" * len(documents))
    only = f" AND document_id IN ({marks})" if documents else ""
    found: list[int] = []
    for label in labels:
        rows = connection.execute(
            f"SELECT id FROM pages WHERE lower(label) = ?{only} LIMIT ?", (label, *documents, _MOST)
        ).fetchall()
        if not rows and label.isdecimal():
            rows = connection.execute(
                f"SELECT id FROM pages WHERE page = ?{only} LIMIT ?",
                (int(label) - 1, *documents, _MOST),
            ).fetchall()
        found += [int(str(row[0])) for row in rows]
    return found
