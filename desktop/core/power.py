"""The battery of a laptop in the field, and whether work that can wait should."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Battery:
    """percent: 0 to 100. plugged: whether the computer is being fed."""

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
