"""Counts what this program attempts to reach over a network: always none, and shown as such.

A Python audit hook sees every socket that Python code connects, every name it looks up. It
does not see native libraries; those are held by the switches of `process_environment` and by
the test that traces the system calls. The worker processes report theirs to the window's
process. The download of a model, which a person asks for, runs in a process of its own and is
shown as such; it is not counted here.
"""

from __future__ import annotations

import ipaddress
import socket
import sys
import threading
from dataclasses import dataclass
from typing import Any

MARK = "groundwork-network-attempt "
"""Begins the line by which a worker process tells the window's process of an attempt."""

_LONGEST_KEPT = 100  # the count goes on; what is shown need not


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to reach something. kind: as Python names it, "connect". target: host, port."""

    kind: str
    target: str


class _Seen:
    """What was attempted in this process and reported by its workers."""

    def __init__(self) -> None:
        self.installed = False
        self.count = 0
        self.kept: list[Attempt] = []
        self.lock = threading.RLock()
        self.tell = False


_seen = _Seen()


def watch() -> None:
    """Watch this process from now on. Python offers no way to stop; calling twice is harmless."""
    if not _seen.installed:
        _seen.installed = True
        sys.addaudithook(_look)


def tell_parent() -> None:
    """In a worker process: say every attempt on standard error as well."""
    _seen.tell = True


def watching() -> bool:
    """Whether `watch` was called."""
    return _seen.installed


def count() -> int:
    """Return how many attempts there were."""
    return _seen.count


def attempts() -> tuple[Attempt, ...]:
    """Return the first hundred attempts, oldest first."""
    with _seen.lock:
        return tuple(_seen.kept)


def record(attempt: Attempt) -> None:
    """Count an attempt, including one that a worker process reports."""
    with _seen.lock:
        _seen.count += 1
        if len(_seen.kept) < _LONGEST_KEPT:
            _seen.kept.append(attempt)
    if _seen.tell:
        sys.stderr.write(f"{MARK}{attempt.kind} {attempt.target}\n")
        sys.stderr.flush()


def record_line(line: str) -> bool:
    """Count an attempt reported by a line of a worker's standard error; False if it is not."""
    if not line.startswith(MARK):
        return False
    kind, _, target = line.removeprefix(MARK).partition(" ")
    record(Attempt(kind, target))
    return True


def _look(event: str, arguments: tuple[Any, ...]) -> None:
    """Called by Python for every audited event, of which there are thousands: be quick."""
    if not event.startswith("socket."):
        return
    match event, arguments:
        case (("socket.connect" | "socket.sendto" | "socket.sendmsg"), (sock, address)):
            if _internet(sock) and address is not None:
                record(Attempt(event.removeprefix("socket."), _told(address)))
        case "socket.bind", (sock, address):
            # libraries bind the loopback to learn whether there is IPv6; that reaches nobody
            if _internet(sock) and not _loopback(address):
                record(Attempt("bind", _told(address)))
        case (("socket.getaddrinfo" | "socket.gethostbyname" | "socket.gethostbyaddr"), (host, *_)):
            if host and not _is_address(host):  # a number is not looked up anywhere
                record(Attempt("look up", _told(host)))
        case _:
            pass


def _internet(sock: Any) -> bool:
    return getattr(sock, "family", None) in (socket.AF_INET, socket.AF_INET6)


def _loopback(address: Any) -> bool:
    host = address[0] if isinstance(address, tuple) and address else address
    return _is_address(host) and ipaddress.ip_address(_text(host)).is_loopback


def _is_address(host: Any) -> bool:
    try:
        ipaddress.ip_address(_text(host))
    except ValueError:
        return False
    return True


def _text(host: Any) -> str:
    return host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)


def _told(address: Any) -> str:
    if isinstance(address, tuple):
        return ":".join(_text(part) for part in address[:2])
    return _text(address)
