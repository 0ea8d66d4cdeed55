"""Watched folders: what comes in, what is a newer edition, what is asked about, what is not."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace

import pytest

from desktop.core.errors import FolderRefused
from desktop.core.jobs import CancelToken
from desktop.core.library import watched_folders
from desktop.core.library.editions import newer_revisions
from desktop.core.library.watched_folders import (
    FileArrived,
    FilesGone,
    FolderBack,
    FolderUnreachable,
    LookEnded,
    WatchedFolders,
)
from tests.fakes.parser import write_manual


@pytest.fixture(autouse=True)
def rests_at_once(monkeypatch):
    """A file that was the same at two looks is not being written any more."""
    monkeypatch.setattr(watched_folders, "REST_SECONDS", 0.0)


@pytest.fixture
def share(tmp_path):
    folder = tmp_path / "share"
    folder.mkdir()
    return folder


class Keeper:
    """Does what the window does: looks, and takes in what arrived."""

    def __init__(self, bench, share):
        self.bench, self.share = bench, share
        self.start_again()
        if share not in self.watched.folders:
            self.watched.add(share)

    def start_again(self):
        self.bench.restart()
        self.watched = WatchedFolders(self.bench.library)

    def look(self):
        """Look as often as it takes: to find it, to see it at rest, to see it in the library."""
        told = []
        for _ in range(3):
            events = list(self.watched.look(CancelToken()))
            for event in events:
                if isinstance(event, FileArrived):
                    self.bench.ingestion.enqueue([event.path], replaces=event.replaces)
            told += events
            self.bench.run()
        return [event for event in told if not isinstance(event, LookEnded)]

    def names(self):
        return sorted(each.name for each in self.bench.library.documents())


@pytest.fixture
def keeper(bench, share):
    return Keeper(bench, share)


def put(path, text="pump"):
    return write_manual(path, [text], title="Pump P-200")


def test_what_lies_in_a_folder_and_what_is_put_there_comes_in_once(keeper, share):
    put(share / "pump.pdf")
    put(share / "north" / "fan.PDF", "fan")
    (share / "notes.txt").write_text("no manual")
    assert {event.path.name for event in keeper.look()} == {"pump.pdf", "fan.PDF"}
    assert keeper.names() == ["fan.PDF", "pump.pdf"]
    assert keeper.look() == []
    put(share / "boiler.pdf", "boiler")
    assert [event.path.name for event in keeper.look()] == ["boiler.pdf"]
    keeper.start_again()
    assert keeper.look() == []
    assert keeper.watched.count(share) == 3


def test_a_file_that_is_still_growing_waits_until_it_rests(bench, share):
    watched = WatchedFolders(bench.library)
    watched.add(share)
    path = put(share / "pump.pdf", "be")
    assert resting(watched.look(CancelToken())) == [1]
    put(path, "beginning and")
    assert resting(watched.look(CancelToken())) == [1]
    put(path, "beginning and end")
    assert resting(watched.look(CancelToken())) == [1]
    arrived, *ended = watched.look(CancelToken())
    assert arrived == FileArrived(path)
    assert resting(ended) == [0]


def resting(events):
    """Of a look that told nothing else: how many files may still be written."""
    return [event.resting if isinstance(event, LookEnded) else event for event in events]


def test_a_file_rests_only_after_a_while(bench, share, monkeypatch):
    monkeypatch.setattr(watched_folders, "REST_SECONDS", 3_600.0)
    watched = WatchedFolders(bench.library)
    watched.add(share)
    put(share / "pump.pdf")
    looks = [event for _ in range(3) for event in watched.look(CancelToken())]
    assert resting(looks) == [1, 1, 1]


def test_an_unchanged_file_is_not_read_again(keeper, share, monkeypatch):
    put(share / "pump.pdf")
    keeper.look()

    def read(*_):
        raise AssertionError("it was read again")

    monkeypatch.setattr(watched_folders, "hash_file", read)
    assert keeper.look() == []


def test_a_changed_file_is_a_newer_edition_and_the_older_one_stays(keeper, share, bench):
    path = put(share / "pump.pdf", "first")
    keeper.look()
    [first] = bench.library.documents()
    bench.library.set_place([first.id], "SITE 12", "Pump P-200")
    put(path, "the second one")
    [arrived] = keeper.look()
    assert arrived == FileArrived(path, first.sha256)
    first, second = bench.library.documents()
    assert first.title == second.title  # nothing else tells them apart
    assert newer_revisions([first, second]) == {first.id: second.id}
    assert bench.library.newer_revisions() == {first.id: second.added_at[:10]}
    assert second.place == first.place

    put(path, "and the third one")
    keeper.look()
    third = bench.library.documents()[2]
    assert newer_revisions(bench.library.documents()) == {first.id: third.id, second.id: third.id}

    put(path, "first")  # somebody brought the first one back
    assert keeper.look() == []
    assert newer_revisions(bench.library.documents()) == {second.id: first.id, third.id: first.id}


def test_the_place_of_a_file_counts_more_than_what_its_edition_is_called(keeper, share, bench):
    path = put(share / "pump.pdf", "first")
    keeper.look()
    put(path, "second")
    keeper.look()
    first, second = bench.library.documents()
    first, second = replace(first, revision="Rev C"), replace(second, revision="Rev B")
    assert newer_revisions([first, second]) == {first.id: second.id}


def test_a_file_that_was_only_touched_stays_what_it_is(keeper, share):
    path = put(share / "pump.pdf")
    keeper.look()
    os.utime(path, ns=(1, 1))
    assert keeper.look() == []
    assert keeper.names() == ["pump.pdf"]


def test_a_removed_file_is_asked_about_and_never_deleted_by_itself(keeper, share, bench):
    path = put(share / "pump.pdf")
    put(share / "fan.pdf", "fan")
    keeper.look()
    path.unlink()
    [gone] = keeper.look()
    assert gone.folder == share
    assert [each.name for each in gone.documents] == ["pump.pdf"]
    assert keeper.look() == []  # asked once
    assert keeper.names() == ["fan.pdf", "pump.pdf"]
    keeper.watched.keep(gone.documents)
    keeper.start_again()
    assert keeper.look() == []  # answered: a restart asks nothing twice


def test_a_question_without_an_answer_is_open_after_a_restart(keeper, share):
    path = put(share / "pump.pdf")
    put(share / "fan.pdf", "fan")
    keeper.look()
    path.unlink()
    keeper.look()
    keeper.start_again()
    assert [type(event) for event in keeper.look()] == [FilesGone]


def test_a_moved_file_is_neither_new_nor_gone(keeper, share):
    path = put(share / "pump.pdf")
    put(share / "fan.pdf", "fan")
    keeper.look()
    (share / "pumps").mkdir()
    path.rename(share / "pumps" / "pump.pdf")
    assert keeper.look() == []
    assert keeper.names() == ["fan.pdf", "pump.pdf"]


@pytest.mark.parametrize("way", ["gone", "empty"])
def test_a_share_that_goes_away_is_said_once_and_nothing_counts_as_removed(
    keeper, share, tmp_path, way
):
    put(share / "pump.pdf")
    keeper.look()
    away = tmp_path / "away"
    shutil.move(share, away)
    if way == "empty":  # as an unmounted disk leaves its folder
        share.mkdir()
    assert keeper.look() == [FolderUnreachable(share)]
    assert keeper.watched.unreachable(share)
    assert keeper.look() == []
    if way == "empty":
        share.rmdir()
    shutil.move(away, share)
    assert keeper.look() == [FolderBack(share)]
    assert keeper.names() == ["pump.pdf"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_inside_that_cannot_be_read_hides_no_manual(keeper, share):
    put(share / "north" / "pump.pdf")
    put(share / "fan.pdf", "fan")
    keeper.look()
    (share / "north").chmod(0)
    try:
        assert keeper.look() == []
    finally:
        (share / "north").chmod(0o700)


def test_what_a_person_removed_is_not_taken_in_again(keeper, share, bench):
    path = put(share / "pump.pdf")
    keeper.look()
    bench.library.delete(bench.only_document().id)
    assert keeper.look() == []
    os.utime(path, ns=(1, 1))
    shutil.copy(path, share / "copy of pump.pdf")
    assert keeper.look() == []
    keeper.watched.remove(share)
    keeper.watched.add(share)
    keeper.start_again()
    assert keeper.look() == []
    assert keeper.names() == []
    bench.run(path)  # a person drops it: now it is wanted
    assert keeper.look() == []
    assert keeper.names() == ["pump.pdf"]


def test_removed_before_the_next_look_it_is_not_taken_in_again_either(keeper, share, bench):
    put(share / "pump.pdf")
    keeper.look()
    document = bench.only_document()
    keeper.watched.unwant(document.sha256)
    bench.library.delete(document.id)
    keeper.start_again()
    assert keeper.look() == []


def test_what_was_seen_but_not_taken_in_before_the_end_is_taken_in_later(bench, share):
    put(share / "pump.pdf")
    watched = WatchedFolders(bench.library)
    watched.add(share)
    list(watched.look(CancelToken()))
    assert any(isinstance(event, FileArrived) for event in watched.look(CancelToken()))
    # the program ends here, before the file was copied
    keeper = Keeper(bench, share)
    keeper.look()
    assert keeper.names() == ["pump.pdf"]


def test_folders_that_make_no_sense_are_refused_in_a_sentence(keeper, share, bench, tmp_path):
    (share / "north").mkdir()
    for folder in (share, share / "north", tmp_path / "nowhere", bench.folder):
        with pytest.raises(FolderRefused):
            keeper.watched.add(folder)
    keeper.watched.add(tmp_path)  # takes the place of the one inside it
    assert keeper.watched.folders == [tmp_path]
    put(bench.folder / "reports" / "answer.pdf")
    assert keeper.look() == []
    with pytest.raises(FolderRefused):
        keeper.watched.remove(share)


def test_a_damaged_list_is_put_aside_and_said(keeper, share, bench):
    bench.library.folder.watched.write_text("{")
    keeper.start_again()
    assert keeper.watched.damaged
    assert keeper.watched.folders == []
    assert bench.library.folder.watched.with_suffix(".damaged").exists()
