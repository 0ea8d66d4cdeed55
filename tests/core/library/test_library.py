from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.errors import DocumentNotFound
from desktop.core.library.library import find_in_words, normalized_needle
from tests.fakes.parser import scanned, words_of, write_manual

if TYPE_CHECKING:
    from pathlib import Path

    from tests.core.library.conftest import Bench


def hits(text: str, needle: str) -> list[list[tuple[float, float, float, float]]]:
    found = find_in_words(words_of(text), normalized_needle(needle))
    return [[box.as_tuple() for box in boxes] for boxes in found]


def test_find_runs_over_words_and_ignores_case():
    (boxes,) = hits("Supply 24 V dc", "24 v")
    assert boxes == [(72 + 7 * 6, 72, 72 + 11 * 6, 84)]


def test_find_sees_the_part_of_a_word():
    assert len(hits("RS-485 and RS-232", "rs-")) == 2
    assert len(hits("Überspannungsschutz", "SPANNUNG")) == 1


def test_find_gives_one_box_per_line():
    (boxes,) = hits("disconnect the\nbattery first", "THE  battery")
    assert len(boxes) == 2
    assert boxes[0][3] <= boxes[1][1]


def test_find_is_not_shifted_by_letters_that_grow_when_folded():
    (boxes,) = hits("Maß Größe Fuß X4", "x4")
    assert boxes == [(72 + 14 * 6, 72, 72 + 16 * 6, 84)]
    assert len(hits("STRASSE straße", "straße")) == 2


def test_find_of_nothing_finds_nothing():
    assert hits("some words", "   ") == []
    assert hits("", "x") == []
    assert hits("abc", "abd") == []


def test_find_text_goes_through_the_pages_also_scanned_ones(bench: Bench, tmp_path: Path):
    bench.run(write_manual(tmp_path / "m.pdf", ["Relay K2", "none", scanned("relay k3\nRELAY k4")]))
    document = bench.only_document()
    assert [page for page, _ in bench.library.find_text(document.id, "relay K")] == [0, 2, 2]
    assert list(bench.library.find_text(document.id, "")) == []


def test_the_first_hit_of_a_long_manual_does_not_wait_for_the_last_page(
    bench: Bench, tmp_path: Path
):
    bench.run(write_manual(tmp_path / "m.pdf", ["needle"] * 50))
    document = bench.only_document()
    search = bench.library.find_text(document.id, "needle")
    assert next(search)[0] == 0
    bench.library.delete(document.id)
    with pytest.raises(DocumentNotFound):
        next(search)


def test_outline_and_words_are_read_back(bench: Bench, tmp_path: Path):
    outline = [(1, "Safety", 0), (2, "Batteries", 1)]
    bench.run(write_manual(tmp_path / "m.pdf", ["one two", "three"], outline=outline))
    document = bench.only_document()
    entries = [(e.level, e.title, e.page) for e in bench.library.outline(document.id)]
    assert entries == outline
    assert bench.library.page_words(document.id, 0).texts == ("one", "two")
    assert len(bench.library.page_words(document.id, 7)) == 0
    assert bench.library.original_path(document.id).read_bytes().startswith(b"%PDF-")


def test_renaming_shows_the_new_title_and_an_empty_one_brings_the_file_name_back(
    bench: Bench, tmp_path: Path
):
    bench.run(write_manual(tmp_path / "pump.pdf", ["x"], title="Untitled 1"))
    document = bench.only_document()
    bench.library.rename(document.id, "  Pump   P-200 ")
    assert bench.only_document().title == "Pump P-200"
    bench.library.rename(document.id, " ")
    assert bench.only_document().title == "pump"


def test_a_document_that_is_gone_is_named_as_such(bench: Bench):
    calls = [
        lambda: bench.library.document(5),
        lambda: bench.library.pages(5),
        lambda: bench.library.page_words(5, 0),
        lambda: bench.library.outline(5),
        lambda: bench.library.original_path(5),
        lambda: bench.library.rename(5, "x"),
        lambda: bench.library.delete(5),
        lambda: bench.library.page_of_label(5, "1"),
        lambda: list(bench.library.find_text(5, "x")),
        lambda: bench.ingestion.retry(5),
        lambda: bench.ingestion.cancel_document(5),
        lambda: bench.ingestion.unlock(5, "x"),
    ]
    for call in calls:
        with pytest.raises(DocumentNotFound):
            call()
