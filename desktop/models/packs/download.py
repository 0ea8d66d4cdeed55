"""Downloading a model of the catalogue: the only network use of the whole application.

A child process does it (`download_worker`); this process stays offline. What arrives is
kept in `.downloads/ID` until it is complete, so that a second try goes on from there; then it
passes the same checks as any import.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import select
import shutil
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from filelock import FileLock, Timeout

from desktop.models.errors import DownloadFailed, ModelError, PackRefused
from desktop.models.generation import never
from desktop.models.packs.download_worker import MARK
from desktop.models.packs.installing import check_room
from desktop.models.packs.model_folder import FolderBusy
from desktop.models.packs.operations import import_pack
from desktop.models.packs.pack_events import ImportEvent, PackDone, PackProgress
from desktop.process_environment import own_command, own_environment
from desktop.sentences import said, template

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from desktop.models.catalogue import Catalogue, CatalogueEntry
    from desktop.models.generation import Cancelled
    from desktop.models.packs.model_folder import ModelFolder

_DOWNLOADS = ".downloads"
_HUB = "https://huggingface.co"
_LOOK_SECONDS = 0.2
_READ_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Offer:
    """What a person consents to before a download. source: the page it comes from."""

    host: str
    source: str
    size_bytes: int
    licence: str


def offer(entry: CatalogueEntry) -> Offer:
    """Say what would be downloaded, from the hub or the mirror that HF_ENDPOINT names."""
    hub = os.environ.get("HF_ENDPOINT", _HUB).rstrip("/")
    host = urlsplit(hub).netloc or hub
    return Offer(host, f"{hub}/{entry.repository}", entry.disk_bytes, entry.licence)


def arrived_bytes(model_id: str, folder: ModelFolder) -> int:
    """Return how much of an unfinished download lies here, 0 if there is none."""
    files = _place(model_id, folder).rglob("*")
    return sum(path.stat().st_size for path in files if path.is_file())


def discard(model_id: str, folder: ModelFolder) -> bool:
    """Delete an unfinished download; return whether there was one. Raises: PackRefused."""
    place = _place(model_id, folder)
    if not place.is_dir():
        return False
    with _only_once(place):
        shutil.rmtree(place)
    return True


def download(
    entry: CatalogueEntry,
    folder: ModelFolder,
    catalogue: Catalogue,
    *,
    replace: bool = False,
    cancelled: Cancelled = never,
) -> Generator[ImportEvent, None, None]:
    """Download, check and install a model. Ask the person first; see `offer`.

    Yields: progress, a `PackDone` last; without one it was cancelled. What had arrived by
        then is kept for the next time.
    Raises: DownloadFailed, if the network or the hub fails, trying again goes on; PackRefused,
        with the reason; OSError, if the disk fails or is full.
    """
    if not replace and folder.find(entry.id) is not None:
        raise PackRefused("{id} is already installed.", id=entry.id)
    place = _place(entry.id, folder)
    place.mkdir(parents=True, exist_ok=True)
    with _only_once(place):
        missing = max(0, entry.disk_bytes - arrived_bytes(entry.id, folder))
        check_room(folder.root, missing, entry.id)
        yield from _arrive(entry, place, cancelled)
        if cancelled():
            return
        try:
            commit = (place / ".commit").read_text(encoding="ascii")
            for event in _install(entry, commit, place, folder, catalogue, replace, cancelled):
                yield event
                if isinstance(event, PackDone):
                    shutil.rmtree(place, ignore_errors=True)
        except PackRefused:
            shutil.rmtree(place, ignore_errors=True)  # it would be refused again
            raise


def _install(
    entry: CatalogueEntry,
    commit: str,
    place: Path,
    folder: ModelFolder,
    catalogue: Catalogue,
    replace: bool,
    cancelled: Cancelled,
) -> Iterator[ImportEvent]:
    """Import what arrived, after any other import that is running."""
    while not cancelled():
        try:
            yield from import_pack(
                place,
                folder,
                catalogue,
                model_id=entry.id,
                replace=replace,
                downloaded=(entry, commit),
                cancelled=cancelled,
            )
        except FolderBusy:
            time.sleep(_LOOK_SECONDS)
        else:
            return


def _arrive(entry: CatalogueEntry, place: Path, cancelled: Cancelled) -> Iterator[PackProgress]:
    """Run the child until everything has arrived, or `cancelled` says so."""
    noted = place / ".commit"
    revision = noted.read_text(encoding="ascii") if noted.exists() else entry.revision
    request = {"repository": entry.repository, "revision": revision, "folder": str(place)}
    total = entry.disk_bytes
    yield PackProgress("downloading", 0, total)
    with contextlib.closing(_messages(request)) as messages:
        for message in messages:
            if cancelled():
                return
            match message:
                case {"kind": "plan", "total": int(total)}:
                    continue
                case {"kind": "progress", "done": int(done), "file": str(file)}:
                    yield PackProgress("downloading", done, total, file)
                case {"kind": "failed"}:
                    raise _failure(message, entry)
                case {"kind": "done"}:
                    return
    raise DownloadFailed(
        "The download of {id} stopped unexpectedly. What has arrived is kept: try again to resume.",
        id=entry.id,
    )


def _messages(request: dict[str, str]) -> Generator[dict[str, Any], None, None]:
    """Start the child and yield what it tells; an empty message whenever it is silent."""
    process = subprocess.Popen(
        own_command("--model-download", "desktop.models.packs.download_worker"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=own_environment(),
        start_new_session=True,  # Ctrl-C is ours to handle
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with contextlib.suppress(BrokenPipeError):  # its output ends as well, and says so
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        output, rest = process.stdout.fileno(), b""
        while True:
            readable, _, _ = select.select([output], [], [], _LOOK_SECONDS)
            if not readable:
                yield {}
                continue
            data = os.read(output, _READ_BYTES)
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if line.startswith(MARK.encode()):  # not what a library may print
                    yield json.loads(line.removeprefix(MARK.encode()))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()


_FAILURES: dict[str, tuple[type[ModelError], str]] = {
    "gated": (
        PackRefused,
        template(
            "{host} gives {repository} only to registered users. Download it in a browser, then "
            "import the folder."
        ),
    ),
    "gone": (PackRefused, template("{host} does not have {repository}, or no longer has it.")),
    "wrong": (
        DownloadFailed,
        template(
            "{message} arrived damaged: its hash is not the one that {host} lists. It was "
            "deleted; try again."
        ),
    ),
    "status": (
        DownloadFailed,
        template(
            "{host} returned error {message}. What has arrived is kept: try again later to resume."
        ),
    ),
    "network": (
        DownloadFailed,
        template(
            "{host} cannot be reached, or the connection was lost. What has arrived is kept: try "
            "again to resume."
        ),
    ),
}


def _failure(message: dict[str, Any], entry: CatalogueEntry) -> Exception:
    if message.get("reason") == "disk":
        number = message.get("errno") or errno.EIO
        return OSError(number, os.strerror(number))
    kind, told = _FAILURES.get(message.get("reason", ""), _FAILURES["network"])
    values = {"repository": entry.repository, "message": message.get("detail")}
    return kind(said(told, host=offer(entry).host, **values))


@contextlib.contextmanager
def _only_once(place: Path) -> Iterator[None]:
    try:
        held = FileLock(place.with_name(f"{place.name}.lock"), timeout=0).acquire()
    except Timeout as error:
        raise PackRefused("{name} is already being downloaded.", name=place.name) from error
    with held:
        yield


def _place(model_id: str, folder: ModelFolder) -> Path:
    return folder.root / _DOWNLOADS / folder.path(model_id).name
