"""The ways a question can be asked, in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

ASK = ""
MODES = (ASK, "strict", "discovery", "monitor")
ICONS = {ASK: "search", "strict": "telescope", "discovery": "telescope", "monitor": "telescope"}


def mode_name(mode: str) -> str:
    """Return what a mode is called on a button."""
    names = {
        ASK: _tr("Quick answer"),
        "strict": _tr("Research: strict"),
        "discovery": _tr("Research: discovery"),
        "monitor": _tr("Research: monitor"),
    }
    return names[mode]


def short_name(mode: str) -> str:
    """Return what a mode is called where there is little room."""
    names = {
        ASK: _tr("Quick"),
        "strict": _tr("Strict"),
        "discovery": _tr("Discovery"),
        "monitor": _tr("Monitor"),
    }
    return names[mode]


def mode_advice(mode: str) -> str:
    """Return what a mode is for, in a sentence."""
    advice = {
        ASK: _tr("An answer in seconds, from the best pages."),
        "strict": _tr(
            "Looks into it in several rounds; only makers' manuals, standards, bulletins and "
            "procedures count."
        ),
        "discovery": _tr("Looks into it in several rounds, in everything, and warns of weak ones."),
        "monitor": _tr("Compares what the site's notes say with what the maker says."),
    }
    return advice[mode]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Research", text)
