"""`export_report` and `draft_email`: the answer of a conversation, handed on from a question."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pymupdf
import pytest

from desktop.core.agent.decision import Decision
from desktop.core.conversations.store import Conversations
from desktop.core.events import ErrorEvent, ResultEvent, TokenEvent
from desktop.core.page_drawing import LibraryDrawer
from desktop.core.parsing.service import InProcessParser
from desktop.core.reports.contents import StoredAnswers
from desktop.core.settings.sections import ParserSettings
from tests.fakes.agent import make_agent
from tests.fakes.decider import FakeDecider
from tests.fakes.shelf import FakeShelf

SEARCH = Decision(tool="fast_vector_search", inputs={"query": "supply voltage of the pump"})
ANSWER = Decision(tool="text_response", should_end=True)
EXPORT = Decision(tool="export_report", should_end=True)
QUESTION = "What supply voltage does the pump need?"


@pytest.fixture
def deciders():
    """Those of the questions so far."""
    return []


@pytest.fixture
def talk(bookcase, tmp_path, deciders):
    """Ask in one stored conversation; every call is one question with its decisions."""
    import asyncio

    conversations = Conversations(bookcase.database)
    conversation_id = conversations.create()
    parser = InProcessParser(ParserSettings(ocr=False, layout_model=False))

    def talk(prompt, *decisions, folder=tmp_path / "reports"):
        deciders.append(FakeDecider(*decisions))
        agent = make_agent(
            searcher=bookcase.searcher,
            shelf=FakeShelf(*bookcase.library.documents()),
            decider=deciders[-1],
            library=bookcase.library,
            drawer=LibraryDrawer(bookcase.library, parser),
            answers=StoredAnswers(conversations),
            reports_folder=folder,
        )

        async def collect():
            stream = agent.run(prompt, conversation_id=conversation_id)
            return [event async for event in stream]

        events = asyncio.run(collect())
        conversations.add_turn(conversation_id, prompt, events)
        return events

    yield talk
    parser.close()


def result_of(events):
    return next(event for event in events if isinstance(event, ResultEvent))


def words_of(events):
    return "".join(event.content for event in events if isinstance(event, TokenEvent))


def test_a_report_is_offered_only_once_something_was_answered(talk, deciders):
    talk(QUESTION, SEARCH, ANSWER)
    talk("Save that", EXPORT)
    first, second = deciders
    assert not {"export_report", "draft_email"} & set(first.available[0])
    assert {"export_report", "draft_email"} <= set(second.available[0])


def test_export_report_writes_the_last_answer_with_its_cited_pages(talk, tmp_path):
    answered = talk(QUESTION, SEARCH, ANSWER)
    events = talk("Save that as a report", EXPORT)
    result = result_of(events)
    assert (result.name, result.payload_type) == ("report", "report")
    report = result.objects[0]
    assert result.message == f"Saved the report to {report['folder']}."
    assert Path(report["folder"]).parent == tmp_path / "reports"
    assert words_of(events) == f"The report is saved: {report['pdf']}"
    assert events[-1].outcome == "answered"
    with pymupdf.open(report["pdf"]) as document:
        text = " ".join(" ".join(page.get_text() for page in document).split())
        pictures = [image for page in document for image in page.get_images()]
    assert QUESTION in text
    assert words_of(answered).split("\n")[0] in text
    assert "P-7 Pump (pump.pdf), page 1" in text
    assert len(pictures) == len(report["pictures"]) > 0
    assert Path(report["markdown"]).read_text("utf-8").startswith(f"# {QUESTION}")


def test_draft_email_attaches_the_report_to_a_message_that_is_not_sent(talk):
    talk(QUESTION, SEARCH, ANSWER)
    inputs = {"recipient": "anna@example.org", "subject": "Pump"}
    events = talk("That is for Anna", Decision(tool="draft_email", inputs=inputs))
    result = result_of(events)
    assert (result.name, result.payload_type) == ("email_draft", "email_draft")
    assert result.message.endswith("draft.eml; nothing was sent.")
    draft = Path(result.objects[0]["draft"])
    message = message_from_bytes(draft.read_bytes(), policy=default)
    assert (message["X-Unsent"], message["To"]) == ("1", "anna@example.org")
    assert "report.pdf" in {part.get_filename() for part in message.iter_attachments()}
    assert str(draft) in words_of(events)


def test_a_wrong_address_goes_back_to_the_decider_and_nothing_is_written(talk, tmp_path):
    talk(QUESTION, SEARCH, ANSWER)
    wrong = Decision(tool="draft_email", inputs={"recipient": "a@b.de\nBcc: c@d.de"})
    impossible = ANSWER.model_copy(update={"impossible": True})
    events = talk("That is for Anna", wrong, impossible)
    error = next(event for event in events if isinstance(event, ErrorEvent))
    assert "not an e-mail address" in error.suggestion
    assert not (tmp_path / "reports").exists()


def test_a_report_was_made_of_the_answer_and_not_of_the_report_before(talk):
    talk(QUESTION, SEARCH, ANSWER)
    talk("Save that", EXPORT)
    again = result_of(talk("Save it again", EXPORT))
    assert Path(again.objects[0]["folder"]).name.endswith("pump-need-2")


def test_a_folder_that_cannot_be_written_becomes_an_error_with_advice(talk, tmp_path):
    talk(QUESTION, SEARCH, ANSWER)
    blocked = tmp_path / "a-file"
    blocked.write_text("")
    impossible = ANSWER.model_copy(update={"impossible": True})
    events = talk("Save that", EXPORT, impossible, folder=blocked)
    error = next(event for event in events if isinstance(event, ErrorEvent))
    assert error.tool == "export_report"
    assert error.suggestion


def test_an_answer_further_back_can_be_named(talk):
    talk(QUESTION, SEARCH, ANSWER)
    search = SEARCH.model_copy(update={"inputs": {"query": "terminal of the RS-485 bus"}})
    talk("Which terminal has the RS-485 bus?", search, ANSWER)
    back = EXPORT.model_copy(update={"inputs": {"answers_back": 1}})
    folder = result_of(talk("Save the first answer", back)).objects[0]["folder"]
    assert "supply-voltage" in folder
    too_far = EXPORT.model_copy(update={"inputs": {"answers_back": 7}})
    events = talk("Save another", too_far, ANSWER.model_copy(update={"impossible": True}))
    error = next(event for event in events if isinstance(event, ErrorEvent))
    assert error.message == "Only 2 answers found."
