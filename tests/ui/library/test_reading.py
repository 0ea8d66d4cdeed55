"""One progress for the manuals that are read, and a time left that neither jumps nor blinks."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from desktop.core.library.values import PASSES, PassProgress
from desktop.ui.library.model import row_view
from desktop.ui.library.status_line import ENOUGH_S, AmountRead
from tests.ui.fake_workspace import manual


class Reading:
    """Two manuals of 100 pages."""

    def __init__(self):
        self.now = 0.0
        self.records = [manual(1, "A", "indexing", 100), manual(2, "B", "indexing", 100)]
        self.done = {1: 0.0, 2: 0.0}
        self.read = AmountRead(lambda: self.now)

    def progress(self, id_):
        return {
            name: PassProgress(id_, name, round(self.done[id_] * 1000), 1000, 1.0, 5.0)
            for name in PASSES
        }

    def go(self, seconds, **done):
        self.now += seconds
        self.done |= {int(name[1:]): share for name, share in done.items()}
        self.read.take(self.records, self.progress)
        return self.read.seconds_left


def test_the_bar_says_the_same_as_the_cards_and_a_finished_manual_still_counts():
    reading = Reading()
    reading.go(1, d1=0.4, d2=0.2)
    shares = [row_view(each, reading.progress(each.id)).read or 0 for each in reading.records]
    assert reading.read.share == pytest.approx(sum(shares) / 2) == pytest.approx(0.3)
    reading.records[0] = replace(reading.records[0], state="ready")
    reading.go(1)
    assert reading.read.share == pytest.approx(0.6)
    assert (reading.read.finished, reading.read.count) == (1, 2)


def test_nothing_is_foretold_before_it_is_read_steadily():
    reading = Reading()
    for at in range(10):  # the words of the pages come fast
        assert reading.go(1, d1=0.05 * at) is None
    for at in range(int(ENOUGH_S)):  # then slowly: one half of the time is not like the other
        assert reading.go(1, d1=0.5 + 0.001 * at) is None


def test_the_time_left_counts_down_and_stays_while_a_page_takes_long():
    reading = Reading()
    told = [reading.go(1, d1=0.002 * at, d2=0.002 * at) for at in range(1, 61)]
    first = next(each for each in told if each is not None)
    assert first == pytest.approx(500 - 21, rel=0.05)
    steps = [a - b for a, b in pairwise(told) if a is not None]
    assert all(0 <= step <= 3 for step in steps)
    stalled = [reading.go(1) for _ in range(20)]  # nothing is read
    assert all(abs(b - a) <= 4 for a, b in pairwise([told[-1], *stalled]))


def test_another_manual_begins_a_new_estimate():
    reading = Reading()
    for at in range(1, 61):
        reading.go(1, d1=0.002 * at, d2=0.002 * at)
    assert reading.read.seconds_left is not None
    reading.records.append(manual(3, "C", "queued", 500))
    reading.done[3] = 0.0
    assert reading.go(1) is None
