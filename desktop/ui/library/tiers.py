"""How far documents are to be trusted, and their kinds, in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.core.tiers import BEST_TIER, UNVERIFIED_TIER

TIERS = range(BEST_TIER, UNVERIFIED_TIER + 1)


def title(tier: int) -> str:
    """Return "1 · Maker's manual or standard"."""
    names = (
        _tr("Maker’s manual or standard"),
        _tr("Bulletin or company procedure"),
        _tr("Training material"),
        _tr("Site note"),
        _tr("Unverified"),
    )
    return f"{tier} · {names[tier - BEST_TIER]}"


def kind(source_type: str) -> str:
    """Return the kind of a document; one that a person has named stays as it is."""
    known = {
        "manual": _tr("Manual"),
        "standard": _tr("Standard"),
        "bulletin": _tr("Bulletin"),
        "procedure": _tr("Procedure"),
        "training": _tr("Training"),
        "site note": _tr("Site note"),
        "unverified": _tr("Unverified"),
    }
    return known.get(source_type, source_type)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Tiers", text)
