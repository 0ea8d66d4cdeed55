"""`groundwork knowledge connect FOLDER`, sync, trust, conflicts, resolve: two people, one stick."""

from __future__ import annotations

import json

import pytest

from desktop.cli import main
from desktop.core.notes.desk import NoteDesk
from desktop.core.notes.note import Note
from desktop.core.paths import LibraryFolder
from desktop.core.store.database import Database


@pytest.fixture
def person(tmp_path, monkeypatch, capsys):
    """Run commands as a person with a computer of their own; returns code, output, errors."""

    def run(name, *arguments):
        home = tmp_path / name
        monkeypatch.setenv("GROUNDWORK_HOME", str(home))
        library = home / "library"
        if not library.exists():
            Database.open(library).close()
            main(["knowledge", "me", "--name", name])
            capsys.readouterr()
        code = main(["knowledge", *arguments, "--library", str(library)])
        out = capsys.readouterr()
        return code, out.out, out.err

    return run


@pytest.fixture
def desk_of(tmp_path):
    """Open the notes of a person."""
    return lambda name: NoteDesk(LibraryFolder(tmp_path / name / "library").knowledge)


def texts(person, name):
    _, out, _ = person(name, "list", "--json")
    return sorted(each["content"] for each in json.loads(out)["pieces"])


def test_two_people_share_notes_through_a_folder(person, desk_of, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    keys = {}
    for name in ("Anna", "Ben"):
        code, out, _ = person(name, "connect", str(stick))
        assert code == 0
        keys[name] = out.split("Your key: ")[1][:16]
    desk = desk_of("Anna")
    note = desk.add(Note("Torque 20 Nm.", written="2026-01-01"))
    desk.close()
    assert "Given: 1." in person("Anna", "sync")[1]
    _, out, err = person("Ben", "sync")
    assert "Taken: 0." in out
    assert f"Anna has the key {keys['Anna']}" in err
    assert person("Ben", "trust", keys["Anna"])[0] == 0
    assert "Taken: 1." in person("Ben", "sync")[1]
    assert texts(person, "Ben") == ["Torque 20 Nm."]
    assert person("Anna", "trust", keys["Ben"])[0] == 0
    for name, text in (("Anna", "Torque 25 Nm."), ("Ben", "Torque 30 Nm.")):
        desk = desk_of(name)
        desk.update(Note(text, note.piece_id, written=note.written))
        desk.close()
        person(name, "sync")
    assert "Conflicts: 1." in person("Anna", "sync")[1]
    _, out, _ = person("Anna", "conflicts", "--json")
    versions = [each["value"] for each in json.loads(out)[0]["versions"]]
    number = versions.index("Torque 30 Nm.") + 1
    assert person("Anna", "resolve", note.piece_id, str(number))[0] == 0
    person("Anna", "sync")
    person("Ben", "sync")
    assert texts(person, "Anna") == texts(person, "Ben") == ["Torque 30 Nm."]
    assert "There are no conflicts" in person("Ben", "conflicts")[2]


def test_a_folder_that_is_not_there_is_said(person, tmp_path):
    code, _, err = person("Anna", "connect", str(tmp_path / "nowhere"))
    assert code == 1
    assert "Create it, or connect the disk" in err
    stick = tmp_path / "stick"
    stick.mkdir()
    person("Anna", "connect", f"folder://{stick}")
    stick.rmdir()
    code, _, err = person("Anna", "sync")
    assert code == 0
    assert "cannot be reached" in err
    assert "when it is back" in err
