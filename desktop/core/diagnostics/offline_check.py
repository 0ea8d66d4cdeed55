"""What `groundwork doctor --offline` looks at: that nothing was and nothing could be reached."""

from __future__ import annotations

import os
import sys
from typing import Any

import psutil

from desktop import tripwire
from desktop.core.diagnostics.checkup import Finding
from desktop.process_environment import OFFLINE_SWITCHES

NETWORKED = ("PySide6.QtNetwork", "litellm", "PySide6.QtWebEngineCore")
"""Modules that reach for hosts of their own accord; none is ever loaded."""
_SHOWN = 3


def check_offline(journey: str) -> list[Finding]:
    """Look after something was done with a library.

    journey: what was done, in words.
    """
    return [_attempts(journey), _sockets(), _switches(), _modules()]


def _attempts(journey: str) -> Finding:
    count = tripwire.count()
    found = f"{count} while this was done: {journey}"
    if not tripwire.watching():
        return Finding("connections made", "missing", "nobody counted them", _REPORT)
    if not count:
        return Finding("connections made", "ok", found)
    targets = ", ".join(f"{each.kind} {each.target}" for each in tripwire.attempts()[:_SHOWN])
    return Finding("connections made", "missing", f"{found} ({targets})", _REPORT)


def _sockets() -> Finding:
    """Sockets that are open in this moment, those of native code included."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    remote: list[Any] = []
    for process in processes:
        try:
            connections: list[Any] = process.net_connections(kind="inet")
        except psutil.Error:  # it has just ended, or the system does not tell
            continue
        remote += [each.raddr or each.laddr for each in connections]
    if not remote:
        return Finding("open sockets", "ok", f"none in {len(processes)} processes")
    shown = ", ".join(f"{each.ip}:{each.port}" for each in remote[:_SHOWN])
    return Finding("open sockets", "missing", shown, _REPORT)


def _switches() -> Finding:
    wrong = [name for name, value in OFFLINE_SWITCHES.items() if os.environ.get(name) != value]
    if wrong:
        return Finding("offline switches", "missing", f"not set: {', '.join(wrong)}", _REPORT)
    return Finding("offline switches", "ok", f"all {len(OFFLINE_SWITCHES)} are set")


def _modules() -> Finding:
    loaded = [name for name in NETWORKED if name in sys.modules]
    if loaded:
        return Finding("network libraries", "missing", f"loaded: {', '.join(loaded)}", _REPORT)
    return Finding("network libraries", "ok", "none is loaded")


_REPORT = "Please report this, with the newest file of the library's folder 'logs'."
