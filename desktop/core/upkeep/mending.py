"""What a person can choose when a library is damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.upkeep.repairing import Repair, repair
from desktop.core.upkeep.restoring import newest_usable, restore

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.store.backups import Backup


def restore_and_repair(folder: Path, backup: Backup) -> Repair:
    """Restore a backup, then take in again what was added after it was made.

    Raises: as `restore` and `repair`.
    """
    restore(folder, backup.folder)
    return repair(folder)


__all__ = ["Repair", "newest_usable", "repair", "restore_and_repair"]
