"""When an answer is worth a language model's look after the rules have seen it.

The rules compare every sentence with the cited words. Where they find nothing wrong with a plain
statement of one page, a model finds nothing either, and on a slow machine its look takes as long
as the answer took. It sees more where an answer was flawed once, where a step may be left out,
and where two pages may differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.retrieval.grounding import STEP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.critic.values import CitedPassage, Finding


def worth_a_model(findings: Sequence[Finding], passages: Sequence[CitedPassage]) -> bool:
    """Whether the rules found something, or the answer is a procedure or cites several pages."""
    if findings:
        return True
    if len({(passage.document_id, passage.page) for passage in passages}) > 1:
        return True
    return any(STEP.match(quote.text) for passage in passages for quote in passage.touched)
