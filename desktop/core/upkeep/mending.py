"""What a person can choose when a library is damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from desktop.core.errors import BackupUnusable
from desktop.core.upkeep.repairing import Repair, repair
from desktop.core.upkeep.restoring import newest_usable, restore

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.store.backups import Backup


def mend(folder: Path, how: Literal["repair", "restore"]) -> Repair:
    """Repair a library, or restore its newest backup that is sound.

    Raises: as `repair`; BackupUnusable, if no backup is sound.
    """
    if how == "repair":
        return repair(folder)
    backup = newest_usable(folder)
    if backup is None:
        raise BackupUnusable(f"no backup in {folder} is sound")
    return restore_and_repair(folder, backup)


def restore_and_repair(folder: Path, backup: Backup) -> Repair:
    """Restore a backup, then take in again what was added after it was made.

    Raises: as `restore` and `repair`.
    """
    restore(folder, backup.folder)
    return repair(folder)
