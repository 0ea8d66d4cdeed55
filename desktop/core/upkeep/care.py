"""Automatic backups while a library is open."""

from __future__ import annotations

import logging
import threading
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from desktop.core.errors import LibraryError
from desktop.core.store.backups import backups_of, prune_backups
from desktop.core.upkeep.restoring import check_backup, remove_old_set_asides

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.settings.backups import BackupSettings
    from desktop.core.store.database import Database

logger = logging.getLogger(__name__)

FIRST_LOOK_SECONDS = 30.0
"""A command is over by then: only who stays open makes backups."""

_LOOK_SECONDS = 600.0
_PATIENCE_SECONDS = 10.0
_KEPT_SET_ASIDE = 2


def backup_is_due(folder: Path, every: timedelta, now: datetime) -> bool:
    """Whether the newest backup is too old; one from the future says that a clock was wrong."""
    newest = next(iter(backups_of(folder)), None)
    return newest is None or not timedelta(0) <= now - newest.made_at < every


class LibraryCare:
    """Makes a backup whenever one is due, on a thread of its own. Close it at the end."""

    def __init__(
        self,
        database: Database,
        settings: BackupSettings,
        first_look_seconds: float = FIRST_LOOK_SECONDS,
    ) -> None:
        self._database = database
        self._settings = settings
        self._wait = first_look_seconds
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="groundwork-care", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it; a backup that is being made is finished first, within reason."""
        self._ending.set()
        self._thread.join(_PATIENCE_SECONDS)

    def look(self) -> None:
        """Make a backup if one is due, and remove those that are too old.

        Raises: LibraryError, OSError.
        """
        folder = self._database.folder
        every = timedelta(hours=self._settings.every_hours)
        if not backup_is_due(folder, every, datetime.now(UTC)) or self._is_empty():
            return
        backup = self._database.keep_backup("daily")
        check_backup(backup.folder)  # the older ones stay until a newer one is known to be good
        prune_backups(folder, self._settings.kept)
        remove_old_set_asides(folder, _KEPT_SET_ASIDE)
        logger.info("backup %d made, %d bytes", backup.number, backup.size)

    def _run(self) -> None:
        while not self._ending.wait(self._wait):
            self._wait = _LOOK_SECONDS
            try:
                self.look()
            except (LibraryError, OSError) as error:
                logger.warning("no backup was made: %s", error)

    def _is_empty(self) -> bool:
        return not self._database.read(
            lambda c: (
                c.execute(
                    "SELECT (SELECT count(*) FROM documents) + (SELECT count(*) FROM conversations)"
                ).get
            )
        )
