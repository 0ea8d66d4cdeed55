"""The look and the language of the window, readable before its first paint.

Loads no pydantic: the model of all settings takes longer to load than Qt does.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from desktop.core.settings.file import migrate

if TYPE_CHECKING:
    from pathlib import Path

Scheme = Literal["system", "light", "dark"]
Contrast = Literal["system", "on", "off"]
Language = Literal["system", "en", "de"]

LEAST_TEXT_PERCENT, MOST_TEXT_PERCENT = 80, 200
TEXT_PERCENT_STEP = 5
_SWITCHES = ("reduced_motion", "glove_mode", "dim_pages")


@dataclass(frozen=True, slots=True)
class Appearance:
    """The fields of `WindowSettings` that are seen at once, with the same defaults."""

    scheme: Scheme = "system"
    high_contrast: Contrast = "system"
    text_percent: int = 100
    reduced_motion: bool = False
    glove_mode: bool = False
    dim_pages: bool = False
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
        and all(isinstance(values.get(each, False), bool) for each in _SWITCHES)
        and type(text) is int
        and LEAST_TEXT_PERCENT <= text <= MOST_TEXT_PERCENT
        and text % TEXT_PERCENT_STEP == 0
    )
