"""Pages named by their printed labels, and both manuals of a comparison."""

from dataclasses import dataclass

import pytest

from desktop.core.retrieval.asked_pages import asked_labels
from desktop.core.retrieval.both_sides import names_both, other_names, with_both_sides
from desktop.core.retrieval.evidence import Evidence
from desktop.core.retrieval.question import Question
from tests.fakes.bookcase import Sheet, bookcase_at


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("What stands on page 4-11?", ("4-11",)),
        ("Was steht auf Seite 4–11 und Seite iv?", ("4-11", "iv")),
        ("Compare p. A-2 with page 61", ("a-2", "61")),
        ("How is the page printed?", ()),
        ("Which fuse is F2?", ()),
    ],
)
def test_labels_are_read_off_the_question(question, labels):
    assert asked_labels(question) == labels


def test_the_page_with_the_printed_label_comes_first(tmp_path):
    sheets = [Sheet().text(f"The pump stands in hall {number}.") for number in range(12)]
    with bookcase_at(tmp_path) as bookcase:
        bookcase.add("pump.pdf", sheets)
        bookcase.database.write(
            lambda c: c.execute("UPDATE pages SET label = '4-' || (page + 1) WHERE page < 11")
        )
        found = bookcase.search("What does page 4-9 say about the pump?")
        assert (found[0].page, found[0].label) == (8, "4-9")
        assert "page label" in found[0].found_by
        assert bookcase.search("And page 12?")[0].page == 11  # no label: the page's number


@dataclass
class Found:
    document_id: int
    cover: float = 1.0


def documents_after(question, *documents, cover=1.0):
    ranked = [Found(document, 1.0 if document == 1 else cover) for document in documents]
    return [page.document_id for page in with_both_sides(Question.parse(question), ranked)]


def test_a_comparison_shows_the_second_manual_among_the_first_five():
    question = "Compare the fuses of pump and crane"
    assert documents_after(question, 1, 1, 1, 1, 1, 1, 2) == [1, 1, 1, 1, 2, 1, 1]
    assert documents_after(question, 1, 1, 2, 1, 1, 1, 2) == [1, 1, 2, 1, 1, 1, 2]


def test_other_questions_and_pages_about_something_else_change_nothing():
    assert documents_after("Which fuse is F2?", 1, 1, 1, 1, 1, 2) == [1, 1, 1, 1, 1, 2]
    compared = documents_after("Compare the fuses", 1, 1, 1, 1, 1, 2, cover=0.2)
    assert compared == [1, 1, 1, 1, 1, 2]


@pytest.mark.parametrize(
    ("question", "both"),
    [
        ("How many fuses do the pump and the crane have?", True),
        ("How many fuses does the pump have?", False),
        ("How many fuses does the machine have?", False),
    ],
)
def test_a_question_that_names_two_manuals_is_about_both(question, both):
    pump = Evidence(1, "pump.pdf", "Pump machine", 0, "1", 1.0, (), ())
    crane = Evidence(2, "crane.pdf", "Crane machine", 0, "1", 1.0, (), ())
    assert names_both(Question.parse(question), pump, crane) == both


def test_what_is_said_of_one_manual_need_not_name_the_other():
    pump = Evidence(1, "pump.pdf", "Pump P4 machine", 0, "1", 1.0, (), ())
    crane = Evidence(2, "crane.pdf", "Crane K7 machine", 0, "1", 1.0, (), ())
    asked = Question.parse("How many fuses do the pump P4 and the crane K7 have?")
    assert {"crane", "k7"} <= other_names(asked, [pump, crane])
    assert not {"pump", "p4"} & other_names(asked, [pump, crane])
    one = Question.parse("How many fuses does the pump P4 have?")
    assert not other_names(one, [pump, crane])


def test_both_manuals_that_a_question_names_are_quoted(tmp_path):
    with bookcase_at(tmp_path) as bookcase:
        for name, fuses in (("pump", "three"), ("crane", "seven")):
            sheet = Sheet().heading(f"The {name}").text(f"The {name} has {fuses} fuses in a row.")
            bookcase.add(f"{name}.pdf", [sheet, Sheet().text("Keep it dry.")])
        answer = bookcase.ask("How many fuses do the pump and the crane have?", least_confidence=0)
    quoted = {statement.source.document for statement in answer.statements}
    assert quoted == {"pump.pdf", "crane.pdf"}


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    with bookcase_at(tmp_path_factory.mktemp("labelled")) as bookcase:
        sheets = [Sheet().text(f"The pump hums on sheet {name}.") for name in ("a", "b", "c")]
        sheets[1].heading("4.2 Filling").text("Fill the pump with 3 litres of oil.")
        sheets[1].heading("4.3 Draining").text("Turn the plug to the left.")
        bookcase.add("pump.pdf", sheets)
        bookcase.database.write(lambda c: c.execute("UPDATE pages SET label = '4-' || (page + 1)"))
        yield bookcase


@pytest.mark.parametrize(
    "question", ["What does page 4-2 of the pump manual show?", "Was steht auf Seite 4-2?"]
)
def test_a_page_that_is_asked_for_is_told_by_its_headings(labelled, question):
    answer = labelled.ask(question)
    assert answer.found
    assert {statement.source.label for statement in answer.statements} == {"4-2"}
    assert [statement.text for statement in answer.statements] == ["4.2 Filling", "4.3 Draining"]


def test_what_a_named_page_says_of_something_is_quoted_and_nothing_made_up(labelled):
    answer = labelled.ask("What does page 4-2 say about the oil?", least_confidence=0.5)
    assert answer.found
    assert "3 litres of oil" in answer.statements[0].text
    other = labelled.ask("What does page 4-2 say about the turbine blades?", least_confidence=0.5)
    assert not other.found
