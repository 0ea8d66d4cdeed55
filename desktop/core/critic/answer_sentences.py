"""An answer's text as statements with their citations, each with its place in the stream."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.critic.values import CheckedSentence
from desktop.core.events import RevisionEvent, TokenEvent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.events import Event

_MARKS = re.compile(r"(?:\s*\[\d{1,3}\])+")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """start: its place in the streamed text. streamed: it with its marks, as it was streamed.

    marks: the signs behind it, " [1][2]". unsupported: what was marked in it already.
    """

    start: int
    streamed: str
    marks: str
    checked: CheckedSentence
    unsupported: tuple[str, ...] = ()


def answer_sentences(events: Iterable[Event]) -> tuple[AnswerSentence, ...]:
    """Split what was streamed; withdrawn sentences are left out.

    Marks belong to the words before them, back to the line's begin.
    """
    streamed = ""
    revisions: list[RevisionEvent] = []
    for event in events:
        if isinstance(event, TokenEvent):
            streamed += event.content
        elif isinstance(event, RevisionEvent):
            revisions.append(event)
    masked = streamed
    for revision in revisions:
        if not revision.new and streamed.startswith(revision.old, revision.start):
            end = revision.start + len(revision.old)
            masked = masked[: revision.start] + " " * len(revision.old) + masked[end:]
    found: list[AnswerSentence] = []
    start = 0
    for line in masked.split("\n"):
        at = 0
        for marks in _MARKS.finditer(line):
            _add(found, start + at, line[at : marks.start()], marks.group(), revisions)
            at = marks.end()
        _add(found, start + at, line[at:], "", revisions)
        start += len(line) + 1
    return tuple(found)


def _add(
    found: list[AnswerSentence],
    start: int,
    text: str,
    marks: str,
    revisions: Iterable[RevisionEvent],
) -> None:
    said = text.strip()
    if not any(character.isalnum() for character in said):
        return
    start += len(text) - len(text.lstrip())
    cited = tuple(dict.fromkeys(int(number) for number in _NUMBER.findall(marks)))
    streamed = text.lstrip() + marks
    if not marks:
        streamed = said
    unsupported = tuple(
        value
        for each in revisions
        if each.start == start and each.new
        for value in each.unsupported
    )
    found.append(AnswerSentence(start, streamed, marks, CheckedSentence(said, cited), unsupported))
