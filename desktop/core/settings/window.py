"""How the window looks and speaks."""

from __future__ import annotations

from pydantic import Field

from desktop.core.settings.appearance import (
    LEAST_TEXT_PERCENT,
    MOST_TEXT_PERCENT,
    TEXT_PERCENT_STEP,
    Contrast,
    Language,
    Scheme,
)
from desktop.core.settings.sections import AT_ONCE, HIDDEN, Section


class WindowSettings(Section):
    """How the window looks, and which language it speaks."""

    scheme: Scheme = Field(
        default="system",
        title="Theme",
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
        description="Of the usual size.",
        json_schema_extra=AT_ONCE,
    )
    reduced_motion: bool = Field(
        default=False,
        title="Less motion",
        description="Nothing pulses, glides or fades.",
        json_schema_extra=AT_ONCE,
    )
    glove_mode: bool = Field(
        default=False,
        title="Glove mode",
        description="Larger buttons and rows, for gloves and touch screens.",
        json_schema_extra=AT_ONCE,
    )
    dim_pages: bool = Field(
        default=False,
        title="Dim pages in the dark",
        description="White pages are darkened a little while the window is dark.",
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
