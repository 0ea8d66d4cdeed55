"""How notes are described to people: their kinds, where they are used, how far trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.sentences import message
from desktop.ui import wording
from desktop.ui.design.notices import in_sentences
from desktop.ui.language import told, tr
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
    return tr("1 note") if count == 1 else tr("{n} notes").format(n=wording.number(count))


def saved(count: int) -> str:
    """Return "Note saved", "3 notes saved"."""
    if count == 1:
        return tr("Note saved")
    return tr("{n} notes saved").format(n=wording.number(count))


def tier(number: int) -> str:
    """Return "Tier 4: site note", how far a kind of source is to be trusted."""
    kinds = {
        1: tr("maker's manual or standard"),
        2: tr("bulletin or company procedure"),
        3: tr("training material"),
        4: tr("site note"),
        5: tr("unverified"),
    }
    return tr("Tier {n}: {kind}").format(n=number, kind=kinds.get(number, tr("unknown")))


def tiers() -> list[tuple[int, str]]:
    """Return the tiers that a note may have, with their names."""
    return [(number, tier(number)) for number in TIERS]


def kinds() -> list[tuple[KnowledgeType, str]]:
    """Return what a note may be, with names and what they mean."""
    return [
        (KnowledgeType.FACT, tr("Fact")),
        (KnowledgeType.INSTRUCTION, tr("Instruction")),
        (KnowledgeType.PROCEDURE, tr("Procedure")),
        (KnowledgeType.EPISODIC, tr("What happened")),
        (KnowledgeType.PREFERENCE, tr("Preference")),
        (KnowledgeType.NOTE, tr("Observation")),
    ]


def kind(wanted: KnowledgeType) -> str:
    """Return the name of what a note is."""
    return dict(kinds())[wanted]


def uses() -> list[str]:
    """Return the info types that a prompt has sections for; any other word is one too."""
    return [CONTEXT, INSTRUCTIONS, SKILLS, USER_PROFILE]


def row(note: Note, day: str) -> str:
    """Return the second line of a note in the list."""
    parts = [kind(note.kind), sentence(told(note.scope)) or tr("All equipment"), day]
    return " · ".join(part for part in parts if part)


def failure_said(failure: BaseException) -> str:
    """Return what happened and what to do next, in sentences."""
    if isinstance(failure, KnowledgeError):
        return told(message(failure))
    return in_sentences(failure)


def tags(text: str) -> tuple[str, ...]:
    """Return the tags that somebody wrote, separated by commas, each once."""
    found = (" ".join(each.split()) for each in text.replace("\n", ",").split(","))
    return tuple(dict.fromkeys(each for each in found if each))
