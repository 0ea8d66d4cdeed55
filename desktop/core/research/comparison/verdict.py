"""Whether a statement of the site and one of the maker agree, or cannot both be right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop.core.critic.negation import denies
from desktop.core.research.comparison.statement import Statement, tells_apart
from desktop.core.structure.tables import CELL_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.research.comparison.quantities import Quantity

Verdict = Literal["agreement", "contradiction", "open", "unrelated"]
"""open: about the same thing, but rules see nothing to compare."""

SAME_SUBJECT = 0.6
_SURELY_SAME = 0.7
_SAME_WORDS = 0.85
_FEWEST_WORDS = 2
_FEWEST_TO_AGREE = 3


@dataclass(frozen=True, slots=True)
class Judged:
    """share: how much of the site's subject the maker's statement has, 0 to 1."""

    verdict: Verdict
    share: float
    reason: str = ""


def judge(
    site: Statement, official: Statement, weight: Callable[[tuple[str, ...]], float]
) -> Judged:
    """Compare two statements. weight: how telling a word is among all of the maker's."""
    share, shared = _subject_share(site, official, weight)
    own = any(official.own_terms.intersection(group) for group in site.subject)
    if not own or shared < _FEWEST_WORDS or share < SAME_SUBJECT or _another_thing(site, official):
        return Judged("unrelated", share)
    found = _by_values(site, official, share) or _by_kinds(site, official, share)
    if found is not None and found.verdict == "contradiction":
        return found
    if share >= _SURELY_SAME and denies(site.text, official.text):
        return Judged("contradiction", share, "one says what the other one denies")
    if found is not None:
        return found
    enough = len(site.subject) >= _FEWEST_TO_AGREE and share >= _SAME_WORDS
    if enough and not site.quantities:
        return Judged("agreement", share, "the same in nearly the same words")
    return Judged("open", share)


def _subject_share(
    site: Statement, official: Statement, weight: Callable[[tuple[str, ...]], float]
) -> tuple[float, int]:
    """Return how much of what the site speaks of is there, and how many words and names that is.

    A part that both name says what is meant as well as words do, in any language.
    """
    parts = [(code,) for code in sorted(site.codes & official.codes)]
    shared = [group for group in site.subject if official.terms.intersection(group)]
    total = sum(weight(group) for group in (*site.subject, *parts))
    found = sum(weight(group) for group in (*shared, *parts))
    return (found / total if total else 0.0), len(shared) + len(parts)


def _another_thing(site: Statement, official: Statement) -> bool:
    """Whether a name or qualifier tells that another part is meant."""
    missing = _missing_codes(site, official)
    if missing and official.codes and not _is_asked_code(official, missing):
        return True
    if missing and len(site.codes) > 1 and _row_of_another(official, missing):
        return True
    for kind, named in site.kinds.items():
        others = official.kinds.get(kind)
        if tells_apart(kind) and others is not None and not named & others:
            return True
    return False


def _row_of_another(official: Statement, missing: list[str]) -> bool:
    """Whether it is the row of a table about another part than the one that is named."""
    if CELL_SEPARATOR not in official.text:
        return False
    head = Statement(official.text.split(CELL_SEPARATOR)[0])
    return any(_alike(code, other) for code in missing for other in head.codes)


def _names(official: Statement, code: str) -> bool:
    everything = f"{official.text} {official.context}".casefold()
    return code in everything


def _missing_codes(site: Statement, official: Statement) -> list[str]:
    return [code for code in site.codes if not _names(official, code)]


def _is_asked_code(official: Statement, missing: list[str]) -> bool:
    """Whether the code is what is claimed: its like stands in the maker's statement."""
    return len(missing) == 1 and any(_alike(missing[0], code) for code in official.codes)


def _by_values(site: Statement, official: Statement, share: float) -> Judged | None:
    """Compare values of the same dimension; names of parts too, where they are the value."""
    missing = _missing_codes(site, official)
    instead = sorted(code for code in official.codes if missing and _alike(missing[0], code))
    if instead:
        if share < _SURELY_SAME:
            return Judged("unrelated", share)
        return Judged("contradiction", share, f"{missing[0]} instead of {', '.join(instead)}")
    same, other = _matched(site, official)
    if other and missing:  # nothing says that the same part is meant
        return Judged("unrelated", share)
    if other:
        ours, theirs = other[0]
        return Judged("contradiction", share, f"{ours.text} instead of {theirs.text}")
    if same:
        return Judged("agreement", share, ", ".join(each.text for each in same))
    if site.codes and any("-" in code and code[0].isdigit() for code in site.codes):
        return Judged("agreement", share, ", ".join(sorted(site.codes)))
    return None


def _matched(
    site: Statement, official: Statement
) -> tuple[list[Quantity], list[tuple[Quantity, Quantity]]]:
    """Return the site's values that the maker gives too, and those it gives otherwise.

    A value beside which the maker gives none of its dimension is neither; nor is one that
    lies within a range of the maker's, or beside which other words stand, or where the maker's
    only says when something holds: then it is the value of something else.
    """
    same: list[Quantity] = []
    other: list[tuple[Quantity, Quantity]] = []
    for value in site.quantities:
        theirs = [each for each in official.quantities if each.dimension == value.dimension]
        if any(value.same_as(each) for each in theirs):
            same.append(value)
        elif _tells_more(site, value, theirs):
            continue
        elif theirs and not any(value.within(each) for each in theirs):
            of_the_same = [
                each
                for each in theirs
                if site.around(value) & official.around(each)
                and (site.is_condition(value) or not official.is_condition(each))
            ]
            other += [(value, each) for each in of_the_same[:1]]
    return same, other


def _tells_more(site: Statement, value: Quantity, theirs: list[Quantity]) -> bool:
    """Whether the site gives more values of a dimension: then nobody knows which is meant."""
    ours = [each for each in site.quantities if each.dimension == value.dimension]
    return len(ours) > len(theirs) and any(a.same_as(b) for a in ours for b in theirs)


def _by_kinds(site: Statement, official: Statement, share: float) -> Judged | None:
    for kind, named in site.kinds.items():
        others = official.kinds.get(kind)
        if tells_apart(kind) or others is None:
            continue
        if not named & others:
            return Judged("contradiction", share, "another one of the same kind")
        no_values = not site.quantities
        if no_values and len(named) == 1 == len(others) and share >= _SURELY_SAME:
            return Judged("agreement", share, "the same of its kind")
    return None


def _alike(one: str, other: str) -> bool:
    """Whether two codes are built alike: "e07" and "e12", "72-2011" and "72-2012"."""
    return one != other and _shape(one) == _shape(other)


def _shape(code: str) -> str:
    return "".join("0" if character.isdigit() else character for character in code)
