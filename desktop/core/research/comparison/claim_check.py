"""A claim that is to be verified, against what the sources say about the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.research.comparison.monitor import statements_in, weights_of
from desktop.core.research.comparison.statement import Statement
from desktop.core.research.comparison.verdict import judge
from desktop.core.research.draft import DraftSentence
from desktop.core.research.source_filter import tier_of_item

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.research.sources import SourceBook

SUPPORTED, CONTRADICTED = "The claim is supported", "The claim is contradicted"
_MOST = 3


def claim_lines(
    claim: str, context: Sequence[Mapping[str, Any]], book: SourceBook
) -> list[DraftSentence]:
    """Return a heading that tells whether a claim holds, and the statements that decide it.

    The best tier that has something to say decides. Empty if no source is about it.
    """
    statements = statements_in(context, book, lambda _: True)
    weight = weights_of(statements)
    claimed = Statement(claim)
    judged = [(judge(claimed, each, weight), each) for each in statements]
    decided = [pair for pair in judged if pair[0].verdict in ("agreement", "contradiction")]
    if not decided:
        return []
    best = min(tier_of_item(context[each.number - 1]) for _, each in decided)
    decided = [pair for pair in decided if tier_of_item(context[pair[1].number - 1]) == best]
    most = max(result.share for result, _ in decided)
    decided = [pair for pair in decided if pair[0].share >= most - 0.12]
    agrees = [each for result, each in decided if result.verdict == "agreement"]
    against = [each for result, each in decided if result.verdict == "contradiction"]
    heading = SUPPORTED if agrees else CONTRADICTED
    lines = [DraftSentence(heading, (), False, True, 0)]
    for line, each in enumerate((agrees or against)[:_MOST], 1):
        text = each.told.replace("[", "(").replace("]", ")")
        lines.append(DraftSentence(text, (each.number,), True, False, line))
    return lines
