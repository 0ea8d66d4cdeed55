"""What a person jumps to: headings and printed numbers, kept right through every change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.errors import DocumentNotFound
from desktop.core.jobs import CancelToken
from tests.fakes.bookcase import Sheet

if TYPE_CHECKING:
    from desktop.core.library.library import Library

PUMP = (
    Sheet().heading("Replacing the battery").text("Open the cover with a key and lift it."),
    Sheet().heading("Überlauf prüfen").text("Der Überlauf ist zweimal im Jahr zu prüfen."),
)
BOILER = (Sheet().heading("Battery test").text("The battery test lasts a day and a night."),)


def titles(library: Library, text: str) -> set[str]:
    return {each.title for each in library.headings(text)}


def test_headings_are_found_by_the_beginnings_of_their_words_in_any_order(bookcase):
    pump = bookcase.add("pump.pdf", PUMP)
    bookcase.add("boiler.pdf", BOILER)
    assert titles(bookcase.library, "bat") == {"Replacing the battery", "Battery test"}
    assert titles(bookcase.library, "batt repl") == {"Replacing the battery"}
    assert titles(bookcase.library, "the-bat") == {"Replacing the battery"}
    assert titles(bookcase.library, "bat-the") == set()
    assert titles(bookcase.library, "uberlauf") == {"Überlauf prüfen"}
    (found,) = bookcase.library.headings("prüf")
    assert (found.document_id, found.page, found.label) == (pump, 1, "2")


@pytest.mark.parametrize("text", ["", "  ", "*", '" OR "', "(", "attery"])
def test_what_begins_no_word_of_a_heading_finds_nothing(bookcase, text):
    bookcase.add("pump.pdf", PUMP)
    assert bookcase.library.headings(text) == []


def test_words_are_found_where_all_of_them_stand_the_last_one_begun(bookcase):
    pump = bookcase.add("pump.pdf", PUMP)
    bookcase.add("boiler.pdf", BOILER)
    (found,) = bookcase.library.words("cover ke")
    assert (found.document_id, found.page, found.label) == (pump, 0, "1")
    assert found.text == "Open the cover with a key and lift it."
    assert found.boxes
    assert bookcase.library.words("cover night") == []
    assert bookcase.library.words("co") == []  # it stands everywhere


def test_pages_are_found_by_the_number_that_is_printed_on_them(bookcase):
    pump = bookcase.add("pump.pdf", PUMP)
    relabel = "UPDATE pages SET label = '4-1' || (page + 1) WHERE document_id = ?"
    bookcase.database.write(lambda c: c.execute(relabel, (pump,)))
    found = bookcase.library.pages_labelled("4-1")
    assert [(each.page, each.label) for each in found] == [(0, "4-11"), (1, "4-12")]
    assert [each.page for each in bookcase.library.pages_labelled("4-12")] == [1]
    assert bookcase.library.pages_labelled("%") == []
    assert bookcase.library.pages_labelled(" ") == []


def test_the_headings_of_a_deleted_manual_are_gone(bookcase):
    pump = bookcase.add("pump.pdf", PUMP)
    bookcase.add("boiler.pdf", BOILER)
    bookcase.library.delete(pump)
    assert titles(bookcase.library, "battery") == {"Battery test"}
    assert titles(bookcase.library, "prüfen") == set()


def test_a_table_of_contents_is_found_before_the_pages_are_laid_out(bookcase):
    pump = bookcase.add("pump.pdf", PUMP)
    bookcase.database.write(
        lambda c: c.execute(
            "INSERT INTO outline(document_id, position, level, title, page)"
            " VALUES(?1, 0, 1, 'Wiring of the pump', 1), (?1, 1, 1, 'Replacing the battery', 0)",
            (pump,),
        )
    )
    assert titles(bookcase.library, "wiring") == set()  # all headings are known by now
    bookcase.database.write(lambda c: c.execute("UPDATE documents SET layout_done = 1"))
    assert titles(bookcase.library, "wiring") == {"Wiring of the pump"}
    assert titles(bookcase.library, "ring") == set()
    (found,) = bookcase.library.headings("replacing")
    assert (found.page, found.label) == (0, "1")


def test_a_manual_read_anew_is_whole_again_and_keeps_what_a_person_said(bookcase):
    pump = bookcase.add("pump.pdf", PUMP)
    bookcase.library.rename(pump, "Pump P-200")
    bookcase.library.set_place([pump], "SITE 12", "P-200")
    bookcase.database.write(lambda c: c.execute("DELETE FROM blocks"))
    assert titles(bookcase.library, "battery") == set()

    bookcase.ingestion.read_anew(pump)
    assert bookcase.ingestion.has_work()
    list(bookcase.ingestion.run(CancelToken()))

    record = bookcase.library.document(pump)
    assert (record.title, record.site, record.state) == ("Pump P-200", "SITE 12", "ready")
    assert record.done[:2] == (2, 2)
    assert bookcase.search("Which key opens the cover?")[0].passages
    assert titles(bookcase.library, "battery") == {"Replacing the battery"}


def test_reading_anew_what_is_gone_is_no_problem(bookcase):
    pump = bookcase.add("pump.pdf", PUMP)
    bookcase.ingestion.read_anew(pump)
    bookcase.library.delete(pump)
    assert list(bookcase.ingestion.run(CancelToken())) == []
    with pytest.raises(DocumentNotFound):
        bookcase.library.document(pump)


def test_a_manual_keeps_when_it_was_last_looked_at(bookcase):
    pump, boiler = bookcase.add("pump.pdf", PUMP), bookcase.add("boiler.pdf", BOILER)
    assert bookcase.library.document(pump).used_at == ""
    bookcase.library.mark_used(pump)
    assert bookcase.library.document(pump).used_at > bookcase.library.document(pump).added_at
    assert bookcase.library.document(boiler).used_at == ""
