"""Whether a sentence denies what another one says, or the other way round."""

from __future__ import annotations

import re

from desktop.core.retrieval.tokens import index_term_set, query_terms

_NEGATOR = re.compile(
    r"^(?:not|never|cannot|no|neither|nor|without|avoid|avoids|forbidden|prohibited|.+n['’]t"
    r"|nicht|nie|niemals|kein|keine|keinen|keinem|keiner|keines|ohne|vermeiden|verboten"
    r"|untersagt)$",
    re.IGNORECASE,
)
_GERMAN = re.compile(r"^(?:nicht|nie|niemals)$", re.IGNORECASE)
_CLAUSE = re.compile(r"[.;:!?()\n](?=\s|$)|[()\n]")
_WORD = re.compile(r"[^\W_]+(?:[-_./+'’][^\W_]+)*[+]?")
_REACH = 3
_REACH_BACK = 2


def denies(one: str, other: str) -> bool:
    """Whether what one of the two denies is said without a denial by the other."""
    return _denies(one, other) or _denies(other, one)


def _denies(one: str, other: str) -> bool:
    terms, denied = index_term_set(other), _all_denied(other)
    # the first word after a denial is what is denied; those behind it may only stand there
    heads = (reach[0] for reach in _denied(one) if reach)
    return any(head & terms and not head & denied for head in heads)


def _all_denied(text: str) -> frozenset[str]:
    return frozenset(term for reach in _denied(text) for word in reach for term in word)


def _denied(text: str) -> list[list[frozenset[str]]]:
    """Return for each denial the words that it reaches, nearest first, each as its terms."""
    found = []
    for clause in _CLAUSE.split(text):
        words = _WORD.findall(clause)
        for position, word in enumerate(words):
            if not _NEGATOR.match(word):
                continue
            reach = _telling(words[position + 1 :])[:_REACH]
            if not reach and _GERMAN.match(word):  # it stands last: "den Deckel nicht"
                reach = _telling(words[:position][::-1])[:_REACH_BACK]
            found.append(reach)
    return found


def _telling(words: list[str]) -> list[frozenset[str]]:
    terms = (
        frozenset(term for group in query_terms(word) for term in group)
        for word in words
        if not _NEGATOR.match(word)
    )
    return [each for each in terms if each]
