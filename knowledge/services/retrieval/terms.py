"""The words a document is found by, and the marks a search narrows down by.

A term consists of letters and digits, a mark begins with "_". Words are stemmed in English and
German; a technical code is one term however it is written: RS-485, RS485 and "RS 485".
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from knowledge.cues import FUNCTION_WORDS, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from knowledge.services.retrieval.base import Document

TermGroup = tuple[str, ...]
"""Terms that mean the same word."""

_TOKEN = re.compile(r"[^\W_]+(?:[-./+][^\W_]+)*")
_NOT_TERM = re.compile(r"[\W_]")
_DIGIT = re.compile(r"\d")
_LONGEST_NAME = 4


def document_terms(document: Document) -> frozenset[str]:
    """Return the terms of all that a document is to be found by."""
    texts = (document.content, document.search_text or "", " ".join(document.tags))
    return frozenset(term for text in texts for group in _groups(text) for term in group)


def query_groups(query: str) -> list[TermGroup]:
    """Return one group per telling word of a query, in its order; function words alone stay."""
    groups = dict.fromkeys(_groups(query))
    telling = [group for group in groups if not FUNCTION_WORDS.intersection(group)]
    return telling or list(groups)


def mark(kind: str, value: str) -> str:
    """Return the term that stands for a restriction in an index."""
    return f"_{kind}{blake2b(value.encode(), digest_size=8).hexdigest()}"


def document_marks(document: Document) -> Iterator[str]:
    """Yield the marks of a document's namespace, filters and tags."""
    yield namespace_mark(document.namespace)
    for name, value in document.filters.items():
        yield filter_mark(name, value)
    for tag in document.tags:
        yield tag_mark(tag)


def namespace_mark(namespace: str) -> str:
    """Return the mark of a namespace."""
    return mark("n", namespace)


def filter_mark(name: str, value: str) -> str:
    """Return the mark of a filter."""
    return mark("f", f"{name}\0{value}")


def tag_mark(tag: str) -> str:
    """Return the mark of a tag."""
    return mark("t", tag)


def _groups(text: str) -> Iterator[TermGroup]:
    before = ""
    for token in _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _DIGIT.search(token):
            code = _NOT_TERM.sub("", token)
            yield (code,)
            if before and token[0].isdigit():
                yield (before + code,)  # "RS 485", "menu 41"
        else:
            yield from _word_groups(token)
        before = token if token.isalpha() and len(token) <= _LONGEST_NAME else ""


@lru_cache(maxsize=50_000)
def _word_groups(token: str) -> tuple[TermGroup, ...]:
    """Return the stems of a word without digits, of each part if it has several."""
    return tuple(tuple(sorted(stems)) for stems in words_of(token))
