"""Which units make an answer."""

from dataclasses import replace

import pytest

from desktop.core.answering.selection import (
    chosen_of_parts,
    chosen_units,
    share_told,
    sure_of,
)
from desktop.core.geometry import Box
from desktop.core.question.query import Question
from desktop.core.reader.evidence import Evidence, ReadUnit
from desktop.core.reader.quotes import Quote
from desktop.core.reader.units import LIST


def read(text, score, indices=(0,)):
    return ReadUnit(Quote(text, "paragraph", "", (text,), (Box(0, 0, 1, 1),), indices), score)


def page(*units, document=1, number=0, named=False, title=""):
    return Evidence(
        document, f"{document}.pdf", title, number, "", 1.0, (), (), units=units, named=named
    )


def told(pages, **options):
    return [each.unit.unit.text for each in chosen_units(pages, **options)]


def test_the_best_unit_leads_and_what_is_far_less_likely_is_not_said():
    assert told([page(read("no", 1.0, (1,)), read("yes", 5.0))]) == ["yes"]


def test_where_the_best_unit_is_not_sure_the_next_ones_are_said_too():
    unsure = [read("one", 5.0), read("two", 4.8, (1,)), read("three", 4.5, (2,))]
    assert told([page(*unsure)]) == ["one", "two"]
    assert told([page(read("one", 5.0), read("two", 4.0, (1,)))]) == ["one"]
    assert told([replace(page(*unsure), chance=0.8)]) == ["one"]


def sure(units, told, chance=0.4, there=0.9):
    pages = [replace(page(*units), chance=chance, there=there)]
    return sure_of(pages, lambda _, unit: unit.text in told)


def test_an_answer_is_as_sure_as_what_competes_with_it_lets_it_be():
    alike = read("one", 5.0), read("two", 5.0, (1,))
    assert sure(alike, {"one"}) == pytest.approx((0.4 + 0.45) / 2)
    assert sure(alike, {"one", "two"}) == pytest.approx((0.4 + 0.9) / 2)
    assert sure((read("one", 5.0), read("two", -5.0, (1,))), {"one"}) == pytest.approx(0.65, 1e-3)


def test_a_translation_does_not_compete():
    first, other = page(read("28,4 V", 5.0)), page(read("28.4 volts", 5.0), number=1)
    pages = [replace(first, language="fr"), replace(other, language="en")]
    assert share_told(pages, lambda _, unit: unit.text == "28,4 V") == 1.0


def test_a_step_is_not_said_again_beside_its_procedure():
    pages = [page(read("a\nb", 5.0, (0, 1)), read("a", 4.9, (0,)))]
    assert told(pages) == ["a\nb"]


def test_the_same_sentence_of_another_manual_is_said_once():
    pages = [page(read("Use oil.", 5.0)), page(read("Use oil.", 4.9), document=2)]
    assert told(pages) == ["Use oil."]


def test_a_page_in_another_language_than_the_best_one_adds_nothing():
    first, other = page(read("28,4 V", 5.0)), page(read("28.4 volts", 4.9), number=1)
    assert told([replace(first, language="fr"), replace(other, language="en")]) == ["28,4 V"]
    assert len(told([first, replace(other, language="en")])) == 2  # not known of the first


def test_each_part_is_told_in_whatever_language_and_nothing_else_in_another():
    first, other = page(read("28,4 V", 5.0)), page(read("28.4 volts", 4.9), number=1)
    french, english = replace(first, language="fr"), replace(other, language="en")
    whole = [french, english]
    assert [c.unit.unit.text for c in chosen_of_parts([[french], [english]], whole)] == [
        "28,4 V",
        "28.4 volts",
    ]
    assert [c.unit.unit.text for c in chosen_of_parts([[french]], whole)] == ["28,4 V"]


def test_a_manual_of_another_product_adds_nothing_and_one_of_the_same_does():
    pages = [
        page(read("Tighten to 5 Nm.", 5.0), title="HX-200 Installation manual"),
        page(read("Use a torque key.", 4.9), document=2, title="HX-200 Operator manual"),
        page(read("Keep the cover shut.", 4.9), document=3, title="Compressor 501 User guide"),
    ]
    assert told(pages) == ["Tighten to 5 Nm.", "Use a torque key."]


