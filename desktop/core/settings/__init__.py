"""Settings: declared once in sections, stored as JSON, migrated by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop.core.settings.sections import Settings

__all__ = ["Settings"]


def __getattr__(name: str) -> Any:
    # Not above: pydantic takes longer to load than Qt, and the window is painted without it.
    if name != "Settings":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from desktop.core.settings.sections import Settings

    return Settings
