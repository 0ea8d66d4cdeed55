"""A team's notes in a folder: signed, merged without loss, in any order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.core.library.places import Place
from desktop.core.notes.desk import NoteDesk
from desktop.core.notes.note import Note
from desktop.core.notes.shared_folder import FolderKeeper, SharedNotes
from desktop.core.signing import KeyUnusable


class Person:
    """One library with its notes, of one person."""

    def __init__(self, root: Path, name: str, shared: Path, path: Path | None = None) -> None:
        self.name, self.shared, self.root = name, shared, root / name
        self.desk = NoteDesk(path)
        self.notes = SharedNotes(self.desk, self.root / "team", self.root / "notes.key", name)

    def sync(self):
        return self.notes.exchange(self.shared)

    def texts(self):
        return sorted(note.text for note in self.desk.list())

    def state(self):
        return sorted((n.piece_id, n.text, n.tags, n.place, n.role) for n in self.desk.list())

    def conflicts(self):
        return [(c.piece_id, c.field, [v.value for v in c.versions]) for c in self.sync().conflicts]


@pytest.fixture
def team(tmp_path):
    """Make people who trust each other."""
    shared = tmp_path / "stick"
    shared.mkdir()
    people: list[Person] = []

    def make(*names):
        people.extend(Person(tmp_path, name, shared) for name in names)
        introduce(people)
        return people

    yield make
    for each in people:
        each.desk.close()


def introduce(people):
    for each in people:
        each.sync()
    for each in people:
        for other in people:
            if other is not each:
                each.notes.trust(each.shared, other.notes.own_fingerprint)


def settle(people):
    for _ in range(2):
        for each in people:
            each.sync()


def test_notes_reach_the_others_with_tags_place_and_changes(team):
    anna, ben = team("Anna", "Ben")
    place = Place("SITE 12", "Pump P-200")
    note = anna.desk.add(Note("Seal leaks at 14 bar.", tags=("seal",), place=place, role="fitter"))
    settle([anna, ben])
    assert ben.state() == anna.state()
    ben.desk.update(Note("Seal leaks at 12 bar.", note.piece_id, tags=("seal",), place=place))
    settle([ben, anna])
    assert anna.texts() == ["Seal leaks at 12 bar."]
    assert anna.desk.list()[0].place == place


def test_different_fields_of_one_note_are_merged_without_asking(team):
    anna, ben = team("Anna", "Ben")
    note = anna.desk.add(Note("Oil: ISO VG 46."))
    settle([anna, ben])
    anna.desk.update(Note("Oil: ISO VG 68.", note.piece_id, written=note.written))
    ben.desk.update(Note(note.text, note.piece_id, tags=("oil",), written=note.written))
    settle([anna, ben])
    assert anna.state() == ben.state()
    assert (anna.texts(), anna.desk.list()[0].tags) == (["Oil: ISO VG 68."], ("oil",))
    assert anna.conflicts() == []


def test_the_same_field_written_apart_is_a_conflict_until_a_person_decides(team):
    anna, ben = team("Anna", "Ben")
    note = anna.desk.add(Note("Torque 20 Nm."))
    settle([anna, ben])
    anna.desk.update(Note("Torque 25 Nm.", note.piece_id, written=note.written))
    ben.desk.update(Note("Torque 30 Nm.", note.piece_id, written=note.written))
    settle([anna, ben])
    (conflict,) = anna.sync().conflicts
    assert anna.conflicts() == ben.conflicts()
    assert {v.value for v in conflict.versions} == {"Torque 25 Nm.", "Torque 30 Nm."}
    assert anna.texts() == ben.texts()
    anna.notes.resolve(conflict, "Torque 25 Nm.")
    settle([anna, ben])
    assert anna.texts() == ben.texts() == ["Torque 25 Nm."]
    assert anna.conflicts() == ben.conflicts() == []


def test_a_change_that_had_seen_the_other_one_wins(team):
    anna, ben = team("Anna", "Ben")
    note = anna.desk.add(Note("Torque 20 Nm."))
    settle([anna, ben])
    anna.desk.update(Note("Torque 25 Nm.", note.piece_id, written=note.written))
    settle([anna, ben])
    ben.desk.update(Note("Torque 30 Nm.", note.piece_id, written=note.written))
    settle([ben, anna])
    assert anna.texts() == ["Torque 30 Nm."]
    assert anna.conflicts() == []


def test_deletions_travel_and_one_against_a_change_is_asked(team):
    anna, ben = team("Anna", "Ben")
    gone = anna.desk.add(Note("An old note."))
    kept = anna.desk.add(Note("Valve V3 sticks."))
    settle([anna, ben])
    ben.desk.delete(gone.piece_id)
    ben.desk.delete(kept.piece_id)
    anna.desk.update(Note("Valve V3 sticks when cold.", kept.piece_id, written=kept.written))
    settle([anna, ben])
    assert anna.texts() == ben.texts() == ["Valve V3 sticks when cold."]
    (conflict,) = ben.sync().conflicts
    assert conflict.field == "deleted"
    ben.notes.resolve(conflict, True)
    settle([ben, anna])
    assert anna.texts() == ben.texts() == []


def test_an_unknown_key_is_named_and_its_notes_wait_until_it_is_trusted(tmp_path):
    shared = tmp_path / "stick"
    shared.mkdir()
    anna, eve = Person(tmp_path, "Anna", shared), Person(tmp_path, "Eve", shared)
    eve.desk.add(Note("Bypass the relief valve."))
    eve.sync()
    exchange = anna.sync()
    assert anna.texts() == []
    assert exchange.newcomers == ((eve.notes.own_fingerprint, "Eve"),)
    assert [each.key for each in exchange.left_out] == [eve.notes.own_fingerprint]
    with pytest.raises(KeyUnusable):
        anna.notes.trust(shared, "0" * 16)
    anna.notes.trust(shared, eve.notes.own_fingerprint)
    anna.sync()
    assert anna.texts() == ["Bypass the relief valve."]


@pytest.mark.parametrize("harm", ["changed", "unsigned", "cut", "signed by someone"])
def test_what_is_not_rightly_signed_is_left_out_and_named(team, harm):
    anna, ben, carl = team("Anna", "Ben", "Carl")
    ben.desk.add(Note("Torque 30 Nm."))
    carl.desk.add(Note("Close V1 first."))
    ben.sync()
    carl.sync()
    mine = ben.notes.own_fingerprint
    file = next((ben.shared / "check-ins" / mine).glob("*.json"))
    match harm:
        case "changed":
            file.write_bytes(file.read_bytes().replace(b"30 Nm", b"90 Nm"))
        case "unsigned":
            file.with_name(file.name + ".sig").unlink()
        case "cut":
            file.write_bytes(file.read_bytes()[:40])
        case _:
            other = next((ben.shared / "check-ins" / carl.notes.own_fingerprint).glob("*.json"))
            file.write_bytes(other.read_bytes())
            sig = other.with_name(other.name + ".sig")
            file.with_name(file.name + ".sig").write_bytes(sig.read_bytes())
    exchange = anna.sync()
    assert anna.texts() == ["Close V1 first."]
    assert [each.file for each in exchange.left_out] == [f"check-ins/{mine}/{file.name}"]


def test_a_secret_that_comes_from_others_is_not_kept(team, monkeypatch):
    anna, ben = team("Anna", "Ben")
    monkeypatch.setattr("knowledge.base.check_text", lambda *_: None)
    ben.desk.add(Note("The password: hunter2hunter2 of the panel"))
    ben.sync()
    monkeypatch.undo()
    exchange = anna.sync()
    assert anna.texts() == []
    assert len(exchange.left_out) == 1


EDITS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(0, 2), st.sampled_from("abc")),
        st.tuples(st.just("text"), st.integers(0, 2), st.sampled_from("vwxyz")),
        st.tuples(st.just("tag"), st.integers(0, 2), st.sampled_from("rst")),
        st.tuples(st.just("delete"), st.integers(0, 2), st.integers(0, 3)),
        st.tuples(st.just("sync"), st.integers(0, 2), st.none()),
        st.tuples(st.just("resolve"), st.integers(0, 2), st.integers(0, 1)),
    ),
    max_size=24,
)


def act(people, what, who, value):
    person = people[who % len(people)]
    notes = person.desk.list()
    match what:
        case "add":
            person.desk.add(Note(f"Note {value}", written="2026-01-01"))
        case "text" if notes:
            first = notes[0]
            person.desk.update(Note(f"{value}", first.piece_id, tags=first.tags, written="2026"))
        case "tag" if notes:
            last = notes[-1]
            person.desk.update(Note(last.text, last.piece_id, tags=(value,), written="2026"))
        case "delete" if notes:
            person.desk.delete(notes[value % len(notes)].piece_id)
        case "sync":
            person.sync()
        case "resolve":
            for conflict in person.notes.conflicts()[:1]:
                person.notes.resolve(conflict, conflict.versions[value].value)
        case _:
            pass


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 3)  # each opens three libraries
@given(edits=EDITS, order=st.permutations([0, 1, 2]))
def test_all_libraries_converge_whatever_the_order(edits, order):
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ending:
        shared = Path(folder) / "stick"
        shared.mkdir()
        people = [Person(Path(folder), f"P{n}", shared) for n in range(3)]
        for each in people:
            ending.callback(each.desk.close)
        introduce(people)
        for edit in edits:
            act(people, *edit)
        shuffled = [people[n] for n in order]
        settle(shuffled)
        states = [each.state() for each in people]
        assert all(state == states[0] for state in states)
        told = [each.conflicts() for each in people]
        assert all(each == told[0] for each in told)
        before = states[0], len(list(shared.rglob("*.json")))
        settle(shuffled)  # nothing more to exchange: it ends
        assert (people[0].state(), len(list(shared.rglob("*.json")))) == before
        for piece, field, values in told[0]:  # no text of a conflict is lost
            if field == "content":
                shown = next(text for id_, text, *_ in states[0] if id_ == piece)
                assert shown in values


_CHILD = """
import sys
from pathlib import Path
sys.path.insert(0, ".")
from tests.core.notes.test_shared_folder import Person
from desktop.core.notes.note import Note
root, shared = Path(sys.argv[1]), Path(sys.argv[2])
person = Person(root, "Anna", shared, root / "anna.db")
have = len(person.desk.list())
for n in range(have, have + 40):
    person.desk.add(Note(f"Note {n} of Anna", written="2026"))
    print(n, flush=True)
    person.sync()
