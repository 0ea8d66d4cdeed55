"""Folders whose manuals come in by themselves: what is new, changed or gone each time.

They are looked at again and again, because a network share reports no changes. For a
file seen before, only size and time are looked at; its contents are hashed when those
have changed and it is at rest, so that a file is not taken while it is being copied.
What was seen is kept in the library's folder (`watched.json`), so that the next start
goes on from there.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.core.errors import FolderRefused
from desktop.core.library.intake import documents_below, hash_file
from desktop.core.paths import LibraryFolder, write_whole
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from desktop.core.jobs import CancelToken
    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord

_log = logging.getLogger(__name__)

LOOK_SECONDS = 60.0
REST_SECONDS = 5.0
"""A file that is the same for so long is not being written any more."""
_LOOKS_SHARE = 10.0
"""The pause after a look is at least so many times as long as it took."""
_SAVE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class FileArrived:
    """A file is to be taken in. replaces: hash of what was there before, "" if it is new."""

    path: Path
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class FilesGone:
    """Files of a folder that can be reached are gone; their manuals are in the library."""

    folder: Path
    documents: tuple[DocumentRecord, ...]


@dataclass(frozen=True, slots=True)
class FolderUnreachable:
    """A folder cannot be looked at; nothing in it counts as gone. Reported once."""

    folder: Path


@dataclass(frozen=True, slots=True)
class FolderBack:
    """A folder that was reported unreachable can be looked at again."""

    folder: Path


@dataclass(frozen=True, slots=True)
class LookEnded:
    """All folders were looked at. resting: files that may still be written.

    again_in: seconds until the next look is worth it.
    """

    resting: int
    again_in: float


WatchEvent = FileArrived | FilesGone | FolderUnreachable | FolderBack | LookEnded


class _SeenFile(BaseModel):
    """One file. state: waiting to be in the library, in it, kept without a file, or unwanted."""

    model_config = ConfigDict(extra="forbid")

    size: int
    modified: int
    sha256: str
    state: Literal["waiting", "taken", "kept", "unwanted"] = "waiting"
    replaces: str = ""


class _Seen(BaseModel):
    """What `watched.json` holds. files: by absolute path. unwanted: hashes that people removed."""

    model_config = ConfigDict(extra="forbid")

    version: Literal[1] = 1
    folders: list[str] = Field(default_factory=list)
    files: dict[str, _SeenFile] = Field(default_factory=dict)
    unwanted: set[str] = Field(default_factory=set)


@dataclass
class _Look:
    """One look at all folders. found: size and time of each file, by path."""

    found: dict[str, tuple[int, int]] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)
    reached: list[Path] = field(default_factory=list)
    resting: int = 0


class WatchedFolders:
    """The folders of one library. `look` is one job at a time; the rest any thread may call."""

    def __init__(self, library: Library) -> None:
        """Read what earlier looks saw; a damaged file of it is put aside."""
        self._library = library
        self._file = LibraryFolder(library.folder.root).watched
        self._lock = threading.RLock()
        self._handed: set[str] = set()
        self._asked: set[str] = set()
        self._resting: dict[str, tuple[tuple[int, int], float]] = {}
        self._unreachable: set[str] = set()
        self._changed = False
        self._saved_at = 0.0
        self.damaged = False
        """Whether the list of folders was lost: they have to be added again."""
        self._seen = self._load()

    @property
    def folders(self) -> list[Path]:
        """The folders in the order of adding."""
        with self._lock:
            return [Path(each) for each in self._seen.folders]

    def unreachable(self, folder: Path) -> bool:
        """Whether the last look failed to reach a folder."""
        return str(folder) in self._unreachable

    def count(self, folder: Path) -> int:
        """Return how many manuals of the library came from a folder."""
        with self._lock:
            files = self._seen.files.items()
            return sum(each.state == "taken" and _below(path, folder) for path, each in files)

    def add(self, folder: Path) -> None:
        """Watch a folder from now on.

        Raises: FolderRefused, if that makes no sense; OSError, if it cannot be
            recorded.
        """
        folder = folder.absolute()
        if not folder.is_dir():
            raise FolderRefused(said("{path} is not a folder that can be reached.", path=folder))
        if folder.is_relative_to(self._library.folder.root.absolute()):
            raise FolderRefused(said("The library's own folders are not watched."))
        with self._lock:
            for known in self.folders:
                if folder.is_relative_to(known):
                    raise FolderRefused(
                        said("{path} is already watched, with {known}.", path=folder, known=known)
                    )
            inside = {str(known) for known in self.folders if known.is_relative_to(folder)}
            self._seen.folders = [each for each in self._seen.folders if each not in inside]
            self._seen.folders.append(str(folder))
            self._save()

    def remove(self, folder: Path) -> None:
        """Watch a folder no more; its manuals stay in the library.

        Raises: FolderRefused, if it is not watched; OSError.
        """
        with self._lock:
            if str(folder.absolute()) not in self._seen.folders:
                raise FolderRefused(said("{path} is not watched.", path=folder))
            self._seen.folders.remove(str(folder.absolute()))
            left = self._seen.folders
            self._forget(p for p in self._seen.files if not any(_below(p, each) for each in left))
            self._unreachable.discard(str(folder.absolute()))
            self._save()

    def keep(self, documents: Iterable[DocumentRecord]) -> None:
        """Keep manuals whose files are gone, and ask no more about them."""
        hashes = {each.sha256 for each in documents}
        with self._lock:
            for path, each in self._seen.files.items():
                if each.sha256 in hashes and path in self._asked:
                    each.state = "kept"
            self._save()

    def unwant(self, sha256: str) -> None:
        """Note that a person removed a manual: a file with its contents is not taken in again."""
        with self._lock:
            known = [each for each in self._seen.files.values() if each.sha256 == sha256]
            if known:
                self._seen.unwanted.add(sha256)
                for each in known:
                    each.state = "unwanted"
                self._save()

    def look(self, cancel: CancelToken) -> Iterator[WatchEvent]:
        """Look at every folder once.

        Raises: Cancelled; OSError, if what was seen cannot be written down.
        """
        began = time.monotonic()
        in_library = {each.sha256: each for each in self._library.documents()}
        with self._lock:
            self._settle(in_library)
        look = _Look()
        for folder in self.folders:
            cancel.check()
            yield from self._walk(folder, look, cancel)
        for path, stamp in look.found.items():
            cancel.check()
            arrived = self._take(path, stamp, in_library, look, cancel.check)
            if arrived is not None:
                yield arrived
            self._save_changes(at_most_every=_SAVE_SECONDS)
        if not look.resting:  # else what is gone here may be what is being written there
            for folder in look.reached:
                gone = self._gone(folder, look, in_library)
                if gone:
                    yield FilesGone(folder, gone)
        self._resting = {path: each for path, each in self._resting.items() if path in look.found}
        self._save_changes()
        pause = REST_SECONDS if look.resting else LOOK_SECONDS
        took = time.monotonic() - began
        yield LookEnded(look.resting, max(pause, _LOOKS_SHARE * took))

    def _settle(self, in_library: dict[str, DocumentRecord]) -> None:
        """Compare what was handed over with what the library holds now."""
        for path, each in self._seen.files.items():
            before = each.state
            if each.sha256 in in_library:
                self._seen.unwanted.discard(each.sha256)
                each.state = "kept" if before == "kept" else "taken"
            elif before in ("taken", "kept"):  # a person removed it
                self._seen.unwanted.add(each.sha256)
                each.state = "unwanted"
            if each.replaces and before == "taken" and each.replaces not in in_library:
                self._seen.unwanted.add(each.replaces)
                each.replaces, self._changed = "", True
            if each.state != before:
                self._changed = True
                self._handed.discard(path)

    def _walk(self, folder: Path, look: _Look, cancel: CancelToken) -> Iterator[WatchEvent]:
        """Note the files of a folder, or report that it cannot be reached."""
        failed: list[str] = []
        found: dict[str, tuple[int, int]] = {}
        own = str(self._library.folder.root.absolute())
        try:
            empty = next(folder.iterdir(), None) is None
            below = documents_below(folder, lambda error: failed.append(str(error.filename)))
            paths = [path for path in below if path.suffix.lower() == ".pdf"]
            for path in paths:
                cancel.check()
                if _below(str(path), own):
                    continue
                try:
                    known = path.stat()
                except FileNotFoundError:
                    continue
                found[str(path)] = known.st_size, known.st_mtime_ns
        except OSError as error:
            _log.info("a watched folder is not reachable: %s", type(error).__name__)
            empty = True
        # A disk that is not mounted leaves an empty folder behind.
        if (empty and (self._had_files(folder) or not folder.is_dir())) or str(folder) in failed:
            if str(folder) not in self._unreachable:
                self._unreachable.add(str(folder))
                yield FolderUnreachable(folder)
            return
        if str(folder) in self._unreachable:
            self._unreachable.discard(str(folder))
            yield FolderBack(folder)
        look.found |= found
        look.unreadable += failed
        look.reached.append(folder)

    def _had_files(self, folder: Path) -> bool:
        with self._lock:
            return any(_below(path, folder) for path in self._seen.files)

    def _take(
        self,
        path: str,
        stamp: tuple[int, int],
        in_library: dict[str, DocumentRecord],
        look: _Look,
        check: Callable[[], None],
    ) -> FileArrived | None:
        """Return the file if it is to be taken in now; None if not, or not yet."""
        with self._lock:
            known = self._seen.files.get(path)
            if known is not None and (known.size, known.modified) == stamp:
                if known.state == "kept":  # it has come back
                    known.state, self._changed = "taken", True
                self._asked.discard(path)
                return self._hand_over(path, known) if known.state == "waiting" else None
        now = time.monotonic()
        before, since = self._resting.get(path, (None, now))
        if before != stamp or now - since < REST_SECONDS:
            self._resting[path] = (stamp, since if before == stamp else now)
            look.resting += 1
            return None
        sha256 = self._hash(path, stamp, check) if stamp[0] else ""
        if not sha256:  # empty, or not to be read: perhaps at the next look
            return None
        del self._resting[path]
        return self._note(path, stamp, sha256, in_library)

    def _hash(self, path: str, stamp: tuple[int, int], check: Callable[[], None]) -> str:
        """Return the hash of a file, "" if it cannot be read or changed meanwhile."""
        try:
            sha256 = hash_file(Path(path), check)
            known = os.stat(path)
        except OSError:
            return ""
        return sha256 if (known.st_size, known.st_mtime_ns) == stamp else ""

    def _note(
        self,
        path: str,
        stamp: tuple[int, int],
        sha256: str,
        in_library: dict[str, DocumentRecord],
    ) -> FileArrived | None:
        with self._lock:
            before = self._seen.files.get(path)
            now = _SeenFile(size=stamp[0], modified=stamp[1], sha256=sha256)
            self._seen.files[path] = now
            self._changed = True
            self._handed.discard(path)
            self._asked.discard(path)
            if before is not None and before.sha256 == sha256:
                now.state, now.replaces = before.state, before.replaces
            elif before is not None and before.sha256 in in_library:
                now.replaces = before.sha256
            if sha256 in in_library:
                now.state = "taken"
            elif sha256 in self._seen.unwanted:
                now.state = "unwanted"
        if now.state == "taken" and now.replaces:
            self._library.note_replacement(sha256, now.replaces)
        return self._hand_over(path, now) if now.state == "waiting" else None

    def _hand_over(self, path: str, file: _SeenFile) -> FileArrived | None:
        """Return a file that waits, once in each run of the program."""
        if path in self._handed:
            return None
        self._handed.add(path)
        return FileArrived(Path(path), file.replaces)

    def _gone(
        self, folder: Path, look: _Look, in_library: dict[str, DocumentRecord]
    ) -> tuple[DocumentRecord, ...]:
        """Return manuals whose files are gone and which nobody was asked about in this run."""
        with self._lock:
            files = self._seen.files
            there = {files[path].sha256 for path in look.found if path in files}
            missing = [
                path
                for path in files
                if path not in look.found
                and _below(path, folder)
                and not any(_below(path, failed) for failed in look.unreadable)
            ]
            asks, forgotten = [], []
            for path in missing:
                file = files[path]
                moved = file.sha256 in there
                if moved or file.state in ("waiting", "unwanted"):
                    forgotten.append(path)
                elif file.state == "taken" and path not in self._asked:
                    self._asked.add(path)
                    asks.append(in_library[file.sha256])
            self._forget(forgotten)
            return tuple({each.id: each for each in asks}.values())

    def _forget(self, paths: Iterable[str]) -> None:
        for path in list(paths):
            del self._seen.files[path]
            self._changed = True

    def _load(self) -> _Seen:
        try:
            return _Seen.model_validate_json(self._file.read_bytes())
        except FileNotFoundError:
            return _Seen()
        except (ValidationError, UnicodeDecodeError):
            _log.warning("the list of watched folders is damaged and was put aside")
            self._file.replace(self._file.with_suffix(".damaged"))
            self.damaged = True
            return _Seen()

    def _save_changes(self, at_most_every: float = 0.0) -> None:
        with self._lock:
            if self._changed and time.monotonic() - self._saved_at >= at_most_every:
                self._save()

    def _save(self) -> None:
        write_whole(self._file, self._seen.model_dump_json().encode())
        self._changed, self._saved_at = False, time.monotonic()


def _below(path: str, folder: Path | str) -> bool:
    return path.startswith(os.path.join(str(folder), ""))
