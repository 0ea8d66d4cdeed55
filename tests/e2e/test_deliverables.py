"""E-mails, reports and job sheets of answers, as people ask for them, in Lite."""

from __future__ import annotations

import json
import shutil
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import pymupdf
import pytest

from desktop.cli import main
from desktop.core.agent.requests import DELIVERABLES, RequestReader
from desktop.core.events import CompleteEvent, ErrorEvent, ResultEvent, TokenEvent
from desktop.models.built_in import load_text_embedder
from tests.e2e.real_library import opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.events import Event
    from desktop.core.workspace import Workspace

HELD_OUT = json.loads(Path(__file__).with_name("deliverable_requests.json").read_text("utf-8"))
NOT_TOLD = {"Can you write that up for the file?"}
"""Requests that are not recognised as such: known, and counted against us."""


@pytest.fixture(scope="module")
def library(sample_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deliverables") / "library"
    shutil.copytree(sample_library, folder)
    return folder


@pytest.fixture
def workspace(library: Path) -> Iterator[Workspace]:
    with opened(library) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def reader() -> RequestReader:
    return RequestReader(load_text_embedder())


def asked(workspace: Workspace, question: str, conversation: int) -> list[Event]:
    queue: SimpleQueue[Event | None] = SimpleQueue()
    done = lambda: queue.put(None)  # noqa: E731
    workspace.ask(question, frozenset(), queue.put, done, conversation)
    events: list[Event] = []
    while (event := queue.get(timeout=120)) is not None:
        events.append(event)
    return events


def words(tool: str, made: dict[str, Any]) -> str:
    """What stands in a deliverable."""
    if tool == "draft_email":
        message = message_from_bytes(Path(made["draft"]).read_bytes(), policy=default)
        body = message.get_body()
        assert body is not None
        return f"{message['To']} {message['Subject']} {body.get_content()}"
    with pymupdf.open(made["pdf"]) as document:
        return " ".join(" ".join(page.get_text() for page in document).split())


def deliveries(events: list[Event]) -> dict[str, str]:
    return {
        each.tool: words(each.tool, each.objects[0])
        for each in events
        if isinstance(each, ResultEvent) and each.tool in DELIVERABLES
    }


def wrong(workspace: Workspace, request: dict[str, Any]) -> str:
    """Return what is wrong with what was made, "" if nothing."""
    conversation = workspace.conversations.create()
    for question in request["earlier"]:
        asked(workspace, question, conversation)
    events = asked(workspace, request["ask"], conversation)
    made, last = deliveries(events), events[-1]
    assert isinstance(last, CompleteEvent)
    if set(made) != set(request["made"]) or last.missing:
        return f"made {sorted(made)}, {last.outcome} {last.missing}"
    lacking = [
        word
        for word in request["has"]
        for tool, text in made.items()
        if word not in text and ("@" not in word or tool == "draft_email")
    ]
    not_meant = [word for word in request.get("lacks", ()) if word in "".join(made.values())]
    return f"lacks {lacking}, has {not_meant}" if lacking or not_meant else ""


def test_what_was_asked_for_is_made_with_the_right_answer_in_it(workspace):
    found = {each["ask"]: wrong(workspace, each) for each in HELD_OUT["requests"]}
    assert len(found) == 20
    assert {ask for ask, told in found.items() if told} == NOT_TOLD


def test_questions_about_mail_and_reports_ask_for_none(reader):
    wanted = [each for each in HELD_OUT["no_request"] if reader.read(each).deliverables]
    assert wanted == []


def test_what_is_pasted_between_is_no_request(reader):
    request = "Write the values into a report."
    page = "What does E04 mean?\nThe page says:\nE04 is flow.\n{}\nReset it.\nWait.\nE05 is heat."
    assert reader.read(request).deliverables
    assert not reader.read(page.format(f"{request}\n" * 40)).deliverables


def test_the_sample_questions_are_searched_for_as_they_were_asked(reader):
    path = Path("resources/samples/questions.json")
    for question in json.loads(path.read_text("utf-8")):
        assert reader.read(question["question"]).question == question["question"].strip()


def test_a_deliverable_that_fails_says_why_and_leaves_the_answer(workspace, monkeypatch):
    def broken(*_: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("desktop.core.agent.tools.export_report.write_report", broken)
    question = "What is the highest working pressure of the HX-200? Make a report of it."
    events = asked(workspace, question, workspace.conversations.create())
    last = events[-1]
    assert isinstance(last, CompleteEvent)
    assert last.outcome == "partial"
    assert last.missing[0].startswith("No report was saved")
    assert "16 bar" in "".join(each.content for each in events if isinstance(each, TokenEvent))


def test_without_an_answer_before_it_the_way_to_one_is_told(workspace):
    events = asked(workspace, "Draft an email about it", workspace.conversations.create())
    assert events[-1].outcome == "impossible"  # type: ignore[union-attr]
    (error,) = [each for each in events if isinstance(each, ErrorEvent) and not each.recoverable]
    assert "no answer to pass on yet" in error.message


def test_on_the_command_line_advice_names_commands(library, capsys):
    main(["--library", str(library), "ask", "Draft an email about it"])
    printed, told = capsys.readouterr()
    assert "groundwork ask --conversation last" in told
    assert "below the answer" not in printed + told


def test_an_answer_and_its_sheet_in_one_sentence_on_the_command_line(library, capsys):
    question = "What is the highest working pressure of the HX-200, and give me a job sheet."
    assert main(["--library", str(library), "ask", question]) == 0
    answer = capsys.readouterr().out
    assert "16 bar" in answer
    sheet = Path(answer.split("The job sheet is saved: ")[1].split("\n")[0].strip())
    assert "16 bar" in words("job_sheet", {"pdf": str(sheet)})
