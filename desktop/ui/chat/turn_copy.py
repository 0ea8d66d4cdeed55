"""An answer with everything it stands on, as plain text for the clipboard."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.ui.chat.answer_text import answer_for_copying

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.events import PageRegion
    from desktop.ui.chat.turn import Turn


def turn_text(turn: Turn, title_of: Callable[[PageRegion], str]) -> str:
    """Return question, answer, warnings and sources of a turn. title_of: names a manual."""

    def titled(source: PageRegion) -> PageRegion:
        return replace(source, document=title_of(source))

    def is_shown(number: int) -> bool:
        return f"[{number}]" in turn.text

    return answer_for_copying(
        turn.question,
        turn.text,
        [
            replace(each, source=titled(each.source), reference="")
            for each in turn.citations
            if is_shown(each.number)
        ],
        [replace(each, source=titled(each.source)) for each in turn.warnings],
        [each for each in turn.notes.events if is_shown(each.number)],
    )
