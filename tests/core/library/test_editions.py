"""Which of two documents is the newer revision of one manual, and what that does to a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.library.editions import asks_for, newer_revisions
from desktop.core.library.values import DocumentRecord, DocumentState, SourceEdit
from desktop.core.question.query import Query
from desktop.core.retrieval.search import Searcher
from desktop.core.settings.sections import RetrievalSettings
from tests.fakes.bookcase import Sheet, bookcase_at

if TYPE_CHECKING:
    from pathlib import Path

OLD = (
    Sheet().heading("Torque").text("The tightening torque for terminal X2 is 1.0 Nm."),
    Sheet().heading("Lamp").text("The service lamp behind the door is changed every year."),
)
NEW = (Sheet().heading("Torque").text("The tightening torque for terminal X2 is 1.2 Nm."),)
TORQUE = "What is the tightening torque for terminal X2?"


def edition(id_, title, revision="", date="", read=(9, 9, 9), **place):
    state: DocumentState = "ready" if read[0] else "queued"
    return DocumentRecord(
        id=id_, sha256=f"{id_:064d}", name=f"{id_}.pdf", title=title, bytes=1, page_count=9,
        state=state, reason="", added_at="", done=read, failed_pages=0, revision=revision,
        revision_date=date, **place,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("HX-200 Manual", "Rev B"), ("HX-200 Manual", "Rev C")),
        (("HX-200 Manual Rev. B", "Rev B"), ("HX-200 manual rev C", "Rev C")),
        (("HX-200 Manual", "Edition 9"), ("HX-200 Manual", "Edition 10")),
        (("HX-200 Manual", "Version 1.9"), ("HX-200 Manual", "Version 1.10")),
        (("HX-200 Manual", "Rev C", "2024-05"), ("HX-200 Manual", "Rev A", "2025")),
        (("HX-200, May 2024", "", "2024-05"), ("HX-200, March 2026", "", "2026-03")),
        (("HX-200 Manual", "Rev B", "2024"), ("HX-200 Manual", "Rev C", "2024-05")),
    ],
)
def test_the_later_date_or_the_higher_mark_is_the_newer_revision(old, new):
    assert newer_revisions([edition(1, *old), edition(2, *new)]) == {1: 2}
    assert newer_revisions([edition(2, *new), edition(1, *old)]) == {1: 2}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("HX-200 Manual", "Rev B"), ("HX-300 Manual", "Rev C")),
        (("HX-200 Manual", "Rev B"), ("HX-200 Manual", "")),
        (("User manual", "Rev B"), ("User manual", "Rev C")),
        (("HX-200 Manual", "Rev B"), ("HX-200 Manual", "Edition 3")),
        (("HX-200 Manual", "Rev B"), ("HX-200 Manual", "Rev B")),
        (("HX-200 Installer manual", "Rev B"), ("HX-200 Operator manual", "Rev C")),
    ],
)
def test_what_cannot_be_compared_replaces_nothing(one, other):
    assert newer_revisions([edition(1, *one), edition(2, *other)]) == {}


def test_the_manuals_of_two_assets_are_no_revisions_of_each_other():
    here = edition(1, "Pump", "Rev A", site="SITE 12", asset="P-200")
    there = edition(2, "Pump", "Rev B", site="SITE 12", asset="P-201")
    anywhere = edition(3, "Pump", "Rev C")
    assert newer_revisions([here, there]) == {}
    assert newer_revisions([here, there, anywhere]) == {1: 3, 2: 3}


def test_every_older_revision_is_replaced_by_the_newest_that_can_be_searched():
    revisions = [edition(id_, "Pump", f"Rev {mark}") for id_, mark in enumerate("ABC", 1)]
    waiting = edition(4, "Pump", "Rev D", read=(0, 0, 0))
    assert newer_revisions([*revisions, waiting]) == {1: 3, 2: 3}


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What is the torque in Rev B?", True),
        ("What is the torque, rev. b?", True),
        ("What did the 2024 manual say?", True),
        ("What changed between the two editions?", True),
        ("Was stand in der vorigen Ausgabe?", True),
        ("What is the torque in Rev C?", False),
        ("Which version of the firmware is needed?", False),
    ],
)
def test_a_question_can_ask_for_an_older_revision(question, asked):
    assert asks_for(question, edition(1, "HX-200", "Rev B", "2024-05")) is asked


@pytest.fixture
def bookcase(tmp_path: Path):
    with bookcase_at(tmp_path / "library") as bookcase:
        for name, sheets, revision in (("b.pdf", OLD, "Rev B"), ("c.pdf", NEW, "Rev C")):
            id_ = bookcase.add(name, sheets, title="Pump manual")
            bookcase.library.set_source([id_], SourceEdit(revision=revision))
        yield bookcase


def found_in(bookcase, question, *only):
    return {page.document for page in bookcase.search(question, *only)}


def test_the_newer_revision_wins_where_it_says_as_much(bookcase):
    assert found_in(bookcase, TORQUE) == {"c.pdf"}
    assert bookcase.library.newer_revisions() == {bookcase.id_of("b.pdf"): "Rev C"}


def test_what_only_the_older_revision_says_is_still_found(bookcase):
    assert "b.pdf" in found_in(bookcase, "How often is the service lamp changed?")


def test_an_older_revision_that_is_asked_for_is_searched(bookcase):
    assert "b.pdf" in found_in(bookcase, "What is the tightening torque for X2 in Rev B?")
    assert found_in(bookcase, TORQUE, bookcase.id_of("b.pdf")) == {"b.pdf"}


def test_a_setting_searches_all_revisions_alike(bookcase):
    searcher = Searcher(bookcase.database, None, RetrievalSettings(newest_revision=False))
    assert {page.document for page in searcher.search(Query(TORQUE))} == {"b.pdf", "c.pdf"}
