"""What the site believes against what the maker says: every pair that is about the same.

Which pair is about the same is told by shared words, what they say of it by the comparison of
statements (`core/claims`). Where that is not sure, nothing is stated: the pair is shown side by
side, those with other amounts first.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from desktop.core.claims.comparison import (
    CARRIES,
    ITEM_SIGN,
    STATED,
    Compared,
    values_missing,
)
from desktop.core.quantities import order_of, plain, quantities_in
from desktop.core.research.report import (
    AGREEMENTS,
    CONTRADICTIONS,
    NO_AGREEMENT,
    NO_CONTRADICTION,
    NOT_DECIDED,
    DraftSentence,
)
from desktop.core.research.source_filter import tier_of_item
from desktop.core.retrieval.tokens import index_term_set
from desktop.core.structure.sentences import sentence_spans, sentences_of
from desktop.core.structure.units import row_with_headings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from desktop.core.claims.comparison import Comparison
    from desktop.core.research.sources import ResearchSource, SourceBook
    from desktop.core.settings.sections import ReasoningSettings

Verdict = Literal["agreement", "contradiction", "open", "unrelated"]
"""open: about the same thing, but nobody knows whether they agree."""

SUPPORTED, CONTRADICTED = "The claim is supported", "The claim is contradicted"
_SITE_TIER = 4
_MAY_BE_ABOUT, _ABOUT_THE_SAME = 0.25, 0.5
"""Shares of a statement's words, weighed by how rare they are, that the other one has; or the
chance that it agrees or contradicts, and does not leave it open."""
_COMPARED = 12  # of the maker's statements, for each of the site's
_MOST_OPEN: Final = 20
_MOST_DECIDING = 3
_SKIPPED = frozenset({"heading", "label", "caption", "window"})


class PairVerdict(BaseModel):
    """What a model says of one pair of statements."""

    model_config = ConfigDict(extra="forbid")

    pair: int = Field(ge=1)
    verdict: Literal["agreement", "contradiction", "unrelated"]


@dataclass(frozen=True, slots=True)
class Statement:
    """text: its words. told: as a person reads it, a row with its headings. terms: of both.

    number: of the source in the context of the research.
    """

    text: str
    told: str
    terms: frozenset[str]
    number: int


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """A statement of the site beside the maker's about the same. share: of its words."""

    site: Statement
    official: Statement
    verdict: Verdict
    reason: str = ""
    share: float = 0.0

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
) -> list[ComparedPair]:
    """Return for each statement of the site the maker's one that it is to be compared with.

    Statements that nothing of the maker's is about are left out. Blocks: a model reads.

    Raises: ModelError.
    """
    best, worst = settings.mode_configs.monitor.compare_tiers
    official = statements_in(context, book, lambda tier: tier <= best)
    site = statements_in(context, book, lambda tier: min(_SITE_TIER, worst) <= tier <= worst)
    weight = _weights_of(official)
    found: dict[str, ComparedPair] = {}
    for statement in site:
        if statement.text.casefold() not in found:
            pair = _compared(statement, official, weight, comparison)
            if pair is not None:
                found[statement.text.casefold()] = pair
    return list(found.values())


def claim_lines(
    claim: str, context: Sequence[Mapping[str, Any]], book: SourceBook, comparison: Comparison
) -> list[DraftSentence]:
    """Return a heading that tells whether a claim holds, and the statements that decide it.

    The best tier that has something to say decides. Empty if no source surely is about it.

    Raises: ModelError.
    """
    statements = statements_in(context, book, lambda _: True)
    claimed = Statement(claim, claim, index_term_set(claim), 0)
    weight = _weights_of(statements)
    near = _nearest(claimed, statements, weight)
    judged = _both_ways([(each.told, claim) for _, each in near], comparison)
    decided = [
        (_verdict(said), each)
        for said, (_, each) in zip(judged, near, strict=True)
        if _verdict(said) != "open"
    ]
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
        if each.verdict != "open":
            settled.append(each)
            continue
        said = verdicts.get(position, "open")
        position += 1
        other_amounts = bool(values_missing(each.site.text, each.official.told))
        if said == "contradiction" or (said == "agreement" and not other_amounts):
            settled.append(replace(each, verdict=said, reason="the language model's reading"))
        else:
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
    undecided = sorted(
        (each for each in listed if each.verdict == "open"),
        key=lambda each: (not each.reason, -each.share),
    )
    if undecided:
        lines += [f"## {NOT_DECIDED}", *(_line(each) for each in undecided[:_MOST_OPEN])]
    return "\n".join(lines).rstrip()


