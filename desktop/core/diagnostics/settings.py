"""The settings as they may be shown to others: choices and numbers, not what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.settings.describing import describe

if TYPE_CHECKING:
    from desktop.core.settings import Settings

SAME, CHANGED = "as it comes", "changed"


def shareable_settings(settings: Settings) -> dict[str, Any]:
    """Return the values by dotted path; of texts only whether and how much was written."""
    shared: dict[str, Any] = {}
    for section in describe(type(settings)):
        for field in section.fields:
            value: Any = settings
            for name in field.path:
                value = getattr(value, name)
            match field.kind:
                case "text":
                    value = f"({len(value)} characters)"
                case "json":
                    value = SAME if value == field.default else CHANGED
                case _:
                    pass
            shared[".".join(field.path)] = value
    return shared
