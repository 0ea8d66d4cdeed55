"""`groundwork library` as it is typed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from desktop.cli.application import main
from desktop.core.store.database import Database

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Database.open(tmp_path / "library") as database:
        database.write(
            lambda c: c.execute("INSERT INTO conversations VALUES(1, 'Pump', '', '', '[]')")
        )
    return tmp_path / "library"


def _run(*words: object) -> int:
    return main(["library", *map(str, words)])


def test_a_sound_library_is_checked_and_backed_up(folder, capsys):
    assert _run("check", "-l", folder) == 0
    assert "none yet" in capsys.readouterr().out
    assert _run("backup", "-l", folder) == 0
    name = capsys.readouterr().out.split()[0]
    assert _run("restore", "-l", folder) == 0
    assert name in capsys.readouterr().out


def test_a_damaged_library_is_named_repaired_and_restored(folder, capsys):
    assert _run("backup", "-l", folder) == 0
    for command in (("repair",), ("restore", "newest")):
        with (folder / "library.db").open("r+b") as file:
            file.write(os.urandom(100))
        assert _run("check", "-l", folder) == 1
        assert "groundwork library repair" in capsys.readouterr().out
        assert main(["conversations", "list", "-l", str(folder)]) == 1
        assert "groundwork library restore" in capsys.readouterr().err
        assert _run(*command, "-l", folder) == 0
        assert main(["conversations", "list", "-l", str(folder)]) == 0
        assert "Pump" in capsys.readouterr().out


def test_a_library_is_carried_in_one_file(folder, tmp_path, capsys):
    assert _run("export", tmp_path / "plant", "-l", folder) == 0
    assert _run("import", tmp_path / "plant.groundwork", "-l", tmp_path / "there") == 0
    assert _run("import", tmp_path / "plant.groundwork", "-l", tmp_path / "there") == 1
    assert "not empty" in capsys.readouterr().err
    assert main(["conversations", "list", "-l", str(tmp_path / "there")]) == 0
    assert "Pump" in capsys.readouterr().out


def test_a_backup_that_is_not_there_is_named(folder, capsys):
    assert _run("restore", "newest", "-l", folder) == 1
    assert "no backup" in capsys.readouterr().err
