"""The battery of a laptop in the field, and whether work that can wait should."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Battery:
    """percent: 0 to 100. plugged: whether the computer is on mains power."""

    percent: float
    plugged: bool


def read_battery() -> Battery | None:
    """Return the battery as it is now, None on a computer without one."""
    import psutil  # not above: the window asks long after it is painted

    # psutil has the function only on systems where it can ask.
    ask = getattr(psutil, "sensors_battery", None)
    try:
        found = ask() if ask is not None else None
    except (OSError, RuntimeError):  # a driver that answers with nonsense
        return None
    if found is None:
        return None
    # Whether it is plugged in may be unknown: then nothing waits for what may never come.
    return Battery(float(found.percent), found.power_plugged is not False)


def should_wait(battery: Battery | None, least_percent: int) -> bool:
    """Whether indexing waits: on battery, with less than the level that was set."""
    return battery is not None and not battery.plugged and battery.percent < least_percent


_MOST_AT_ONCE = 8
"""Pages read at a time: more processes mean more memory than a laptop should give."""
_GIB_EACH = 1.0
"""Memory a process that reads pages takes, with its models."""


def pages_at_once() -> int:
    """Return how many pages may be read at a time: by free memory and cores, half on battery.

    One core is left for the window if there are more than two.
    """
    import psutil

    cores = os.cpu_count() or 1
    cores -= cores > 2
    battery = read_battery()
    if battery is not None and not battery.plugged:
        cores = -(-cores // 2)
    memory = int(psutil.virtual_memory().available / 2**30 / _GIB_EACH) - 1
    return max(1, min(cores, memory, _MOST_AT_ONCE))
