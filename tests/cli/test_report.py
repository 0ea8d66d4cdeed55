"""`groundwork ask --report`, and a question back on a terminal."""

from __future__ import annotations

import pymupdf
import pytest

from desktop.cli import main
from desktop.core.agent.decision import Decision
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.decider import FakeDecider
from tests.fakes.workspace import make_workspace


@pytest.fixture
def ask(library, opened):
    def ask(workspace, *options):
        opened(workspace)
        return main(["ask", "What is the fuse?", "--library", str(library), *options])

    return ask


def test_an_answer_is_saved_as_a_report(ask, tmp_path, capsys):
    assert ask(make_workspace(), "--report", str(tmp_path / "out")) == 0
    (pdf,) = (tmp_path / "out").glob("*-what-is-the-fuse/report.pdf")
    assert f"Report written: {pdf}" in capsys.readouterr().out
    with pymupdf.open(pdf) as document:
        assert "The fuse is 5 A." in document[0].get_text()
        assert document[0].get_images()


def test_without_an_answer_there_is_no_report(ask, tmp_path, capsys):
    workspace = make_workspace(answerer=FakeAnswerer(found=False))
    assert ask(workspace, "--report", str(tmp_path / "out")) == 0
    assert "No answer to report." in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


def test_in_json_the_report_is_told_beside_the_events(ask, tmp_path, capsys):
    assert ask(make_workspace(), "--json", "--report", str(tmp_path / "out")) == 0
    out, err = capsys.readouterr()
    assert all(line.startswith("{") for line in out.splitlines())
    assert err.startswith("Report written: ")


def test_a_report_that_cannot_be_written_ends_with_one_and_says_why(ask, tmp_path, capsys):
    blocked = tmp_path / "out"
    blocked.mkdir()
    inside = blocked / "file"
    inside.write_text("")
    assert ask(make_workspace(), "--report", str(inside / "deeper")) == 1
    assert "The report was not written" in capsys.readouterr().err


def test_what_the_agent_asks_back_is_listed_with_numbers(ask, capsys):
    options = {"question": "Which pump?", "options": ["the P-200", "the P-300"]}
    search = Decision(tool="fast_vector_search", inputs={"query": "pump"})
    decider = FakeDecider(search, Decision(tool="ask_clarification", inputs=options))
    assert ask(make_workspace(decider=decider)) == 0
    assert capsys.readouterr().out == "Which pump?\n  1. the P-200\n  2. the P-300\n"
