"""Follow-up questions, told in full: "and for the external one?" cannot be searched for.

A question that leans on the one before gets its words; one that stands alone is never
changed. When in doubt it stands alone: words of another subject do more harm than good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.conversations.leaning import leans
from desktop.core.conversations.question_words import Words, without_lead
from desktop.core.conversations.substitution import opposite_of, same_kind, substituted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONGEST_CHAIN = 4
"""How many questions back a chain of follow-ups is understood."""


def resolved(prompt: str, history: Sequence[Mapping[str, str]]) -> str:
    """Return `prompt` as a question that can be searched for without the ones before.

    history: {"role": "user" or "assistant", "content": text}, oldest first, without
    `prompt`. Returns `prompt` itself if it stands alone or nothing was asked before.
    """
    asked = [each["content"] for each in history if each.get("role") == "user"]
    before = ""
    for question in asked[-LONGEST_CHAIN:]:
        before = _joined(question, before)
    return _joined(prompt, before)


def _joined(prompt: str, before: str) -> str:
    if not before or not leans(prompt):
        return prompt
    rest = without_lead(prompt)
    words = Words.of(rest)
    if words.asks:
        carried = " ".join(_carried(Words.of(before), words))
        return f"{rest} {carried}" if carried else rest
    return substituted(before, rest)


def _carried(before: Words, now: Words) -> list[str]:
    """Return the words of the question before that are still the subject."""
    said = {word.casefold() for word in now.content}
    return [
        word
        for word in before.subject
        if word.casefold() not in said
        and not said.intersection(opposite_of(word))
        and not any(same_kind(word, other) for other in now.content)
    ]
