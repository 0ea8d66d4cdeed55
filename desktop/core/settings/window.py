"""Settings of the window and of how it looks."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from pydantic import Field

from desktop.core.settings.migrations import migrate
from desktop.core.settings.sections import AT_ONCE, HIDDEN, Section

if TYPE_CHECKING:
    from pathlib import Path

Scheme = Literal["system", "light", "dark"]
Contrast = Literal["system", "on", "off"]
Language = Literal["system", "en", "de"]

LEAST_TEXT_PERCENT, MOST_TEXT_PERCENT = 80, 200
TEXT_PERCENT_STEP = 5


@dataclass(frozen=True, slots=True)
class Appearance:
    """The fields of `WindowSettings` that are seen at once, with the same defaults."""

    scheme: Scheme = "system"
    high_contrast: Contrast = "system"
    text_percent: int = 100
    reduced_motion: bool = False
    language: Language = "system"


def peek_appearance(path: Path) -> Appearance:
    """Read the look out of the settings file and touch nothing.

    Returns the default look where the file or one of the looks' values cannot be used.
    """
    try:
        window = migrate(json.loads(path.read_text(encoding="utf-8"))).get("window", {})
        known = {each.name: window[each.name] for each in fields(Appearance) if each.name in window}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return Appearance()
    return Appearance(**known) if _usable(known) else Appearance()


def _usable(values: dict[str, Any]) -> bool:
    text = values.get("text_percent", 100)
    return (
        values.get("scheme", "system") in get_args(Scheme)
        and values.get("high_contrast", "system") in get_args(Contrast)
        and values.get("language", "system") in get_args(Language)
        and isinstance(values.get("reduced_motion", False), bool)
        and type(text) is int
        and LEAST_TEXT_PERCENT <= text <= MOST_TEXT_PERCENT
        and text % TEXT_PERCENT_STEP == 0
    )


class WindowSettings(Section):
    """How the window looks, and which language it speaks."""

    scheme: Scheme = Field(
        default="system",
        title="Appearance",
        description="Light reads best in the sun, dark in a dark plant room.",
        json_schema_extra=AT_ONCE,
    )
    high_contrast: Contrast = Field(
        default="system",
        title="High contrast",
        description="Black on white or white on black, with strong borders.",
        json_schema_extra=AT_ONCE,
    )
    text_percent: int = Field(
        default=100,
        ge=LEAST_TEXT_PERCENT,
        le=MOST_TEXT_PERCENT,
        multiple_of=TEXT_PERCENT_STEP,
        title="Text size",
        description="Of the size that the system uses.",
        json_schema_extra=AT_ONCE,
    )
    reduced_motion: bool = Field(
        default=False,
        title="Less motion",
        description="Nothing pulses, glides or fades.",
        json_schema_extra=AT_ONCE,
    )
    language: Language = Field(
        default="system",
        title="Language",
        description="Of the window. Manuals and answers keep their own.",
    )
    welcome_seen: bool = Field(
        default=False,
        title="Welcome page seen",
        description="It is shown once.",
        json_schema_extra=HIDDEN,
    )
