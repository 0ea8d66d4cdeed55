"""Follow-up questions: "And for the external one?" is asked after another question.

A search reads it both ways, by itself and after the question before it (`Query.before`, see
`retrieval/in_context.py`). What has no reader, such as the notes of the site, gets one text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.core.retrieval.query import Question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SAYS_LITTLE: Final = 3
"""Meaningful words of a question that may need the one before it: in the labels (learn, choose)
65 of 100 follow-ups have no more, and 14 of 100 plain questions."""


def question_before(history: Sequence[Mapping[str, str]]) -> str:
    """Return what was asked last, "" before the first question.

    What was asked last may be a follow-up itself: then the question before that stands with it.

    history: {"role": "user" or "assistant", "content": text}, oldest first.
    """
    asked = [each["content"] for each in history if each.get("role") == "user"]
    before: list[str] = []
    for question in reversed(asked):
        before.insert(0, question)
        if not _says_little(question):
            break
    return " ".join(before)


def resolved(prompt: str, history: Sequence[Mapping[str, str]]) -> str:
    """Return `prompt`, after the question before it if it says little by itself."""
    before = question_before(history) if _says_little(prompt) else ""
    return f"{before} {prompt}".strip()


def _says_little(question: str) -> bool:
    return len(Question.parse(question).groups) <= SAYS_LITTLE