def test_the_name_of_the_product_on_a_cover_is_not_said_beside_an_answer():
    asked = Question.parse("What IP address does the RL14 have?")
    answer = page(read("IP address | 192.168.100.3", 5.0), number=9)
    cover = replace(page(read("RL14", 4.9)), asked=asked)
    assert told([replace(answer, asked=asked), cover]) == ["IP address | 192.168.100.3"]


def test_a_question_that_names_two_manuals_gets_the_best_of_each():
    first = page(read("three fuses", 5.0), read("dry", 4.9, (1,)), named=True)
    second = page(read("seven fuses", 3.0), document=2, named=True)
    assert told([first, second], most=1) == ["three fuses", "seven fuses"]


@pytest.mark.parametrize(
    ("likely", "said"), [(4.2, "• Open it.\n• Start the pump."), (3.9, "• Start the pump.")]
)
def test_an_item_brings_its_list_where_that_is_likely_to_answer_as_well(likely, said):
    item, text = read("• Start the pump.", 5.0, (3, 4, 5)), "• Open it.\n• Start the pump."
    both = Quote(text, LIST, "", (), (Box(0, 0, 1, 1),), tuple(range(6)))
    assert told([page(item, ReadUnit(both, likely))], most=1) == [said]


def row(text, score, index):
    return ReadUnit(Quote(text, "row", "", (text,), (Box(0, 0, 1, 1),), (index,)), score)


E03 = row("E03 | Flow protection | Flow switch", 5.0, 1)
E06 = row("E06 | Temperature difference | No flow", 4.9, 2)


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("What does E03 mean?", [E03]),
        ("What do E03 and E06 mean?", [E03, E06]),
        ("What does the flow switch protect?", [E03, E06]),  # no code is asked for
    ],
)
def test_the_row_of_another_code_than_the_one_asked_for_is_not_said(question, kept):
    pages = [replace(page(E03, E06), asked=Question.parse(question))]
    assert told(pages) == [each.unit.text for each in kept]


def test_the_row_of_another_code_does_not_answer_the_other_part_of_the_question_either():
    whole = [replace(page(E03, E06), asked=Question.parse("What does E03 mean, what do I check?"))]
    parts = [[replace(page(E03), asked=Question.parse("What does E03 mean"))]]
    parts.append([replace(page(E06), asked=Question.parse("what do I check?"))])
    chosen = chosen_of_parts(parts, whole)
    assert [each.unit.unit.text for each in chosen] == [E03.unit.text]


def test_what_is_not_the_row_of_another_code_is_said_beside_the_row_of_a_code():
    more = row("E03 | Flow protection | Pump stands still", 4.9, 3)
    cut = row(" | | Air in the pipe", 4.9, 4)  # the row goes on
    pages = [replace(page(E03, more, cut), asked=Question.parse("What does E03 mean?"))]
    assert told(pages) == [each.unit.text for each in (E03, more, cut)]


def test_nothing_read_gives_nothing():
    assert chosen_units([page()]) == []


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What current trips the F-70L?", ["F-70L trips at 32 A.", "F-70H trips at 14 A."]),
        ("Do the F-70H and the F-70L trip?", ["F-70H trips at 14 A.", "F-70L trips at 32 A."]),
        ("What current makes it trip?", ["F-70H trips at 14 A.", "F-70L trips at 32 A."]),
    ],
)
def test_the_model_that_is_asked_for_comes_before_its_siblings(question, said):
    asked = Question.parse(question)
    units = read("F-70H trips at 14 A.", 5.0), read("F-70L trips at 32 A.", 4.8, (1,))
    assert told([replace(page(*units), asked=asked)]) == said
    parts = [[replace(page(unit), asked=asked)] for unit in units]
    whole = [replace(page(*units), asked=asked)]
    assert [each.unit.unit.text for each in chosen_of_parts(parts, whole)] == said


def test_a_hexadecimal_number_is_a_code():
    asked = Question.parse("Status 0x83, was heißt das?")
    rows = read("0x82 | Memory error", 5.0), read("0x83 | Device setting error", 4.8, (1,))
    assert told([replace(page(*rows), asked=asked)])[0] == "0x83 | Device setting error"
