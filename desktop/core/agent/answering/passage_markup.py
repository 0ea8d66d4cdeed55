"""Passages as a language model reads them: numbered, labelled, and unable to pretend.

What a manual says is data. Nothing in it may end its passage, open another one, look like a
citation, a field of the prompt or a control token of a model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.agent.context import note_number
from desktop.core.language.untrusted_text import neutral

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.agent.answering.passages import NumberedPassage

_LONGEST_LABEL = 120


def passages_text(passages: Iterable[NumberedPassage]) -> str:
    """Return all passages for a prompt, each between its own tags."""
    return "\n\n".join(passage_text(passage) for passage in passages)


def passage_text(passage: NumberedPassage) -> str:
    """Return one passage between its tags, with manual, printed page and section."""
    parts = [passage.manual, f"page {passage.page_label}", passage.section]
    if note_number(passage.evidence.document_id) is not None:
        parts = [passage.evidence.title]
    label = ", ".join(filter(None, map(_label, parts)))
    body = "\n".join(neutral(line) for line in passage.lines)
    return f"<passage {passage.number}: {label}>\n{body}\n</passage {passage.number}>"


def _label(text: str) -> str:
    line = " ".join(neutral(text).split()).replace("<", "‹").replace(">", "›")
    return line if len(line) <= _LONGEST_LABEL else line[:_LONGEST_LABEL].rsplit(" ", 1)[0] + " …"
