"""Settings: declared once in sections, stored as JSON, migrated by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop.core.settings.sections import Settings

__all__ = ["BEST_TIER", "UNVERIFIED_TIER", "Settings"]

BEST_TIER, UNVERIFIED_TIER = 1, 5
"""How far a source is to be trusted: 1 maker's manual or standard, 2 bulletin or company procedure,
3 training material, 4 site note, 5 unverified."""


def __getattr__(name: str) -> Any:
    # Not above: pydantic takes longer to load than Qt, and the window is painted without it.
    if name != "Settings":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from desktop.core.settings.sections import Settings

    return Settings
