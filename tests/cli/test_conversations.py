"""Conversations on the command line."""

from __future__ import annotations

import json

import pytest

import desktop.app
from desktop.cli import main
from desktop.core.conversations.store import Conversations
from desktop.core.errors import LibraryBusy
from desktop.core.events import CitationEvent, CompleteEvent, Event, PageRegion, TokenEvent
from desktop.core.store.database import Database
from tests.fakes.workspace import make_workspace

PAGE = PageRegion(1, "operator.pdf", 60, "5-4", ())
ANSWER: tuple[Event, ...] = (
    TokenEvent("It lasts 24 hours"),
    CitationEvent(1, PAGE, "24 hours"),
    TokenEvent(" [1]"),
    CompleteEvent("answered", 1.0, 1),
)


@pytest.fixture
def library(tmp_path):
    """A library with two conversations, the second one about batteries."""
    folder = tmp_path / "library"
    with Database.open(folder) as database:
        store = Conversations(database)
        store.add_turn(store.create(), "Where is the valve?", ANSWER)
        store.add_turn(store.create(), "How long does the test last?", ANSWER)
    return folder


@pytest.fixture
def run(library, capsys):
    def call(*arguments: str):
        code = main(["--library", str(library), *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture
def asking(library, monkeypatch):
    """Lets `ask` open scripted parts around the real conversations of the library."""
    opened = []

    def open_workspace(folder, *, read_only=False, soon_asked=False):
        opened.append(read_only)
        if not read_only and asking_while_busy["busy"]:
            raise LibraryBusy("open in a window")
        database = Database.open(folder, read_only=read_only)
        workspace = make_workspace()
        workspace.resources.callback(database.close)
        workspace.conversations = Conversations(database)
        return workspace

    asking_while_busy = {"busy": False}
    monkeypatch.setattr(desktop.app, "open_workspace", open_workspace)
    return opened, asking_while_busy


def prompts(library, conversation_id: int) -> list[str]:
    with Database.open(library, read_only=True) as database:
        return [turn.prompt for turn in Conversations(database).turns(conversation_id)]


def test_the_list_names_every_conversation_the_latest_first(run):
    code, out, _ = run("conversations", "list")
    assert code == 0
    assert [line.split(None, 4)[0] for line in out.splitlines()] == ["2", "1"]
    assert out.splitlines()[0].endswith("How long does the test last?")
    _, out, _ = run("conversations", "list", "--search", "valve")
    assert [line.split()[0] for line in out.splitlines()] == ["1"]


def test_show_prints_questions_answers_and_sources(run):
    code, out, _ = run("conversations", "show", "last")
    assert code == 0
    assert "> How long does the test last?\nIt lasts 24 hours [1]\n" in out
    assert '[1] operator.pdf, page 5-4 (page 61 of the file): "24 hours"' in out


def test_show_as_json_gives_everything_that_is_stored(run):
    _, out, _ = run("conversations", "show", "1", "--json")
    assert json.loads(out)["turns"][0]["citations"][0]["quote"] == "24 hours"


def test_export_writes_markdown_or_json(run, tmp_path):
    assert run("conversations", "export", "1", str(tmp_path / "a.md"))[0] == 0
    assert run("conversations", "export", "1", str(tmp_path / "a.json"))[0] == 0
    assert (tmp_path / "a.md").read_text("utf-8").startswith("# Where is the valve?")
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["title"] == "Where is the valve?"


def test_rename_and_delete_change_the_list(run):
    assert run("conversations", "rename", "1", "Valves")[0] == 0
    assert run("conversations", "delete", "2", "--yes")[0] == 0
    _, out, _ = run("conversations", "list")
    assert [line.split()[-1] for line in out.splitlines()] == ["Valves"]


@pytest.mark.parametrize("command", [("show", "7"), ("delete", "7", "-y"), ("rename", "x", "y")])
def test_a_conversation_that_does_not_exist_is_refused_with_what_to_do(run, command):
    code, _, err = run("conversations", *command)
    assert code == 1
    assert "groundwork conversations list" in err


def test_ask_continues_a_conversation_and_keeps_the_answer(run, asking, library):
    code, out, _ = run("ask", "--conversation", "last", "and for the external one?")
    assert code == 0
    assert "5 A" in out
    assert prompts(library, 2) == ["How long does the test last?", "and for the external one?"]
    run("ask", "-c", "1", "Why?")
    assert prompts(library, 1) == ["Where is the valve?", "Why?"]


def test_ask_begins_a_conversation_when_told_so_and_keeps_nothing_otherwise(run, asking, library):
    run("ask", "Something else?")
    assert asking[0] == [True], "without a conversation the library is only read"
    run("ask", "--conversation", "new", "Something new?")
    run("ask", "--conversation", "last", "And more?")
    assert prompts(library, 3) == ["Something new?", "And more?"]


def test_ask_beside_a_window_answers_and_says_that_nothing_is_kept(run, asking, library):
    asking[1]["busy"] = True
    for wanted in ("last", "new"):
        code, out, err = run("ask", "--conversation", wanted, "And?")
        assert code == 0
        assert "5 A" in out
        assert "not kept in the conversation" in err
    assert prompts(library, 2) == ["How long does the test last?"]


def test_ask_in_a_conversation_that_does_not_exist_is_refused(run, asking):
    code, _, err = run("ask", "--conversation", "99", "And?")
    assert code == 1
    assert "There is no conversation 99" in err
