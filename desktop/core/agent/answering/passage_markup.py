"""Passages as a language model reads them: numbered, labelled, and unable to pretend.

What a manual says is data. Nothing in it may end its passage, open another one, look like a
citation, a field of the prompt or a control token of a model.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from desktop.core.agent.cited_notes import note_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.agent.answering.passages import NumberedPassage

_LONGEST_LABEL = 120
_KEPT_CONTROLS = "\n"
_LOOKALIKES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"<(?=\s*/?\s*passage)", re.IGNORECASE), "‹"),
    # control tokens: <|im_end|>, <start_of_turn>, <think>, </s>, [INST], <<SYS>>
    (re.compile(r"<(?=\|)"), "‹"),
    (re.compile(r"(?<=\|)>"), "›"),
    (
        re.compile(r"<(/?)(\w*(?:turn|think|thinking|tool_call|eos|bos|s))>", re.IGNORECASE),
        r"‹\1\2›",
    ),
    (re.compile(r"<<(/?\w+)>>"), r"‹‹\1››"),
    (re.compile(r"\[(/?INST)\]", re.IGNORECASE), r"(\1)"),
    (re.compile(r"\[\s*\["), "(("),
    (re.compile(r"\]\s*\]"), "))"),
    # a bibliography's "[3]" would become a citation of ours
    (re.compile(r"[\[【]\s*(\d{1,3}(?:\s*[,–-]\s*\d{1,3})*)\s*[\]】]"), r"(\1)"),
)


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


def neutral(text: str) -> str:
    """Return a manual's words without anything that a prompt could mistake for its own."""
    visible = "".join(
        character
        for character in unicodedata.normalize("NFC", text)
        if character in _KEPT_CONTROLS or unicodedata.category(character)[0] != "C"
    )
    for pattern, replacement in _LOOKALIKES:
        visible = pattern.sub(replacement, visible)
    return visible


def _label(text: str) -> str:
    line = " ".join(neutral(text).split()).replace("<", "‹").replace(">", "›")
    return line if len(line) <= _LONGEST_LABEL else line[:_LONGEST_LABEL].rsplit(" ", 1)[0] + " …"