"""


@pytest.mark.slow
def test_killed_in_the_middle_nothing_is_lost_and_nothing_comes_twice(tmp_path):
    shared = tmp_path / "stick"
    shared.mkdir()
    written = -1
    for after in (3, 7, 11):
        child = subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(tmp_path), str(shared)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        for _ in range(after):
            written = int(child.stdout.readline())
        os.kill(child.pid, signal.SIGKILL)
        rest = child.stdout.read().split()
        written = int(rest[-1]) if rest else written
        child.wait()
    anna = Person(tmp_path, "Anna", shared, tmp_path / "anna.db")
    ben = Person(tmp_path, "Ben", shared)
    introduce([anna, ben])
    settle([anna, ben])
    wanted = sorted(f"Note {n} of Anna" for n in range(written + 1))
    assert anna.texts() == wanted
    assert ben.texts() == wanted
    assert anna.conflicts() == []
    anna.desk.close()
    ben.desk.close()


def test_a_folder_that_is_away_is_told_once_and_comes_back(tmp_path, team):
    anna, ben = team("Anna", "Ben")
    ben.desk.add(Note("Close V1 first."))
    ben.sync()
    away = anna.shared.rename(tmp_path / "away")
    told, came = [], threading.Event()

    def listen(each):
        told.append(each)
        came.set()

    keeper = FolderKeeper(anna.desk, anna.notes, anna.shared, seconds=0.02)
    keeper.tell(listen)
    assert came.wait(60)
    for _ in range(3):
        keeper.look()
    away.rename(anna.shared)
    arrived = threading.Event()
    anna.desk.subscribe(lambda: arrived.set() if anna.texts() else None)
    keeper.look()
    assert arrived.wait(60)
    keeper.close()
    sentences = [each for each in told if isinstance(each, str)]
    assert len(sentences) in (1, 2)  # twice only if it was told before somebody listened
    assert "cannot be reached" in sentences[0]
