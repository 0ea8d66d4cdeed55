"""Whether a procedure is told whole: every numbered step of the list that an answer takes up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.agent.answering.statement_facts import Ground
from desktop.core.critic.claim import claim_of
from desktop.core.critic.values import Finding
from desktop.core.retrieval.grounding import STEP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.critic.values import CheckedSentence, CitedPassage, PageQuote

_SAME = 0.6  # of a step's words, for a sentence that tells it
_SURELY_A_LIST = 3
"""An answer with so many steps of a list means the list, whatever was asked."""

Run = list["PageQuote"]


def runs_of_steps(quotes: Sequence[PageQuote]) -> list[Run]:
    """Return the numbered lists of a page, each from its step 1 on, in order."""
    runs: list[Run] = []
    for quote in quotes:
        match = STEP.match(quote.text)
        if match is None or quote.kind == "window":
            continue
        number = int(match.group(1))
        if number == 1:
            runs.append([quote])
        elif runs and number == len(runs[-1]) + 1:
            runs[-1].append(quote)
    return [run for run in runs if len(run) > 1]


def check_steps(
    sentences: Sequence[CheckedSentence], passages: Sequence[CitedPassage], *, procedure: bool
) -> Iterator[Finding]:
    """Yield the steps that an answer leaves out.

    procedure: a procedure was asked for; then two of its steps are enough to mean it.
    """
    enough = 2 if procedure else _SURELY_A_LIST
    seen: set[str] = set()
    for passage in passages:
        for run in runs_of_steps(passage.quotes):
            key = "\n".join(step.text for step in run)
            if key in seen:
                continue
            seen.add(key)
            told = [_teller(step, sentences) for step in run]
            said = [index for index in told if index is not None]
            if len(said) >= min(enough, len(run)):
                yield from _left_out(run, told, passage)


def _left_out(run: Run, told: Sequence[int | None], passage: CitedPassage) -> Iterator[Finding]:
    """Yield a finding for each missing step, at the sentence that tells the step before it."""
    first = next(index for index in told if index is not None)
    for position, (step, teller) in enumerate(zip(run, told, strict=True)):
        if teller is not None:
            continue
        before = [index for index in told[:position] if index is not None]
        where = step.label or passage.label
        page = f"page {where}" if where else passage.place
        message = f"Step {position + 1} of {len(run)} on {page} is missing: “{step.text}”"
        yield Finding(
            "missing_step", before[-1] if before else first, message, (), step, passage.number
        )


def _teller(step: PageQuote, sentences: Sequence[CheckedSentence]) -> int | None:
    """Return the sentence that tells most of a step's words, None if none tells enough."""
    claim = claim_of(STEP.sub("", step.text, count=1))
    best, found = _SAME, None
    for index, sentence in enumerate(sentences):
        share = claim.share_in(Ground([sentence.text]))
        if share > best or (found is None and share >= best):
            best, found = share, index
    return found
