"""How notes are told to people: their kinds, where they are used, how far they are trusted."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def sentence(text: str) -> str:
    """Return a label with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


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


def _tr(text: str) -> str:
    return QCoreApplication.translate("Notes", text)
