"""Parts with a dot between them, laid into lines so that no dot dangles at the end of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QFontMetrics

DOT = " · "


def in_lines(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return a text with a line break in place of each dot whose next part has no room."""
    if DOT not in text or metrics.horizontalAdvance(text) <= width:
        return text
    lines = [""]
    for part in text.split(DOT):
        longer = f"{lines[-1]}{DOT}{part}" if lines[-1] else part
        if lines[-1] and metrics.horizontalAdvance(longer) > width:
            lines.append(part)
        else:
            lines[-1] = longer
    return "\n".join(lines)
