"""A job sheet: one page for the pocket, whatever the answer is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pymupdf
import pytest

from desktop.core.events import NoteCitationEvent, NoteSource, QuotedForm
from desktop.core.reports.job_sheet import write_job_sheet
from tests.fakes.vision import FakeDrawer

TITLES = {1: "Operator manual, Edition 3", 2: "Installer manual"}


@pytest.fixture
def sheet(tmp_path, turn):
    def write(drawer=None, **changes):
        path = write_job_sheet(
            replace(turn, **changes), tmp_path / "sheets", drawer or FakeDrawer(), TITLES
        )
        with pymupdf.open(path) as document:
            text = " ".join(document[0].get_text().split())
            return path, document.page_count, text, document[0].get_images()

    return write


def test_a_sheet_has_question_answer_warning_manual_revision_page_and_date(sheet, turn):
    _, pages, text, images = sheet()
    assert pages == 1
    assert turn.question in text
    assert "2026-03-05" in text
    for block in turn.warnings:
        assert block.level in text
    cited = turn.citations[0].source
    assert f"page {cited.label}" in text
    assert any(title in text for title in TITLES.values())
    assert "Edition 3" in text
    assert images


def test_a_page_that_is_cited_several_times_is_shown_once(sheet, turn):
    first = turn.citations[0]
    again = replace(first, number=7)
    _, _, text, images = sheet(citations=(first, again), answer=f"{turn.answer} [7]")
    assert len(images) == 1
    assert f"[{first.number}] [7]" in text


def test_the_most_that_can_be_said_still_stands_on_one_page(sheet, turn):
    steps = "\n".join(
        f"{n}. Loosen the screw number {n} by a quarter of a turn." for n in range(99)
    )
    _, pages, text, _ = sheet(answer=steps)
    assert pages == 1
    assert "does not fit on this sheet" in text


def test_an_answer_of_two_dozen_steps_is_not_cut(sheet):
    steps = "\n".join(f"{n}. Loosen the screw number {n}." for n in range(1, 25))
    _, pages, text, _ = sheet(answer=steps)
    assert pages == 1
    assert "24. Loosen the screw number 24." in text


def test_a_second_sheet_of_the_day_does_not_replace_the_first(sheet):
    first, second = sheet()[0], sheet()[0]
    assert first != second
    assert first.exists()


def test_a_page_that_cannot_be_drawn_leaves_a_sheet_without_its_picture(sheet):
    class Broken:
        def draw(self, document_id, page, scale):
            raise OSError("gone")

    _, pages, text, images = sheet(Broken())
    assert pages == 1
    assert not images
    assert "page" in text


def test_each_picture_has_its_manual_page_and_revision_below_it(sheet, turn, tmp_path):
    path, *_ = sheet()
    with pymupdf.open(path) as document:
        page = document[0]
        pictures = sorted((block["bbox"] for block in page.get_image_info()), key=lambda b: b[1])
        captions = [page.search_for(f"[{turn.citations[0].number}]")[-1]]
    assert 0 < captions[0].y0 - pictures[0][3] < 20


def test_who_waits_is_told_how_many_pages_are_drawn(tmp_path, turn):
    told = []
    write_job_sheet(turn, tmp_path, FakeDrawer(), TITLES, lambda *drawn: told.append(drawn))
    pages = len({(each.source.document_id, each.source.page) for each in turn.citations})
    assert told == [(n, pages) for n in range(1, pages + 1)]


def test_a_row_begins_bold_with_its_key_and_rows_stand_apart(sheet, turn):
    headings = ("Code", "Failure", "Solution")
    cells = ("E21", "No flow", "1. Open it.\n2. Clean it."), ("E22", "Too hot", "Wait.")
    cited = tuple(
        replace(
            turn.citations[0], number=at, form=QuotedForm("row", f"R{at}", (), headings, row, 2)
        )
        for at, row in enumerate(cells, 1)
    )
    path, *_ = sheet(citations=cited, answer="R1 [1]\nR2 [2]", warnings=())
    with pymupdf.open(path) as document:
        lines = [
            (line["spans"][0]["text"], line["bbox"][3], "Bold" in line["spans"][0]["font"])
            for block in document[0].get_text("dict")["blocks"]
            for line in block.get("lines", ())
        ]
    at = [text for text, _, _ in lines].index("Code: E21 [1]")
    said = lines[at : at + 6]
    assert [(text, bold) for text, _, bold in said] == [
        ("Code: E21 [1]", True),
        ("Failure: No flow", False),
        ("Solution:", False),
        ("1. Open it.", False),
        ("2. Clean it.", False),
        ("Code: E22 [2]", True),
    ]
    gaps = [below - above for (_, above, _), (_, below, _) in pairwise(said)]
    assert gaps[-1] > 1.2 * max(gaps[:-1])


def test_a_note_has_a_line_that_says_where_it_is_from_and_steps_have_their_heading(sheet, turn):
    note = NoteCitationEvent(2, NoteSource("n1", "Tubing", "fitter", "2026-03-01", "", 4), "Mind.")
    form = QuotedForm("step", "1 Pull it.", ("5 Service", "5.4 Valve"))
    cited = replace(turn.citations[0], number=1, form=form)
    answer = "1 Pull it. [1]\nSite note, 1 March: Mind. [2]"
    _, _, text, _ = sheet(citations=(cited,), notes=(note,), answer=answer)
    assert "5 Service › 5.4 Valve ☐ 1 Pull it. [1]" in text, "a box to tick"
    assert "Name ____" in text
    assert "[2] site note, 1 March, by fitter" in text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How long is the test?", "Check the pages: one of these places may be the answer."),
        (
            "Wie lange dauert die Prüfung?",
            "Seiten prüfen: Eine dieser Stellen könnte die Antwort sein.",
        ),
    ],
)
def test_an_answer_that_may_be_none_says_so_before_its_steps(sheet, turn, question, told):
    answer = "24 h [1]\n3 h [2]"
    _, _, text, _ = sheet(question=question, answer=answer, sureness="check")
    assert text.index(question) < text.index(told) < text.index("[1]")
    assert "one of these places" not in sheet(sureness="likely")[2]
