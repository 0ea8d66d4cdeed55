"""A library file that is damaged: told when it opens, mended from what is left."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from desktop.core.conversations.store import Conversations
from desktop.core.errors import LibraryBusy, LibraryDamaged
from desktop.core.geometry import Box
from desktop.core.library.annotations import Annotation, Annotations, Bookmarks
from desktop.core.paths import LibraryFolder
from desktop.core.store.backups import backups_of
from desktop.core.store.connection import PAGE_SIZE
from desktop.core.store.database import Database
from desktop.core.store.schema import FIRST_SCHEMA
from desktop.core.upkeep.repair import check_library, repair, restore_and_repair
from tests.core.upkeep.conftest import DOCUMENTS, TURNS, counts, read_in

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

INDEXES = ("postings", "indexed_texts", "units_by_page", "turns_fts_data")
VECTORS = ("unit_vectors", "sqlite_autoindex_unit_vectors_1")


def _overwrite(folder: Path, page: int, *, rest_of_page_from: int = 0) -> None:
    """Fill one page of the file with noise, as a failing disk does."""
    noise = random.Random(page).randbytes(PAGE_SIZE - rest_of_page_from)
    with LibraryFolder(folder).database.open("r+b") as file:
        file.seek((page - 1) * PAGE_SIZE + rest_of_page_from)
        file.write(noise)


def _root_page(folder: Path, name: str) -> int:
    connection = apsw.Connection(str(LibraryFolder(folder).database))
    page: Any = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).get
    connection.close()
    return int(page)


def _is_told(folder: Path) -> None:
    with pytest.raises(LibraryDamaged):
        Database.open(folder)


def _mend(folder: Path, whole: dict[str, object]) -> None:
    repair(folder)
    read_in(folder)
    assert counts(folder) == whole


def test_a_damaged_header_is_told_and_nothing_is_lost(library: Path):
    whole = counts(library)
    with LibraryFolder(library).database.open("r+b") as file:
        file.write(bytes(100))
    _is_told(library)
    assert repair(library).to_read == 0
    assert counts(library) == whole


def test_a_library_of_a_trial_version_is_refused_and_a_repair_reads_it(library: Path):
    whole = counts(library)
    connection = apsw.Connection(str(LibraryFolder(library).database))
    connection.execute("DROP TABLE annotations; DROP TABLE postings; DROP TABLE unit_vectors")
    connection.pragma("user_version", FIRST_SCHEMA - 1)
    connection.close()
    _is_told(library)
    assert repair(library).incomplete == ()
    read_in(library)
    assert counts(library) == whole


@pytest.mark.parametrize("name", INDEXES)
def test_a_damaged_index_is_told_and_made_again_from_the_texts(library: Path, name: str):
    whole = counts(library)
    _overwrite(library, _root_page(library, name))
    _is_told(library)
    outcome = repair(library)
    assert outcome.to_read == 0
    assert outcome.incomplete == ()
    assert counts(library) == whole


@pytest.mark.parametrize("name", VECTORS)
def test_damaged_vectors_are_told_and_made_again(library: Path, name: str):
    whole = counts(library)
    _overwrite(library, _root_page(library, name))
    _is_told(library)
    _mend(library, whole)


def test_vectors_whose_numbers_changed_are_found_by_a_check_and_made_again(library: Path):
    whole = counts(library)
    connection = apsw.Connection(str(LibraryFolder(library).database))
    connection.execute("UPDATE unit_vectors SET vector = zeroblob(length(vector))")
    connection.close()
    assert any(f.part == "library" for f in check_library(library))
    _mend(library, whole)
    assert list(check_library(library)) == []


def test_any_damaged_page_is_told_and_what_manuals_say_is_read_again(library: Path):
    """Every tenth page, one at a time; the conversation is allowed to suffer from none of them."""
    database = LibraryFolder(library).database
    sound, whole = database.read_bytes(), counts(library)
    pages = range(2, len(sound) // PAGE_SIZE + 1, 10)
    assert len(pages) >= 5
    for page in pages:
        database.write_bytes(sound)
        LibraryFolder(library).check_wanted.unlink(missing_ok=True)
        _overwrite(library, page)
        _is_told(library)
        lost = repair(library).incomplete
        read_in(library)
        now = counts(library)
        if lost:
            now["turns"] = whole["turns"]
        assert now == whole, f"page {page}"


def test_half_of_a_file_gives_back_what_is_in_it_and_the_manuals(library: Path):
    database = LibraryFolder(library).database
    data = database.read_bytes()
    database.write_bytes(data[: len(data) // 2])
    _is_told(library)
    repair(library)
    read_in(library)
    assert counts(library)["documents"] == DOCUMENTS
    assert counts(library)["pages"] == counts(library)["page_words"]


def test_a_file_that_tells_nothing_is_left_alone_and_a_backup_takes_its_place(library: Path):
    whole = counts(library)
    with Database.open(library) as database:
        database.keep_backup("daily")
        Conversations(database).create("after the backup")
    _overwrite(library, 1)
    _is_told(library)
    before = LibraryFolder(library).database.read_bytes()
    with pytest.raises(LibraryDamaged):
        repair(library)
    assert LibraryFolder(library).database.read_bytes() == before
    restore_and_repair(library, backups_of(library)[0])
    assert counts(library) == whole


def test_what_was_added_after_the_backup_comes_back_from_its_copy(library: Path, sound_library):
    whole = counts(library)
    with Database.open(library) as database:
        database.write(lambda c: c.execute("DELETE FROM documents WHERE id = 2"))
        database.write(lambda c: c.execute("DELETE FROM units WHERE document_id = 2"))
    assert any("belong to no entry" in finding.text for finding in check_library(library))
    outcome = repair(library)
    assert outcome.adopted == 1
    read_in(library)
    assert counts(library) == whole


def test_the_damaged_file_is_kept(library: Path):
    _overwrite(library, 3)
    damaged = LibraryFolder(library).database.read_bytes()
    aside = repair(library).aside
    assert (aside / "library.db").read_bytes() == damaged


def test_a_library_that_is_open_is_not_repaired(library: Path):
    with Database.open(library), pytest.raises(LibraryBusy):
        repair(library)


def test_a_library_that_was_not_closed_is_looked_through_at_the_next_opening(
    library: Path, monkeypatch
):
    monkeypatch.setattr("desktop.core.store.database.ALWAYS_BELOW", 0)
    _overwrite(library, _root_page(library, "turns_fts_data"))
    with Database.open(library):
        pass  # a large file that was closed well is not read through
    LibraryFolder(library).check_wanted.touch()
    _is_told(library)


def test_a_check_names_manuals_whose_copy_is_gone_or_changed(library: Path):
    first, second, _ = sorted(LibraryFolder(library).originals.glob("*.pdf"))
    first.unlink()
    second.write_bytes(b"%PDF-1.4 changed")
    texts = [finding.text for finding in check_library(library) if finding.part == "manuals"]
    assert len(texts) == 2
    assert any("missing" in text for text in texts)
    assert any("changed" in text for text in texts)


def test_a_conversation_survives_damage_to_its_index(library: Path):
    _overwrite(library, _root_page(library, "turns_fts_data"))
    repair(library)
    with Database.open(library) as database:
        found = Conversations(database).list("question 7")
    assert [record.title for record in found] == ["Pump"]
    assert counts(library)["turns"] == TURNS


def test_a_copy_of_the_library_without_its_manuals_can_be_repaired(library: Path):
    shutil.rmtree(LibraryFolder(library).originals)
    with LibraryFolder(library).database.open("r+b") as file:
        file.write(bytes(100))
    repair(library)
    assert counts(library)["documents"] == DOCUMENTS


def test_bookmarks_highlights_and_comments_survive_a_repair(library: Path):
    box = Box(10, 20, 110, 32)
    with Database.open(library) as database:
        (manual, *_) = database.read(lambda c: list(c.execute("SELECT id, sha256 FROM documents")))
        Bookmarks(database).put(manual[0], 1, "Fuses")
        made = Annotation(manual[1], 0, (box,), "pink", "24 Nm", "seized: 30 Nm")
        kept = Annotations(database).keep([made])
    _overwrite(library, _root_page(library, "turns_fts_data"))
    assert repair(library).incomplete == ()
    with Database.open(library) as database:
        assert Annotations(database).of(manual[1]) == kept
        assert [mark.name for mark in Bookmarks(database).of(manual[0])] == ["Fuses"]
