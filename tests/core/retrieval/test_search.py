"""Searching a library of two small manuals, with a text embedder and with words alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.parsing.service import InProcessParser
from desktop.core.question.query import Query
from desktop.core.retrieval.search import Searcher
from desktop.core.settings.sections import IngestionSettings, ParserSettings, RetrievalSettings
from desktop.core.store.postings import forget
from tests.fakes.bookcase import Bookcase, Sheet, bookcase_at
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.manuals import fill

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def bookcase(tmp_path: Path) -> Iterator[Bookcase]:
    """To be changed by the test."""
    with bookcase_at(tmp_path, FakeEmbedder()) as opened:
        fill(opened)
        yield opened


def places(found):
    return [(page.document, page.page) for page in found]


@pytest.mark.parametrize(
    ("question", "document", "page"),
    [
        ("What supply voltage does the pump need?", "pump.pdf", 0),
        ("What is the remedy for noise in the pipe?", "pump.pdf", 1),
        ("Which terminal is the RS-485 bus connected to?", "pump.pdf", 2),
        ("How often is the brake of the hoist tested?", "crane.pdf", 0),
        ("How do I reset the crane?", "crane.pdf", 1),
    ],
)
def test_the_page_that_answers_comes_first(manuals, question, document, page):
    assert places(manuals.search(question))[0] == (document, page)


@pytest.mark.parametrize(("code", "page"), [("S-130", 2), ("S-131", 3), ("s131", 3), ("J1C", 2)])
def test_an_exact_code_wins(manuals, code, page):
    assert places(manuals.search(f"What is {code}?"))[0] == ("pump.pdf", page)


@pytest.mark.parametrize(("code", "unnamed"), [("J1", ()), ("S13", ("S13",)), ("J2", ("J2",))])
def test_a_code_that_no_manual_has_may_be_the_beginning_of_one_with_a_letter(
    manuals, code, unnamed
):
    assert manuals.search(f"What is connected to terminal {code}?")[0].unnamed == unnamed


def test_the_best_passage_of_a_page_stands_first_and_tells_where_it_is(manuals):
    found = manuals.search("What is the remedy for noise in the pipe?")[0]
    best = found.passages[0]
    assert best.text == "Noise in pipe | Air in pump | Bleed at valve V3"
    assert best.kind == "row"
    assert "Symptom | Cause | Remedy" in best.context
    assert manuals.words_in(found.document_id, 1, best.boxes) == best.text.replace(" | ", " ")
    assert manuals.words_in(found.document_id, 1, best.header_boxes) == "Symptom Cause Remedy"


def test_a_search_in_one_manual_never_returns_another(manuals):
    crane = manuals.id_of("crane.pdf")
    found = manuals.search("Which terminal is the RS-485 bus of the pump connected to?", crane)
    assert found
    assert {page.document for page in found} == {"crane.pdf"}


def test_a_search_in_two_manuals_finds_both(manuals):
    both = [manuals.id_of("crane.pdf"), manuals.id_of("pump.pdf")]
    found = manuals.search("terminal", *both)
    assert {page.document for page in found} == {"crane.pdf", "pump.pdf"}


def test_naming_a_manual_brings_its_page_first(manuals):
    assert manuals.search("Which terminal does the crane have?")[0].document == "crane.pdf"
    assert manuals.search("Which terminal does the pump have?")[0].document == "pump.pdf"


def test_a_code_that_one_manual_has_is_answered_from_it_whatever_others_say_of_the_rest(tmp_path):
    ports = Sheet().heading("Mixing valve QN18").text("Port AB leads to the fan coil.")
    three = Sheet().heading("Ports of the valve").text("The three ports of the valve are piped up.")
    with bookcase_at(tmp_path) as bookcase:
        others = [Sheet().text(f"Part {n} is cleaned with a dry cloth.") for n in range(3)]
        bookcase.add("cooling.pdf", (ports, *others))
        bookcase.add("boiler.pdf", (three, *others))
        found = bookcase.search("How are the three ports of the valve QN18 piped up?")
        assert found[0].document == "cooling.pdf"


def test_each_page_is_returned_once_and_no_more_than_wanted(manuals):
    found = manuals.searcher.search(Query("pump crane terminal hoist fuse", limit=3))
    assert len(found) == 3
    assert len(set(places(found))) == 3


def test_the_best_page_has_the_highest_score(manuals):
    scores = [page.score for page in manuals.search("Which terminal does the pump have?")]
    assert scores == sorted(scores, reverse=True)


def test_a_page_says_which_searchers_found_it(manuals):
    found = manuals.search("Which terminal is the RS-485 bus connected to?")[0]
    assert "page words" in found.found_by
    assert "passage words" in found.found_by


def test_the_question_is_embedded_as_a_question(bookcase):
    embedder = FakeEmbedder()
    Searcher(bookcase.database, embedder, RetrievalSettings()).search(Query("Which fuse is blown?"))
    assert embedder.queries[-1] == "Which fuse is blown?"


@pytest.mark.parametrize(
    "other",
    [FakeEmbedder("fake-embedder@2"), FakeEmbedder("other@1"), FakeEmbedder("other@1", 128)],
    ids=["another revision", "another model of the same size", "another size"],
)
def test_until_its_vectors_are_made_anew_a_library_is_searched_by_words(bookcase, other):
    question = "Which terminal is the RS-485 bus connected to?"
    assert any("meaning" in page.found_by for page in bookcase.search(question))

    searcher = Searcher(bookcase.database, other, RetrievalSettings())
    found = searcher.search(Query(question))

    assert places(found)[0] == ("pump.pdf", 2)
    assert not any("meaning" in page.found_by for page in found)


def test_after_a_change_of_the_text_model_meaning_is_searched_again(bookcase):
    other = FakeEmbedder("other@1", 128)
    parser = InProcessParser(ParserSettings(ocr=False, layout_model=False))
    settings = IngestionSettings(free_space_mib=0)
    ingestion = Ingestion(bookcase.database, bookcase.library, parser, other, settings)
    assert ingestion.has_work()
    list(ingestion.run(CancelToken()))
    parser.close()

    found = Searcher(bookcase.database, other, RetrievalSettings()).search(Query("Which terminal?"))
    assert any("meaning" in page.found_by for page in found)


@pytest.mark.parametrize("question", ["zebra stripes", "What is it?", "", "?!", '"', "NEAR(", "*"])
def test_by_words_alone_a_question_without_a_known_word_finds_nothing(manuals, question):
    by_words = Searcher(manuals.database, None, RetrievalSettings())
    assert by_words.search(Query(question)) == []


@pytest.mark.parametrize(
    "question", ['pump" OR "crane', "pump NOT crane", "pump AND (crane)", "terms:pump -crane*"]
)
def test_what_means_something_to_the_database_is_a_word_like_any_other(manuals, question):
    found = manuals.search(question)
    assert {page.document for page in found} == {"pump.pdf", "crane.pdf"}


def test_an_empty_library_finds_nothing(tmp_path):
    with bookcase_at(tmp_path, FakeEmbedder()) as empty:
        assert empty.search("Which fuse?") == []


def test_a_deleted_manual_is_not_found_any_more(bookcase):
    pump = bookcase.id_of("pump.pdf")
    assert "pump.pdf" in [page.document for page in bookcase.search("Which fuse is blown?")]
    bookcase.library.delete(pump)
    found = bookcase.search("Which fuse is blown? Which terminal has the pump?")
    assert {page.document for page in found} <= {"crane.pdf"}
    assert bookcase.search("Which fuse is blown?", pump) == []


def test_a_manual_added_later_is_found_at_once(bookcase):
    bookcase.add("lift.pdf", [Sheet().heading("Doors").text("The doors close within 4 seconds.")])
    assert places(bookcase.search("How fast do the doors close?"))[0] == ("lift.pdf", 0)


def test_a_renamed_manual_is_shown_under_its_new_title(bookcase):
    Library.rename(bookcase.library, bookcase.id_of("pump.pdf"), "Cellar pump")
    assert bookcase.search("Which terminal is the RS-485 bus on?")[0].title == "Cellar pump"


def test_a_page_without_layout_yet_is_found_and_shows_the_right_lines(bookcase):
    pump = bookcase.id_of("pump.pdf")

    def forget_layout(connection):
        ids = "SELECT id FROM units WHERE document_id = ?"
        units = connection.execute(ids, (pump,)).fetchall()
        forget(connection, pump, "unit", [unit_id for (unit_id,) in units])
        connection.execute(f"DELETE FROM unit_vectors WHERE unit_id IN ({ids})", (pump,))
        connection.execute("DELETE FROM units WHERE document_id = ?", (pump,))
        connection.execute("DELETE FROM blocks")

    bookcase.database.write(forget_layout)
    unread: list[tuple[int, int]] = []
    bookcase.searcher.when_unread = unread.extend
    found = bookcase.search("Which terminal is the RS-485 bus connected to?")[0]
    assert (found.document, found.page) == ("pump.pdf", 2)
    best = found.passages[0]
    assert "The RS-485 bus is connected to terminal J1C." in best.text
    assert bookcase.words_in(pump, 2, best.boxes) == best.text
    assert unread[0] == (pump, 2)


def test_the_label_of_a_page_is_the_one_people_read(manuals):
    found = manuals.search("Which terminal is the RS-485 bus connected to?")[0]
    assert found.label == "3"
    assert found.region().label == "3"


def test_what_a_tool_gets_are_plain_values(manuals):
    plain = manuals.search("Which terminal is the RS-485 bus connected to?")[0].to_object()
    assert plain["document"] == "pump.pdf"
    assert plain["page"] == 2
    assert plain["content"] == "The RS-485 bus is connected to terminal J1C."
    assert plain["section"].endswith("Bus")
    assert len(plain["regions"]) == 1


def test_what_a_manual_lacks_of_the_question_orders_its_units_and_is_no_doubt_about_them(tmp_path):
    screws = Sheet().heading("Torques").text("Tighten the screws of the cover with 5 Nm.")
    with bookcase_at(tmp_path) as bookcase:
        bookcase.add("pump.pdf", (screws, screws))
        found = bookcase.searcher.retrieve(Query("How tight are the screws of the cover?"))
        weights = dict(
            zip(found.question.groups, found.pages[0].evidence.term_weights, strict=True)
        )
        evidence = found.pages[0].evidence
        said = next(group for group in weights if group not in evidence.absent)
        lacks = replace(evidence, absent=evidence.absent | {said})
        share = weights[said] / sum(weights.values())
        assert lacks.lacking == pytest.approx(evidence.lacking + share)
        reader = bookcase.searcher.reader
        both = reader.read(found.question, found.pages)
        other = reader.read(
            found.question, [replace(found.pages[0], evidence=lacks), found.pages[1]]
        )
        assert other.pages[0][0].score < both.pages[0][0].score
        assert other.pages[1][0].score == both.pages[1][0].score
        assert (other.chance, other.there) == (both.chance, both.there)


def test_the_first_page_brings_each_part_of_a_question_as_it_was_read_by_itself(
    bookcase: Bookcase,
):
    fuse, weight = "Fuse F2 protects the controller.", "The pump weighs 33 kg with its frame."
    sheets = [Sheet().text(fuse), Sheet().text(weight), Sheet().text("The lamp is green.")]
    bookcase.add("pump.pdf", sheets)
    found = bookcase.search("Which fuse protects the controller, and what weighs 33 kg?")
    (first, of_first), (second, of_second) = found[0].of_parts
    assert (first, second) == ("Which fuse protects the controller", "what weighs 33 kg?")
    assert of_first[0].units[0].unit.text == fuse
    assert of_second[0].units[0].unit.text == weight
    assert not any(page.of_parts for page in (*of_first, *of_second, *found[1:]))
    assert bookcase.search("Which fuse protects the controller?")[0].of_parts == ()


def test_a_part_that_names_no_manual_is_about_the_one_that_the_question_names(bookcase: Bookcase):
    first, second = "What supply voltage does the P-7 pump need", "which terminal does it have?"
    found = bookcase.search(f"{first}, and {second}")
    of_parts = dict(found[0].of_parts)
    assert {page.document for page in of_parts[second]} == {"pump.pdf"}
    assert {page.document for page in bookcase.search(second)} == {"pump.pdf", "crane.pdf"}


def test_parts_are_read_for_the_question_whatever_was_searched_before_it(bookcase: Bookcase):
    sheets = [Sheet().text("Fuse F2 protects the controller."), Sheet().text("It weighs 33 kg.")]
    bookcase.add("pump.pdf", sheets)
    question = "Which fuse protects the controller, and what weighs 33 kg?"
    once = bookcase.search(question)
    others = bookcase.search("controller fuse")
    for found in (once, others):
        (first, *_) = bookcase.searcher.together(Query(question), found)
        assert [part for part, _ in first.of_parts] == [part for part, _ in once[0].of_parts]