def _compared(
    statement: Statement,
    official: Sequence[Statement],
    weight: Callable[[str], float],
    comparison: Comparison,
) -> ComparedPair | None:
    """Return the pair that decides, None if the maker says nothing about the same.

    A manual gives several values of a thing: it is enough that one of them is the site's.
    """
    near = _nearest(statement, official, weight)
    judged = _both_ways([(each.told, statement.text) for _, each in near], comparison)
    found = [
        ComparedPair(statement, each, _verdict(said), "", share)
        for said, (share, each) in zip(judged, near, strict=True)
        if max(share, said.agree + said.contradict) >= _ABOUT_THE_SAME
    ]
    for wanted in ("agreement", "contradiction"):
        decided = next((pair for pair in found if pair.verdict == wanted), None)
        if decided is not None:
            return decided
    if not found:
        return None
    about = {
        id(each): said.agree + said.contradict for said, (_, each) in zip(judged, near, strict=True)
    }
    best = max(found, key=lambda pair: (about[id(pair.official)], pair.share))
    return replace(best, reason=_other_amounts(statement, best.official))


def _both_ways(pairs: Sequence[tuple[str, str]], comparison: Comparison) -> list[Compared]:
    """Compare pairs both ways round: what is stated must not depend on which comes first."""
    there = comparison.compare(pairs)
    back = comparison.compare([(said, manual) for manual, said in pairs])
    return [
        Compared(one.agree, min(one.contradict, other.contradict))
        for one, other in zip(there, back, strict=True)
    ]


def _verdict(compared_with: Compared) -> Verdict:
    if compared_with.agree >= CARRIES:
        return "agreement"
    return "contradiction" if compared_with.contradict >= STATED else "open"


def _nearest(
    statement: Statement, others: Sequence[Statement], weight: Callable[[str], float]
) -> list[tuple[float, Statement]]:
    """Return what is about the same, likeliest first, with the share of the words."""
    total = sum(map(weight, statement.terms)) or 1.0
    shares = [(sum(map(weight, statement.terms & each.terms)) / total, each) for each in others]
    near = [pair for pair in shares if pair[0] >= _MAY_BE_ABOUT]
    return sorted(near, key=lambda pair: (-pair[0], len(pair[1].text)))[:_COMPARED]


def _other_amounts(site: Statement, official: Statement) -> str:
    """Return "3 bar / 2.5 bar" where both give one amount of a kind, and another one."""
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
    return f"- The site says: {site} [{each.site.number}] " + (
        f"The manual says: {official} [{each.official.number}]"
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
            texts = sentences_of(_without_prefix(str(item.get("description", ""))))
            found += [Statement(text, text, index_term_set(text), number) for text in texts]
        else:
            found += _of_source(source, number)
    return found


def _of_source(source: ResearchSource, number: int) -> Iterator[Statement]:
    for unit in source.evidence.passages:
        if unit.kind in _SKIPPED or source.evidence.contents:
            continue
        texts = [unit.text]
        if unit.kind != "row":
            words = unit.text.split()
            texts = [" ".join(words[first:last]) for first, last in sentence_spans(words)]
        for text in texts:
            said = ITEM_SIGN.sub("", " ".join(text.split()))
            told = row_with_headings(text, unit.context) if unit.kind == "row" else said
            yield Statement(said, told, index_term_set(f"{told}\n{unit.context}"), number)


def _weights_of(statements: Sequence[Statement]) -> Callable[[str], float]:
    """Return how telling a term is: one that every statement has tells little."""
    counts = Counter(term for each in statements for term in each.terms)
    total = len(statements) + 1
    return lambda term: math.log(1 + total / (1 + counts[term]))


def _without_prefix(description: str) -> str:
    return description.split("] ", 1)[-1] if description.startswith("[Tier ") else description
