"""kill -9 at random moments of everything that writes; 200 of them at night."""

from __future__ import annotations

import random

from desktop.core.paths import LibraryFolder
from desktop.core.store.connection import connect_writer
from desktop.core.store.database import Database
from desktop.core.store.schema import migrate
from tests.faults.kills import CHECKS, kills
from tests.faults.victim import STEPS

KILLS = 14


def test_what_was_reported_as_done_survives_a_kill_at_any_moment(tmp_path):
    seed = random.randrange(10**6)  # another moment in every run; the seed is in the message
    try:
        done = list(kills(KILLS, tmp_path, seed))
    except AssertionError as error:
        raise AssertionError(f"with seed {seed}: {error}") from error
    assert len(done) == KILLS
    assert sum(kill.reported for kill in done) > KILLS, "they were killed before they did anything"


def test_a_migration_that_ended_between_two_steps_goes_on_and_its_backups_are_sound(tmp_path):
    with Database.open(tmp_path) as database:
        rows = [(f"key {number}", "x") for number in range(400)]
        database.write(lambda c: c.executemany("INSERT INTO meta VALUES(?, ?)", rows).fetchall())
    path = LibraryFolder(tmp_path).database
    connection = connect_writer(path)
    migrate(connection, path, STEPS[:-2])
    connection.close()
    CHECKS["migration"](tmp_path, [])
