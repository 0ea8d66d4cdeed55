"""The blocks that say why an answer ended without being one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.ui.chat.turn_parts import ProblemBlock
from desktop.ui.language import told

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.events import ErrorEvent


def interruption(ask_again: Callable[[], object]) -> ProblemBlock:
    """Return the block of an answer that ended with the program."""
    return ProblemBlock(
        _tr("The answer was interrupted"),
        _tr("Groundwork ended before it was complete."),
        _tr("Ask again"),
        ask_again,
    )


def failure(fatal: ErrorEvent | None, ask_again: Callable[[], object]) -> ProblemBlock:
    """Return the block of a question that failed. fatal: what ended it, if that was said."""
    title, advice = _tr("The question could not be answered"), _tr("Ask it again.")
    if fatal is not None:
        title, advice = told(fatal.message), told(fatal.suggestion)
    return ProblemBlock(title, advice, _tr("Ask again"), ask_again)


def _tr(text: str) -> str:
    return QCoreApplication.translate("TurnEndings", text)
