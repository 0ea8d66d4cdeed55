"""Whether two cited pages say different things of the same: other values, or yes and no."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

from desktop.core.critic.claim import Claim, claim_of
from desktop.core.critic.negation import denies
from desktop.core.critic.values import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.critic.values import CheckedSentence, CitedPassage, PageQuote

_SHARED = 0.5  # of the words of both together, values left out
_FEWEST_WORDS = 2
_CODE = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{3,}\b")
_WORDS = re.compile(r"[^\W_]+")
_UNIT = re.compile(r"[-−–+]?\d+(?:[.,]\d+)?\s*(\D{1,8})$")


def check_contradictions(
    sentences: Sequence[CheckedSentence], passages: Sequence[CitedPassage]
) -> Iterator[Finding]:
    """Yield pairs of cited quotes of two pages that cannot both be right."""
    for one, other in combinations(passages, 2):
        if (one.document_id, one.document, one.page, one.label) == (
            other.document_id,
            other.document,
            other.page,
            other.label,
        ):
            continue
        pair = _pair(one, other)
        if pair is None:
            continue
        first, second = pair
        at = next((i for i, each in enumerate(sentences) if one.number in each.cited), 0)
        message = (
            f"{_place(one, other)} and {_place(other, one)} contradict each other: "
            f"“{first.text}” – “{second.text}”"
        )
        yield Finding("contradiction", at, message, (), second, other.number)


def contradict(one: PageQuote, other: PageQuote) -> bool:
    """Whether two quotes speak of the same in nearly the same words and differ in what they say.

    Manuals say the same of two things (inlet and outlet): where both have a word of their own,
    or name two products, they are not taken for contradictions.
    """
    if _is_part(one.text, other.text) or _is_part(other.text, one.text):
        return False
    first, second = claim_of(one.text), claim_of(other.text)
    if min(len(first.words), len(second.words)) < _FEWEST_WORDS:
        return False
    if _two_products(one, other) or not _of_the_same(first, second):
        return False
    return _other_values(first, second) or denies(one.text, other.text)


def _is_part(one: str, other: str) -> bool:
    """Whether a text is a piece of another one, as a sentence is that a page break cuts."""
    part, whole = " ".join(_WORDS.findall(one)), " ".join(_WORDS.findall(other))
    return f" {part} " in f" {whole} "


def _pair(one: CitedPassage, other: CitedPassage) -> tuple[PageQuote, PageQuote] | None:
    for first in one.touched:
        for second in other.touched:
            if contradict(first, second):
                return first, second
    return None


def _of_the_same(one: Claim, other: Claim) -> bool:
    only_one = [group for group in one.words if not set(group) & other.ground.terms]
    only_other = [group for group in other.words if not set(group) & one.ground.terms]
    if only_one and only_other:
        return False
    shared = len(one.words) - len(only_one)
    return shared / max(1, len(one.words) + len(only_other)) >= _SHARED


def _other_values(one: Claim, other: Claim) -> bool:
    """Whether both give values of the same unit, and none of the one stands in the other."""
    ours, theirs = _by_unit(one), _by_unit(other)
    for unit in ours.keys() & theirs.keys():
        here = any(other.ground.supports(fact) for fact in one.facts if fact.text in ours[unit])
        there = any(one.ground.supports(fact) for fact in other.facts if fact.text in theirs[unit])
        if not here and not there:
            return True
    return False


def _by_unit(claim: Claim) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for fact in claim.facts:
        match = _UNIT.fullmatch(fact.text)
        if match:
            found.setdefault(match.group(1).strip().casefold(), []).append(fact.text)
    return found


def _two_products(one: PageQuote, other: PageQuote) -> bool:
    ours = {code.casefold() for code in _CODE.findall(f"{one.context} {one.text}")}
    theirs = {code.casefold() for code in _CODE.findall(f"{other.context} {other.text}")}
    return bool(ours - theirs) and bool(theirs - ours)


def _place(passage: CitedPassage, beside: CitedPassage) -> str:
    if passage.document and passage.document != beside.document:
        return f"{passage.document}, {passage.place}" if passage.label else passage.document
    return passage.place[:1].upper() + passage.place[1:]
