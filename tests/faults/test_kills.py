"""kill -9 at random moments of everything that writes; 200 of them at night."""

from __future__ import annotations

import random

from tests.faults.kills import kills

KILLS = 14


def test_what_was_reported_as_done_survives_a_kill_at_any_moment(tmp_path):
    seed = random.randrange(10**6)  # another moment in every run; the seed is in the message
    try:
        done = list(kills(KILLS, tmp_path, seed))
    except AssertionError as error:
        raise AssertionError(f"with seed {seed}: {error}") from error
    assert len(done) == KILLS
    assert sum(kill.reported for kill in done) > KILLS, "they were killed before they did anything"
