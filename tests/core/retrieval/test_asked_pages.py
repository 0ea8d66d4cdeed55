"""Pages named by their printed labels, and both manuals of a comparison."""

import pytest

from desktop.core.question.query import asked_labels
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


def test_what_a_named_page_says_of_something_is_quoted_and_surer_than_what_it_does_not(labelled):
    answer = labelled.ask("What does page 4-2 say about the oil?")
    assert any("3 litres of oil" in statement.text for statement in answer.statements)
    other = labelled.ask("What does page 4-2 say about the turbine blades?")
    assert other.confidence < answer.confidence
