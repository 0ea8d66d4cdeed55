"""What the site believes against what the maker says: every pair about the same thing.

What the maker says about the same thing is searched for like a question, or else found
by shared words; how the two relate is decided by the comparison of statements
(`core/claims`). Where that is not sure, nothing is stated: the pair is shown side by
side, likely contradictions first.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from desktop.core.claims.comparison import CARRIES, STATED, values_missing
from desktop.core.quantities import order_of, plain, quantities_in
from desktop.core.question.tokens import index_term_set
from desktop.core.research.report import (
    AGREEMENTS,
    CONTRADICTED,
    CONTRADICTIONS,
    MANUAL_SAYS,
    MAY_CONTRADICT,
    NO_AGREEMENT,
    NO_CONTRADICTION,
    NOT_DECIDED,
    SITE_SAYS,
    SUPPORTED,
    DraftSentence,
)
from desktop.core.research.sources import statements_of, tier_of_item
from desktop.core.structure.sentences import sentences_of
from desktop.core.structure.units import row_with_headings
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from desktop.core.claims.comparison import Comparison
    from desktop.core.research.sources import SourceBook
    from desktop.core.settings.sections import ReasoningSettings

Verdict = Literal["agreement", "contradiction", "open", "unrelated"]
"""open: about the same thing, but nobody knows whether they agree."""

_SITE_TIER = 4
_MAY_BE_ABOUT, _ABOUT_THE_SAME = 0.25, 0.5
"""Shares of a statement's words, weighed by how rare they are, that the other one has; or the
chance that it agrees or contradicts, and does not leave it open."""
_COMPARED = 8  # of the maker's statements, for each of the site's
_MAY_CONTRADICT: Final = 0.65
"""From here on. Of 346 labelled statements on 18 manuals, a fifth of them about something beside
it: 84 found so, 51 contradict, 18 agree. Of 10 and 10 free notes: 8 that contradict, none that
agrees."""
_MOST_DECIDING = 3


class PairVerdict(BaseModel):
    """What a model says of one pair of statements."""

    model_config = ConfigDict(extra="forbid")

    pair: int = Field(ge=1)
    verdict: Literal["agreement", "contradiction", "unrelated"]


@dataclass(frozen=True, slots=True)
class Statement:
    """text: its words. told: as a person reads it, a row with its headings. terms: of both.

    number: of the source in the context of the research. place: its url and the unit of its page.
    """

    text: str
    told: str
    terms: frozenset[str]
    number: int
    place: tuple[str, int] = ("", 0)


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """What site and maker say of one thing. against: how likely they contradict each other."""

    site: Statement
    official: Statement
    verdict: Verdict
    reason: str = ""
    against: float = 0.0

    @property
    def may_contradict(self) -> bool:
        """Whether it is worth a look first: amounts of a kind differ, or a likely contradiction."""
        return self.verdict == "open" and (bool(self.reason) or self.against >= _MAY_CONTRADICT)

    def as_object(self) -> dict[str, Any]:
        """Return plain values for a `ResultEvent`; sources are numbers of the context."""
        return {
            "verdict": self.verdict,
            "site_statement": self.site.text,
            "site_source": self.site.number,
            "official_statement": self.official.told,
            "official_source": self.official.number,
            "reason": self.reason,
        }


def compared(
    context: Sequence[Mapping[str, Any]],
    book: SourceBook,
    settings: ReasoningSettings,
    comparison: Comparison,
    seconds: float = math.inf,
) -> tuple[list[ComparedPair], int]:
    """Return, for each statement of the site, the maker's statement to compare it with.

    Statements that the maker says nothing about are left out. Blocks: a model reads.

    seconds: after this time no further statement is begun.

    Returns: also how many statements were not compared for want of time.

    Raises: ModelError.
    """
    end = perf_counter() + seconds
    best, worst = settings.mode_configs.monitor.compare_tiers
    official = statements_in(context, book, lambda tier: tier <= best)
    site = statements_in(context, book, lambda tier: min(_SITE_TIER, worst) <= tier <= worst)
    weight = _weights_of(official)
    found: dict[str, ComparedPair] = {}
    for done, statement in enumerate(site):
        if perf_counter() > end:
            return list(found.values()), len(site) - done
        if statement.text.casefold() not in found:
            near = _found(statement, official, book, weight)
            pair = _compared(statement, near, comparison)
            if pair is not None:
                found[statement.text.casefold()] = pair
    return list(found.values()), 0


def claim_lines(
    claim: str, context: Sequence[Mapping[str, Any]], book: SourceBook, comparison: Comparison
) -> list[DraftSentence]:
    """Return a heading that tells whether a claim holds, and the statements that decide it.

    The best tier that has something to say decides. Empty if no source is surely about
    it.

    Raises: ModelError.
    """
    statements = statements_in(context, book, lambda _: True)
    claimed = Statement(claim, claim, index_term_set(claim), 0)
    weight = _weights_of(statements)
    near = _nearest(claimed, statements, weight)
    judged = _both_ways([(each.told, claim) for _, each in near], comparison)
    verdicts = [
        (both.verdict(claim, each.told), each) for both, (_, each) in zip(judged, near, strict=True)
    ]
    decided = [pair for pair in verdicts if pair[0] != "open"]
    if not decided:
        return []
    best = min(tier_of_item(context[each.number - 1]) for _, each in decided)
    decided = [pair for pair in decided if tier_of_item(context[pair[1].number - 1]) == best]
    agrees = [each for verdict, each in decided if verdict == "agreement"]
    against = [each for verdict, each in decided if verdict == "contradiction"]
    heading = SUPPORTED if agrees else CONTRADICTED
    lines = [DraftSentence(heading, (), False, True, 0)]
    for line, each in enumerate((agrees or against)[:_MOST_DECIDING], 1):
        text = each.told.replace("[", "(").replace("]", ")")
        lines.append(DraftSentence(text, (each.number,), True, False, line))
    return lines


def settled_by_model(
    found: Sequence[ComparedPair], verdicts: Mapping[int, Verdict]
) -> tuple[ComparedPair, ...]:
    """Return the pairs with a language model's verdict where the comparison was not sure.

    verdicts: by the position among those that are open. An amount that the manual does not have
    agrees with nothing, whatever a model says.
    """
    settled: list[ComparedPair] = []
    position = 0
    for each in found:
        if each.verdict == "open":
            verdict = verdicts.get(position, "open")
            position += 1
            other_amounts = bool(values_missing(each.site.text, each.official.told))
            if verdict == "contradiction" or (verdict == "agreement" and not other_amounts):
                reason = said("the language model's reading")
                each = replace(each, verdict=verdict, reason=reason)
        settled.append(each)
    return tuple(settled)


def monitor_draft(found: Iterable[ComparedPair]) -> str:
    """Return the lists of contradictions, agreements and undecided pairs as a draft."""
    listed = list(found)
    lines: list[str] = []
    for heading, verdict, nothing in (
        (CONTRADICTIONS, "contradiction", NO_CONTRADICTION),
        (AGREEMENTS, "agreement", NO_AGREEMENT),
    ):
        lines += [f"## {heading}"]
        lines += [_line(each) for each in listed if each.verdict == verdict] or [nothing]
        lines += [""]
    undecided = [each for each in listed if each.verdict == "open"]
    undecided.sort(key=lambda each: (not each.reason, -each.against))
    for heading, likely in ((MAY_CONTRADICT, True), (NOT_DECIDED, False)):
        if told := [_line(each) for each in undecided if each.may_contradict == likely]:
            lines += [f"## {heading}", *told, ""]
    return "\n".join(lines).rstrip()


@dataclass(frozen=True, slots=True)
class _BothWays:
    """What two statements say of each other: what is stated must not depend on which comes first.

    agrees: how likely the site's says what the maker's says. least_against, against: how likely
    they contradict each other, the lesser of both ways and the mean. about: the mean of how likely
    the one says anything of the other.
    """

    agrees: float
    least_against: float
    against: float
    about: float

    def verdict(self, said: str, manual: str) -> Verdict:
        """Return what is stated; an amount that the manual does not have agrees with nothing."""
        if self.agrees >= CARRIES and not values_missing(said, manual):
            return "agreement"
        return "contradiction" if self.least_against >= STATED else "open"


def _both_ways(pairs: Sequence[tuple[str, str]], comparison: Comparison) -> list[_BothWays]:
    there = comparison.compare(pairs)
    back = comparison.compare([(said, manual) for manual, said in pairs])
    return [
        _BothWays(
            one.agree,
            min(one.contradict, other.contradict),
            (one.contradict + other.contradict) / 2,
            (one.agree + one.contradict + other.agree + other.contradict) / 2,
        )
        for one, other in zip(there, back, strict=True)
    ]


def _compared(
    statement: Statement, near: Sequence[tuple[float, Statement]], comparison: Comparison
) -> ComparedPair | None:
    """Return the pair that decides, None if the maker says nothing about the same thing.

    near: what the maker says, likeliest first, with the share of the statement's words.
    A manual gives several values of a thing: it is enough that one of them is the
    site's.
    """
    judged = _both_ways([(each.told, statement.text) for _, each in near], comparison)
    ranks = {place: rank for rank, place in enumerate(dict.fromkeys(e.place for _, e in near))}
    found = [
        (
            ranks[each.place],
            -both.about,
            ComparedPair(
                statement, each, both.verdict(statement.text, each.told), "", both.against
            ),
        )
        for both, (share, each) in zip(judged, near, strict=True)
        if max(share, both.about) >= _ABOUT_THE_SAME
    ]
    # of a unit's sentences the one that is most about it: the right one in 41 of 47
    found.sort(key=lambda ranked: ranked[:2])
    for wanted in ("agreement", "contradiction"):
        decided = next((pair for *_, pair in found if pair.verdict == wanted), None)
        if decided is not None:
            return decided
    if not found:
        return None
    *_, likeliest = found[0]
    return replace(likeliest, reason=_other_amounts(statement, likeliest.official))


def _found(
    statement: Statement,
    official: Sequence[Statement],
    book: SourceBook,
    weight: Callable[[str], float],
) -> list[tuple[float, Statement]]:
    """Return what a search found about a statement, likeliest first, then what shares its words."""
    by_words = _nearest(statement, official, weight)
    order = {place: number for number, place in enumerate(book.found_for(statement.text))}
    searched = sorted(
        (each for each in official if each.place in order), key=lambda each: order[each.place]
    )
    shares = {id(each): share for share, each in by_words}
    first = [(shares.get(id(each), 0.0), each) for each in searched]
    others = [pair for pair in by_words if pair[1].place not in order]
    return [*first, *others][:_COMPARED]


def _nearest(
    statement: Statement, others: Sequence[Statement], weight: Callable[[str], float]
) -> list[tuple[float, Statement]]:
    """Return statements about the same thing, likeliest first, with their share of the words."""
    total = sum(map(weight, statement.terms)) or 1.0
    shares = [(sum(map(weight, statement.terms & each.terms)) / total, each) for each in others]
    near = [pair for pair in shares if pair[0] >= _MAY_BE_ABOUT]
    return sorted(near, key=lambda pair: (-pair[0], len(pair[1].text)))[:_COMPARED]


def _other_amounts(site: Statement, official: Statement) -> str:
    """Return "3 bar / 2.5 bar" where both give an amount of one kind and the amounts differ."""
    ours, theirs = quantities_in(site.text), quantities_in(official.told)
    for mine in ours:
        orders = {order_of(mine, each): each for each in theirs if mine.unit and each.unit}
        if "=" not in orders and orders.keys() & {"<", ">"}:
            other = orders.get("<") or orders[">"]
            said, told = plain(site.text), plain(official.told)
            return f"{said[mine.start : mine.end]} / {told[other.start : other.end]}"
    return ""


def _line(each: ComparedPair) -> str:
    site, official = _one_sentence(each.site.text), _one_sentence(each.official.told)
    return (
        f"- {SITE_SAYS}{site} [{each.site.number}] {MANUAL_SAYS}{official} [{each.official.number}]"
    )


def _one_sentence(text: str) -> str:
    marks = text.replace("[", "(").replace("]", ")").rstrip(" .")
    return f"“{marks}.”" if marks else "“”"


def statements_in(
    context: Sequence[Mapping[str, Any]], book: SourceBook, wanted: Callable[[int], bool]
) -> list[Statement]:
    """Return the statements of the sources whose tier is wanted."""
    found: list[Statement] = []
    for number, item in enumerate(context, 1):
        if not wanted(tier_of_item(item)):
            continue
        source = book.of(item)
        if source is None:
            told = str(item.get("description", ""))
            texts = sentences_of(told.split("] ", 1)[-1] if told.startswith("[Tier ") else told)
            found += [Statement(text, text, index_term_set(text), number) for text in texts]
            continue
        for unit, text in statements_of(source):
            told = row_with_headings(text, unit.context) if unit.kind == "row" else text
            terms = index_term_set(f"{told}\n{unit.context}")
            found.append(Statement(text, told, terms, number, (source.url, unit.unit_id)))
    return found


def _weights_of(statements: Sequence[Statement]) -> Callable[[str], float]:
    """Return how telling a term is: one that every statement has tells little."""
    counts = Counter(term for each in statements for term in each.terms)
    total = len(statements) + 1
    return lambda term: math.log(1 + total / (1 + counts[term]))
