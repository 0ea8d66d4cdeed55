"""How often the library is copied by itself, and how many copies are kept."""

from __future__ import annotations

from pydantic import Field

from desktop.core.settings.sections import Section


class BackupSettings(Section):
    """Automatic backups of what the library knows; the manuals' copies are not copied again."""

    every_hours: float = Field(
        default=24.0,
        ge=1.0,
        le=24.0 * 31,
        title="Hours between backups",
        description="While the window is open, the library's database is copied that often.",
    )
    kept: int = Field(
        default=5,
        ge=1,
        le=60,
        title="Backups to keep",
        description="Older ones are removed. Backups made by hand always stay.",
    )
