"""Notes that an answer cites stand in reports, drafts and exports, apart from the manuals."""

from __future__ import annotations

import json
from dataclasses import replace
from email import message_from_bytes
from email.policy import default

import pymupdf
import pytest

from desktop.core.conversations.export import Exported, as_json, as_markdown
from desktop.core.conversations.values import ConversationRecord, StoredTurn
from desktop.core.events import CompleteEvent, NoteCitationEvent, NoteSource, TokenEvent
from desktop.core.reports.answered_turn import answered_turn
from desktop.core.reports.email_draft import EmailHeading, write_draft
from desktop.core.reports.report import write_report
from tests.core.reports.conftest import TITLES
from tests.fakes.vision import FakeDrawer

NOTE = NoteCitationEvent(
    3, NoteSource("p", "Test", "shift lead", "2026-02-12", "asset P-200"), "Ours takes <b>30 h</b>."
)
LABEL = "[3] site note, 12 February, by shift lead (asset P-200, tier 4)"


@pytest.fixture
def report(tmp_path, turn):
    noted = replace(turn, answer=f"{turn.answer}\nNote. [3]", notes=(NOTE,))
    return write_report(noted, tmp_path, FakeDrawer(), TITLES)


def test_a_report_lists_notes_after_the_sources(report):
    with pymupdf.open(report.pdf) as document:
        text = " ".join(" ".join(page.get_text() for page in document).split())
    assert "Notes of the site " + LABEL + " “Ours takes <b>30 h</b>.”" in text
    assert text.index("Sources") < text.index("Notes of the site")
    assert "Every statement cites a page" not in text
    markdown = report.markdown.read_text("utf-8")
    assert "## Notes of the site" in markdown
    assert "“Ours takes \\<b\\>30 h\\</b\\>.”" in markdown


def test_a_draft_names_notes_too(report):
    message = message_from_bytes(write_draft(report, EmailHeading()).read_bytes(), policy=default)
    body = message.get_body(("plain",))
    assert body is not None
    assert f"{LABEL}: “Ours takes <b>30 h</b>.”" in body.get_content()


def test_an_answer_without_notes_says_that_every_statement_cites_a_page(tmp_path, turn):
    report = write_report(turn, tmp_path, FakeDrawer(), TITLES)
    assert "Every statement cites a page" in report.markdown.read_text("utf-8")
    assert "Notes of the site" not in report.markdown.read_text("utf-8")


def test_an_answer_that_only_a_note_gives_can_be_saved():
    end = CompleteEvent("answered", 1.0, 1)
    found = answered_turn("How long?", [TokenEvent("30 h [3]"), NOTE, end])
    assert found is not None
    assert found.notes == (NOTE,)
    withdrawn = answered_turn("How long?", [TokenEvent("30 h"), NOTE, end])
    assert withdrawn is not None
    assert withdrawn.notes == ()


def test_an_export_has_notes_apart_from_citations():
    events = (TokenEvent("30 h [3]"), NOTE, CompleteEvent("answered", 1.0, 1))
    stored = StoredTurn(1, 1, "How long?", "30 h [3]", "answered", "2026-03-05T10:00:00", events)
    record = ConversationRecord(1, "How long?", "2026-03-05", "2026-03-05", 1)
    exported = Exported(record, (stored,), {})
    assert "- [3] site note, 12 February, by shift lead (asset P-200, tier 4): “Ours takes" in (
        as_markdown(exported)
    )
    (turn,) = json.loads(as_json(exported))["turns"]
    assert turn["citations"] == []
    assert turn["notes"][0]["note"]["piece_id"] == "p"
