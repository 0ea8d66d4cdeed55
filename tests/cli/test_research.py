"""`groundwork research`."""

from __future__ import annotations

import json

import pytest

import desktop.app
from desktop.cli import main
from desktop.core.paths import LibraryFolder
from desktop.core.research.iteration_log import IterationLogger
from tests.core.answering.test_ambiguity import PUMPS, QUESTION, SPLIT
from tests.core.research.test_deep_research import research
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.workspace import FakeLibrary, make_workspace


@pytest.fixture
def opened(monkeypatch, library):
    """Lets `opened(searcher)` decide what the command opens."""

    def provide(searcher, *manuals, **settings):
        def workspace(_folder, **_):
            more = {"library": FakeLibrary(*manuals)} if manuals else {}
            made = make_workspace(**more)
            made.deep_research = research(library, searcher, *manuals, **settings)
            return made

        monkeypatch.setattr(desktop.app, "open_workspace", workspace)

    return provide


def command(library, *arguments):
    return main(["research", *arguments, "-l", str(library)])


def test_the_report_goes_to_the_output_and_the_progress_beside_it(library, opened, capsys):
    opened(FakeSearcher([page_found("The fuse is 5 A.")]))
    assert command(library, "What is the fuse?") == 0
    output = capsys.readouterr()
    assert "The fuse is 5 A. [1]" in output.out
    assert "pump.pdf, page 4-4" in output.out
    assert output.err.count("There is no language model") == 1
    assert "groundwork models list" in output.err
    assert "1/3 critic: No objections." in output.err


def test_json_is_the_event_stream(library, opened, capsys):
    opened(FakeSearcher([page_found("The fuse is 5 A.")]))
    assert command(library, "What is the fuse?", "--json", "--mode", "strict") == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[-1]["type"] == "complete"
    (report,) = [each for each in events if each.get("payload_type") == "research_report"]
    assert report["objects"][0]["@type"] == "Item"
    assert report["objects"][0]["schema_object"]["mode"] == "strict"


def test_a_question_to_verify_is_researched_strictly_unless_told_otherwise(library, opened, capsys):
    opened(FakeSearcher([page_found("The fuse is 5 A.")]))
    command(library, "Verify whether the fuse is 5 A")
    assert "strict mode" in capsys.readouterr().err
    command(library, "Verify whether the fuse is 5 A", "--mode", "discovery")
    assert "discovery mode" in capsys.readouterr().err


def test_the_report_is_saved_with_its_pages(library, opened, capsys, tmp_path):
    opened(FakeSearcher([page_found("The fuse is 5 A.")]))
    assert command(library, "What is the fuse?", "--report", str(tmp_path / "out")) == 0
    (pdf,) = (tmp_path / "out").glob("*/report.pdf")
    assert str(pdf) in capsys.readouterr().out
    assert "The fuse is 5 A." in pdf.with_name("report.md").read_text()
    assert pdf.with_name("source-01.png").exists()


def test_a_split_question_lists_what_can_be_meant(library, opened, capsys):
    opened(FakeSearcher(SPLIT), *PUMPS)
    assert command(library, QUESTION) == 0
    output = capsys.readouterr().out
    assert "1. HX-200" in output
    assert "2. RX-900" in output


def test_a_time_leaves_older_sources_out(library, opened, capsys):
    opened(FakeSearcher([page_found("The fuse is 5 A.")]))
    assert command(library, "What is the fuse?", "--since", "2024") == 0
    assert "from that time (since 2024)" in capsys.readouterr().err
    assert command(library, "What is the fuse?", "--since", "2024", "--undated") == 0
    assert "The fuse is 5 A." in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [[], ["What?", "--mode", "loose"], ["What?", "--since", "May"]]
)
def test_wrong_usage_ends_with_two(library, opened, arguments):
    opened(FakeSearcher())
    assert command(library, *arguments) == 2


def test_what_earlier_research_left_can_be_listed_and_shown(library, capsys):
    log = IterationLogger("20260101-run", LibraryFolder(library).research)
    log.log_summary(1, "cancelled", "strict", {"query": "What is the fuse?"})
    log.keep_partial("- It is 5 A. [1]")
    assert command(library, "--list") == 0
    assert "cancelled" in capsys.readouterr().out
    assert command(library, "--show", "last") == 0
    shown = capsys.readouterr().out
    assert "> What is the fuse?" in shown
    assert "- It is 5 A. [1]" in shown
    assert command(library, "--show", "nothing") == 1
