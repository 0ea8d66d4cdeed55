"""How many pages are read at a time: what the computer can, and less where that would hurt."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from desktop.core.power import Battery, pages_at_once


@pytest.mark.parametrize(
    ("cores", "free_gib", "battery", "pages"),
    [
        (2, 16, None, 2),
        (4, 16, None, 3),
        (12, 32, None, 8),
        (12, 4, None, 3),
        (8, 0.5, None, 1),
        (1, 16, None, 1),
        (8, 16, Battery(80, plugged=False), 4),
        (8, 16, Battery(80, plugged=True), 7),
    ],
)
def test_cores_memory_and_battery_decide(monkeypatch, cores, free_gib, battery, pages):
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    memory = SimpleNamespace(available=int(free_gib * 2**30))
    monkeypatch.setattr("psutil.virtual_memory", lambda: memory)
    monkeypatch.setattr("desktop.core.power.read_battery", lambda: battery)
    assert pages_at_once() == pages
