"""What a note may be and where it is used, in words for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.ui.language import told
from desktop.ui.notes.words import sentence
from knowledge.pieces import CONTEXT, INSTRUCTIONS, SKILLS, USER_PROFILE, KnowledgeType

if TYPE_CHECKING:
    from desktop.core.notes.note import Note


def kinds() -> list[tuple[KnowledgeType, str]]:
    """Return what a note may be, with names and what they mean."""
    return [
        (KnowledgeType.FACT, _tr("Fact")),
        (KnowledgeType.INSTRUCTION, _tr("Instruction")),
        (KnowledgeType.PROCEDURE, _tr("Procedure")),
        (KnowledgeType.EPISODIC, _tr("What happened")),
        (KnowledgeType.PREFERENCE, _tr("Preference")),
        (KnowledgeType.NOTE, _tr("Observation")),
    ]


def kind(wanted: KnowledgeType) -> str:
    """Return the name of what a note is."""
    return dict(kinds())[wanted]


def uses() -> list[str]:
    """Return the info types that a prompt has sections for; any other word is one too."""
    return [CONTEXT, INSTRUCTIONS, SKILLS, USER_PROFILE]


def entity(kind: str) -> str:
    """Return what a kind of thing is called; one that somebody made up, by its own name."""
    names = {
        "asset": _tr("asset"),
        "site": _tr("site"),
        "user": _tr("person"),
        "note": _tr("note"),
        "manual": _tr("manual"),
    }
    return names.get(kind, kind)


def relation(kind: str) -> str:
    """Return what a relation is called, in the middle of a sentence."""
    words = kind.replace("_", " ").casefold()
    return {"stands at": _tr("stands at"), "has part": _tr("has part")}.get(words, words)


def row(note: Note, day: str) -> str:
    """Return the second line of a note in the list."""
    parts = [kind(note.kind), sentence(told(note.scope)) or _tr("All equipment"), day]
    return " · ".join(part for part in parts if part)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Notes", text)
