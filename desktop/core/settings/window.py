"""How the window looks and speaks."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from desktop.core.settings.sections import AT_ONCE, HIDDEN, Section

LEAST_TEXT_PERCENT, MOST_TEXT_PERCENT = 80, 200


class WindowSettings(Section):
    """How the window looks, and which language it speaks."""

    scheme: Literal["system", "light", "dark"] = Field(
        default="system",
        title="Appearance",
        description="Light reads best in the sun, dark in a dark plant room.",
        json_schema_extra=AT_ONCE,
    )
    high_contrast: Literal["system", "on", "off"] = Field(
        default="system",
        title="High contrast",
        description="Black on white or white on black, with strong borders.",
        json_schema_extra=AT_ONCE,
    )
    text_percent: int = Field(
        default=100,
        ge=LEAST_TEXT_PERCENT,
        le=MOST_TEXT_PERCENT,
        multiple_of=5,
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
    language: Literal["system", "en", "de"] = Field(
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
