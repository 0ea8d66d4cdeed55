"""Tables of questions: what is read of them, and that no cell of them ever calculates."""

from __future__ import annotations

import csv
from datetime import datetime

import openpyxl
import pytest

from desktop.core.bulk_questions import read_table, write_table
from desktop.core.errors import QuestionsRefused

WOULD_CALCULATE = ["=1+1", "+49 30", "-5 °C", "@SUM(A1)", '=HYPERLINK("http://x","y")', "＝1"]  # noqa: RUF001


def csv_of(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "questions.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_the_question_stands_below_its_heading_wherever_that_is(tmp_path):
    table = read_table(csv_of(tmp_path, "no,Manual,Question,site\n7,pump.pdf,Which fuse?,North\n"))
    assert table.headings == ("no", "Manual", "Question", "site")
    assert [table.asks(row) for row in table.rows] == [("Which fuse?", "pump.pdf")]


def test_without_a_heading_the_first_column_is_asked_from_the_first_row_on(tmp_path):
    table = read_table(csv_of(tmp_path, "Which fuse?,a\nWhich oil?,b\n\n"))
    assert [table.asks(row)[0] for row in table.rows] == ["Which fuse?", "Which oil?"]
    assert table.headings == ("question", "column 2")


def test_a_comma_in_a_question_does_not_cut_it_where_there_is_one_column(tmp_path):
    table = read_table(csv_of(tmp_path, "question\nWhich fuse, and which oil?\n"))
    assert table.asks(table.rows[0])[0] == "Which fuse, and which oil?"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_files_that_excel_writes_are_read(tmp_path, encoding):
    table = read_table(csv_of(tmp_path, "nr;question\n1;Welche Öltemperatur?\n", encoding))
    assert table.asks(table.rows[0])[0] == "Welche Öltemperatur?"
    assert table.delimiter == ";"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("notes.txt", b"question\nWhich fuse?\n"),
        ("empty.csv", b"\n\n"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n\0\0\0"),
        ("broken.xlsx", b"PK\x03\x04 this is no workbook"),
        ("renamed.xlsx", b"question\nWhich fuse?\n"),
    ],
)
def test_what_is_no_table_of_questions_is_refused_in_a_sentence(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(QuestionsRefused, match=name):
        read_table(path)


@pytest.mark.parametrize("cell", WOULD_CALCULATE)
def test_a_cell_of_a_csv_that_would_calculate_is_text_and_reads_back_the_same(tmp_path, cell):
    path = tmp_path / "answers.csv"
    write_table(path, ("question", "answer"), [("q", cell)], ",")
    with path.open(encoding="utf-8-sig", newline="") as file:
        written = list(csv.reader(file))[1][1]
    assert not written.startswith(("=", "+", "-", "@", "＝"))  # noqa: RUF001
    assert read_table(path).rows == (("q", cell),)


@pytest.mark.parametrize("cell", WOULD_CALCULATE)
def test_a_cell_of_an_xlsx_that_would_calculate_is_text(tmp_path, cell):
    path = tmp_path / "answers.xlsx"
    write_table(path, ("question", cell), [("q", cell)], ",")
    sheet = openpyxl.load_workbook(path).active
    for written in (sheet["B1"], sheet["B2"]):
        assert (written.data_type, written.value) == ("s", cell)
        assert written.quotePrefix


def test_numbers_and_days_of_a_workbook_stay_what_they_are(tmp_path):
    source, target = tmp_path / "questions.xlsx", tmp_path / "answers.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["question", "priority", "due"])
    book.active.append(["Which fuse?", 3, datetime(2026, 3, 1)])
    book.save(source)
    table = read_table(source)
    write_table(target, table.headings, table.rows, ",")
    assert read_table(target).rows == (("Which fuse?", 3, datetime(2026, 3, 1)),)


def test_control_characters_of_a_manual_do_not_spoil_the_file(tmp_path):
    path = tmp_path / "answers.xlsx"
    write_table(path, ("question",), [("fu\x00se\x1b[31m \u202e",)], ",")
    assert read_table(path).rows == (("fuse[31m ",),)


def test_what_cannot_be_written_leaves_the_table_that_was_there(tmp_path):
    path = tmp_path / "answers.csv"
    write_table(path, ("question",), [("old",)], ",")

    def rows():
        yield ("new",)
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        write_table(path, ("question",), rows(), ",")
    assert read_table(path).rows == (("old",),)
    assert list(tmp_path.iterdir()) == [path]
