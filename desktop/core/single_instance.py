"""One window for a library: a second start hands its files to the running one and ends.

Through a socket in the file system, not through QLocalServer: that is part of QtNetwork, which
the program does not contain. Only the same user can reach the socket's folder.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import socket
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.paths import data_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_MESSAGE = 1 << 20
_LONGEST_ADDRESS = 100  # bytes that macOS takes for a socket's path, less some
_PATIENCE_SECONDS = 5.0
_RETRY_SECONDS = 0.05
_UNDERSTOOD = b"ok"


class Instance:
    """The claim of this process to be the one that shows a library. Close it at the end."""

    def __init__(self, lock: int, listener: socket.socket, address: Path) -> None:
        self._lock = lock  # the descriptor of the locked file
        self.listener = listener
        self._address = address

    @classmethod
    def claim(cls, library: Path, wanted: Sequence[Path] = ()) -> Instance | None:
        """Return the claim, or None after a running window has taken `wanted` over.

        If the running window does not answer within some seconds, the claim is given
        anyway: then the library's own lock says that it is in use.

        Raises: OSError, if nothing can be written where the user's data are.
        """
        address = _address(library)
        _make_private(address.parent)
        # no `filelock`: importing it would take a tenth of the time until the window is painted
        lock = os.open(address.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if hand_over(address, wanted):
                    os.close(lock)
                    return None
                if time.monotonic() < deadline:
                    time.sleep(_RETRY_SECONDS)  # it has just been started
                    continue
                return cls._listening(lock, address.with_suffix(f".{os.getpid()}.sock"))
            except OSError:
                os.close(lock)
                raise
            return cls._listening(lock, address)

    @classmethod
    def _listening(cls, lock: int, address: Path) -> Instance:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            address.unlink(missing_ok=True)  # of a process that was killed
            listener.bind(str(address))
            address.chmod(0o600)
            listener.listen(8)
            listener.setblocking(False)
        except OSError:
            listener.close()
            os.close(lock)
            raise
        return cls(lock, listener, address)

    def close(self) -> None:
        """Stop listening and let the next start have the claim."""
        self.listener.close()
        self._address.unlink(missing_ok=True)
        os.close(self._lock)


def hand_over(address: Path, wanted: Sequence[Path]) -> bool:
    """Give files to the process that listens; returns whether it took them."""
    message = json.dumps([str(path.resolve()) for path in wanted]).encode() + b"\n"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(_PATIENCE_SECONDS)
        try:
            client.connect(str(address))
            client.sendall(message)
            return client.recv(len(_UNDERSTOOD)) == _UNDERSTOOD
        except OSError:
            return False


def paths_of(message: bytes) -> list[Path] | None:
    """Return the files that a message names, None if it is not one of ours."""
    with contextlib.suppress(ValueError):
        names = json.loads(message)
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            return [Path(name) for name in names]
    return None


def answer(client: socket.socket) -> None:
    """Tell the other process that its files were taken."""
    with contextlib.suppress(OSError):
        client.sendall(_UNDERSTOOD)


def _make_private(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.stat().st_uid != os.getuid():  # in a shared temporary folder anybody can make one
        raise PermissionError(errno.EACCES, "this folder belongs to somebody else", str(folder))


def _address(library: Path) -> Path:
    digest = hashlib.sha256(str(library.resolve()).encode()).hexdigest()[:12]
    address = data_folder() / "windows" / f"{digest}.sock"
    if len(os.fsencode(address)) + len(str(os.getpid())) < _LONGEST_ADDRESS:
        return address
    return Path(tempfile.gettempdir()) / f"groundwork-{os.getuid()}" / f"{digest}.sock"
