"""Motion that a person can switch off: every animation asks here how long it may take."""

from __future__ import annotations

from desktop.ui.theme import theme


def moving() -> bool:
    """Whether things may pulse, glide and fade."""
    return not theme().look.still


def milliseconds(duration: int) -> int:
    """Return how long an animation takes: no time at all where motion is reduced."""
    return duration if moving() else 0
