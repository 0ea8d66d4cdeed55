"""How notes are told to people: their kinds, where they are used, how far they are trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.ui import wording
from desktop.ui.language import told
from desktop.ui.problems import explain
from knowledge.errors import KnowledgeError
from knowledge.pieces import CONTEXT, INSTRUCTIONS, SKILLS, USER_PROFILE, KnowledgeType

if TYPE_CHECKING:
    from desktop.core.notes.note import Note

TIERS = (2, 3, 4, 5)
"""A note is never a maker's manual."""


def sentence(text: str) -> str:
    """Return a label with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def notes(count: int) -> str:
    """Return "1 note", "3 notes"."""
    return _tr("1 note") if count == 1 else _tr("{n} notes").format(n=wording.number(count))


def saved(count: int) -> str:
    """Return "Note saved", "3 notes saved"."""
    if count == 1:
        return _tr("Note saved")
    return _tr("{n} notes saved").format(n=wording.number(count))


def tier(number: int) -> str:
    """Return "Tier 4: site note", how far a kind of source is to be trusted."""
    kinds = {
        1: _tr("maker's manual or standard"),
        2: _tr("bulletin or company procedure"),
        3: _tr("training material"),
        4: _tr("site note"),
        5: _tr("unverified"),
    }
    return _tr("Tier {n}: {kind}").format(n=number, kind=kinds.get(number, _tr("unknown")))


def tiers() -> list[tuple[int, str]]:
    """Return the tiers that a note may have, with their names."""
    return [(number, tier(number)) for number in TIERS]


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


def not_kept_yet() -> str:
    """Return what is said of a note that was changed and is not kept."""
    return _tr("Not saved yet")


def failure_said(failure: BaseException) -> str:
    """Return what happened and what to do next, in sentences."""
    if isinstance(failure, KnowledgeError):
        return told(str(failure))
    problem = explain(failure)
    return f"{problem.title}. {problem.advice}"


def tags(text: str) -> tuple[str, ...]:
    """Return the tags that somebody wrote with commas between them, each once."""
    found = (" ".join(each.split()) for each in text.replace("\n", ",").split(","))
    return tuple(dict.fromkeys(each for each in found if each))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Notes", text)
