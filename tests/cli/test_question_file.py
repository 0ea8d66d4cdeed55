"""`groundwork ask --file`: rows in, rows out, and what an interruption leaves."""

from __future__ import annotations

import csv
import os
import signal
from dataclasses import replace
from types import SimpleNamespace

import openpyxl
import pytest

from desktop.cli import main
from desktop.core.errors import LibraryDamaged
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.shelf import manual
from tests.fakes.workspace import FakeLibrary, make_workspace

COLUMNS = ["answer", "value", "how sure", "manual title", "page", "quote", "check"]


@pytest.fixture
def asks(library, opened, tmp_path):
    """Asks a file of questions; what was asked of the agent is kept in its `asked`."""

    asked = []

    def run(text, *arguments, before=lambda _question: None, **agent):
        questions = tmp_path / "questions.csv"
        questions.write_text(text, "utf-8")
        workspace = make_workspace(**agent)
        ask = workspace.ask

        def noted(question, ids, on_event, on_done):
            asked.append((question, ids))
            before(question)
            return ask(question, ids, on_event, on_done)

        workspace.ask = noted
        opened(workspace)
        return main(["ask", "--file", str(questions), "--library", str(library), *arguments])

    return SimpleNamespace(run=run, asked=asked)


def answers(tmp_path, name="questions-answers.csv"):
    with (tmp_path / name).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_each_row_gets_its_answer_and_keeps_its_other_columns(asks, tmp_path, capsys):
    assert asks.run("site,question\nNorth,What is the fuse?\n") == 0
    [row] = answers(tmp_path)
    assert list(row) == ["site", "question", *COLUMNS]
    assert row == {
        "site": "North",
        "question": "What is the fuse?",
        "answer": "The fuse is 5 A.",
        "value": "",
        "how sure": "Stated in the manual",
        "manual title": "pump",
        "page": "4-4 (page 5 of the file)",
        "quote": "The fuse is 5 A.",
        "check": "",
    }
    assert "1 row, 0 to check" in capsys.readouterr().out


def test_a_row_may_name_its_manual_and_a_wrong_name_stops_nothing(asks, tmp_path):
    library = FakeLibrary(manual(1, "pump.pdf"), manual(2, "fan.pdf"), manual(3, "boiler.pdf"))
    rows = "question,manual\nOne?,fan.pdf\nTwo?,nonesuch\nThree?,\nFour?,pump.pdf; boiler\n"
    assert asks.run(rows, library=library) == 0
    expected = [("One?", {2}), ("Three?", set()), ("Four?", {1, 3})]
    assert asks.asked == [(question, frozenset(ids)) for question, ids in expected]
    checks = [row["check"] for row in answers(tmp_path)]
    assert checks[1] == "There is no manual “nonesuch” among those searched."
    assert checks[0] == checks[2] == checks[3] == ""


def test_what_is_not_found_says_so_and_names_what_could_not_be_read(asks, tmp_path):
    library = FakeLibrary(replace(manual(), failed_pages=2))
    asks.run("question\nWho won?\n", answerer=FakeAnswerer(found=False), library=library)
    [row] = answers(tmp_path)
    assert (row["answer"], row["how sure"]) == ("", "Not found")
    assert row["check"] == (
        "The answer was not found. The nearest page is 4-4 of pump.pdf."
        " 2 pages of “pump” could not be read."
    )


def test_a_row_without_a_question_and_one_that_fails_stop_nothing(asks, tmp_path):
    class Broken(FakeAnswerer):
        def answer(self, question, evidence):
            if "break" in question:
                raise LibraryDamaged("page 3")
            return super().answer(question, evidence)

    rows = "nr,question\n1,\n2,Does it break?\n3,What is the fuse?\n"
    assert asks.run(rows, answerer=Broken()) == 0
    first, second, third = answers(tmp_path)
    assert first["check"] == "There is no question in this row."
    assert second["how sure"] == ""
    assert second["check"]
    assert third["answer"] == "The fuse is 5 A."
    asks.asked.clear()
    asks.run(rows)
    assert [question for question, _ in asks.asked] == ["Does it break?"]


def test_the_same_file_again_asks_only_what_is_new(asks, tmp_path):
    asks.run("question\nWhich fuse?\nWhich oil?\n")
    edited = (tmp_path / "questions-answers.csv").read_text("utf-8-sig")
    (tmp_path / "questions-answers.csv").write_text(edited.replace("5 A", "6 A", 1), "utf-8")
    asks.asked.clear()
    asks.run("question\nWhich seal?\nWhich oil?\nWhich fuse?\n")
    assert [question for question, _ in asks.asked] == ["Which seal?"]
    assert [row["answer"] for row in answers(tmp_path)][1:] == [
        "The fuse is 5 A.",
        "The fuse is 6 A.",  # what a person corrected stays
    ]


def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(asks, tmp_path, capsys):
    def interrupt(question):
        if question == "Two?":
            os.kill(os.getpid(), signal.SIGINT)

    assert asks.run("question\nOne?\nTwo?\nThree?\n", before=interrupt) == 130
    done = [row["question"] for row in answers(tmp_path) if row["how sure"]]
    assert done[0] == "One?"
    assert "Three?" not in done
    left = [row["check"] for row in answers(tmp_path) if not row["how sure"]]
    assert set(left) == {"Not asked yet."}
    assert "Run the same command again to continue." in capsys.readouterr().err
    asks.asked.clear()
    assert asks.run("question\nOne?\nTwo?\nThree?\n") == 0
    assert [question for question, _ in asks.asked] == [
        question for question in ("One?", "Two?", "Three?") if question not in done
    ]
    assert all(row["how sure"] for row in answers(tmp_path))


def test_a_workbook_is_answered_as_well(asks, tmp_path):
    assert asks.run("question\nWhat is the fuse?\n", "--out", str(tmp_path / "answers.xlsx")) == 0
    rows = list(openpyxl.load_workbook(tmp_path / "answers.xlsx").active.values)
    assert list(rows[0]) == ["question", *COLUMNS]
    assert rows[1][1] == "The fuse is 5 A."


def test_a_file_of_something_else_is_not_written_over(asks, tmp_path, capsys):
    other = tmp_path / "prices.csv"
    other.write_text("part,price\nfuse,3\n", "utf-8")
    assert asks.run("question\nWhat is the fuse?\n", "--out", str(other)) == 1
    assert "prices.csv already exists" in capsys.readouterr().err
    assert other.read_text("utf-8") == "part,price\nfuse,3\n"
    assert asks.run("question\nWhat is the fuse?\n", "--out", str(tmp_path / "questions.csv")) == 1
    assert "overwrite the questions" in capsys.readouterr().err


@pytest.mark.parametrize("more", [["What?"], ["--json"], ["--conversation", "new"]])
def test_a_file_goes_with_no_option_of_a_single_question(library, tmp_path, more, capsys):
    questions = tmp_path / "questions.csv"
    questions.write_text("question\nWhat is the fuse?\n", "utf-8")
    assert main(["ask", "--file", str(questions), "--library", str(library), *more]) == 2
    assert "--file" in capsys.readouterr().err
