"""The invented manuals are drawn whole, and their questions point at the lines that answer."""

import pymupdf
import pytest

from desktop.core.evaluation.gold import read_gold
from desktop.core.retrieval.asked_values import asked_kinds
from scripts.text_model.drawn_manuals import draw, main
from scripts.text_model.written_manuals import Passage, held_out_of, read_manuals

PLAIN = pymupdf.TEXTFLAGS_TEXT & ~pymupdf.TEXT_PRESERVE_LIGATURES


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawn")
    assert main([str(folder), "--held-out", "60", "--without", "5"]) == 0
    return folder


@pytest.fixture(scope="module")
def held_out():
    return held_out_of(read_manuals(), 60)


def words_of(text):
    return "".join(text.replace(" | ", "").split())


def test_every_kept_passage_stands_on_the_page_its_questions_name(drawn, held_out):
    questions = {each.question: each for each in read_gold(drawn / "questions.json").questions}
    for manual in held_out:
        with pymupdf.open(drawn / f"{manual[0].manual}.pdf") as document:
            for passage in manual:
                question = questions[passage.q[0]] if passage.q else None
                if question is None or not question.answerable:
                    continue
                (page,) = question.pages
                assert question.regions, passage.q
                first = words_of(passage.text)[:12]
                assert first in words_of(document[page].get_text(flags=PLAIN))


def words_in(document, question):
    (page,) = question.pages
    return [
        word[4]
        for word in document[page].get_text("words", flags=PLAIN)
        if any(
            region.bbox[1] - 1 < word[1] and word[3] < region.bbox[3] + 1
            for region in question.regions
        )
    ]


def test_the_regions_of_a_question_hold_its_passage_and_nothing_else(drawn, held_out):
    questions = {each.question: each for each in read_gold(drawn / "questions.json").questions}
    checked = 0
    for manual in held_out:
        with pymupdf.open(drawn / f"{manual[0].manual}.pdf") as document:
            for passage in manual:
                asked = [questions[q] for q in passage.q if not asked_kinds(q)]
                for question in asked if " | " not in passage.text else ():
                    if question.answerable:
                        inside = words_in(document, question)
                        assert "".join(inside) == words_of(passage.text), question.question
                        checked += 1
    assert checked > 10


def test_who_asks_for_a_value_is_answered_by_the_lines_that_show_one(tmp_path):
    passage = Passage(
        manual="loom",
        lang="en",
        context="Loom › Oil",
        text="The bearings run in oil.\nFill in 2.5 l of it.\nKeep it clean.",
        q=("What volume of oil is filled in?", "Must the oil be clean?"),
    )
    asked = {each["question"]: each["regions"] for each in draw((passage,), tmp_path, 0)}
    assert [len(regions) for regions in asked.values()] == [1, 3]
    with pymupdf.open(tmp_path / "loom.pdf") as document:
        (line,) = asked["What volume of oil is filled in?"]
        assert document[0].get_textbox(line["bbox"]).strip() == "Fill in 2.5 l of it."


def test_one_passage_in_so_many_is_left_out_and_its_questions_have_no_answer(drawn, held_out):
    questions = {each.question: each for each in read_gold(drawn / "questions.json").questions}
    for manual in held_out:
        for number, passage in enumerate(manual):
            for question in passage.q:
                assert questions[question].answerable == (number % 5 != 4), question


def test_a_table_is_drawn_with_all_its_rows(tmp_path, held_out):
    tables = [p for manual in held_out for p in manual if p.text.count(" | ") > 4]
    assert tables
    for passage in tables:
        list(draw((passage,), tmp_path, 0))
        with pymupdf.open(tmp_path / f"{passage.manual}.pdf") as document:
            (found,) = document[0].find_tables().tables
            rows = [line for line in passage.text.splitlines() if " | " in line]
            assert found.row_count == len(rows), passage.q
