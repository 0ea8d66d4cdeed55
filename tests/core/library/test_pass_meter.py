"""The progress of a pass: what is left is foretold while pages take as long as before."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from desktop.core.library.work import PassMeter


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr("desktop.core.library.work.time", clock)
    return now


def read(meter, clock, pages, seconds_each):
    for _ in range(pages):
        clock[0] += seconds_each
        reports = meter.advance(1)
    return reports[-1].seconds_left


def test_nothing_is_foretold_of_the_first_seconds(clock):
    meter = PassMeter(1, "layout", 0, 100)
    assert read(meter, clock, 10, 1.0) is None
    assert read(meter, clock, 10, 1.0) == pytest.approx(80)


def test_pages_that_become_slower_take_the_foretelling_away_until_they_are_steady(clock):
    meter = PassMeter(1, "layout", 0, 200)
    assert read(meter, clock, 30, 1.0) == pytest.approx(170)
    assert read(meter, clock, 3, 6.0) is None
    assert read(meter, clock, 60, 1.0) is not None
