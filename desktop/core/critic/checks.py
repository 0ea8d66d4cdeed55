"""The critic by rules: an answer against the pages that it cites. Pure, without a model.

Shared by ordinary answers and by deep research: whoever has sentences and passages may ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.agent.answering.statement_facts import Ground
from desktop.core.critic.contradictions import check_contradictions
from desktop.core.critic.steps import check_steps
from desktop.core.critic.support import check_support

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.critic.values import CheckedSentence, CitedPassage, Finding


def check_answer(
    sentences: Sequence[CheckedSentence],
    passages: Sequence[CitedPassage],
    question: str = "",
) -> tuple[Finding, ...]:
    """Return what is wrong with an answer, in the order of its sentences; () if nothing is.

    sentences: the answer's statements, in order. passages: what the citations point to.
    question: what was asked; a value that stands in it needs no page.
    """
    by_number = {passage.number: passage for passage in passages}
    asked = Ground([question])
    findings: list[Finding] = []
    for index, sentence in enumerate(sentences):
        cited = [by_number[number] for number in sentence.cited if number in by_number]
        finding = check_support(index, sentence, cited, asked)
        if finding is not None:
            findings.append(finding)
    findings += check_steps(sentences, passages)
    findings += check_contradictions(sentences, passages)
    return tuple(sorted(findings, key=lambda finding: finding.sentence))
