"""Settings: declared once in sections, stored as JSON, migrated by number."""

from desktop.core.settings.model import Settings

__all__ = ["Settings"]
