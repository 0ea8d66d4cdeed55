"""A draft that a mail program opens for sending, and headers that nothing can be put into."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

import pytest
from pydantic import ValidationError

from desktop.core.reports.report import EmailHeading, write_draft, write_report
from tests.core.reports.conftest import TITLES
from tests.fakes.vision import FakeDrawer


@pytest.fixture
def draft(tmp_path, turn):
    def draft(**heading):
        report = write_report(turn, tmp_path, FakeDrawer(), TITLES)
        path = write_draft(report, EmailHeading(**heading))
        assert path == report.folder / "draft.eml"
        return message_from_bytes(path.read_bytes(), policy=default)

    return draft


def test_a_draft_opens_as_unsent_with_answer_sources_and_attachments(draft):
    message = draft(recipient="anna@example.org", subject="Battery", note="Dear Anna,")
    assert message["X-Unsent"] == "1"
    assert (message["To"], message["Subject"]) == ("anna@example.org", "Battery")
    assert "From" not in message
    body = message.get_body().get_content().replace("\r\n", "\n")
    assert body.startswith("Dear Anna,\n\nHow long does the battery test last?")
    assert "The test lasts 24 hours at 5 Ω ±2 µF → repeat hourly. [1]" in body
    assert "DANGER: High voltage inside. (P-7 Pump (pump.pdf), page 4-11" in body
    assert "[1] P-7 Pump (pump.pdf), page 4-11 (page 61 of the file): “lasts 24 hours”" in body
    attached = {part.get_filename(): part for part in message.iter_attachments()}
    assert set(attached) == {"report.pdf", "report.md", "source-01.png", "source-02.png"}
    assert attached["report.pdf"].get_content_type() == "application/pdf"
    assert attached["report.pdf"].get_content().startswith(b"%PDF")
    assert attached["source-01.png"].get_content_type() == "image/png"


def test_a_draft_without_a_recipient_is_left_for_the_mail_program(draft):
    message = draft()
    assert message["To"] is None
    assert message["Subject"] == "How long does the battery test last?"


def test_no_header_can_be_put_into_the_subject(draft):
    message = draft(subject="Battery\r\nBcc: evil@example.org\n\nbody")
    assert message["Subject"] == "Battery Bcc: evil@example.org body"
    assert message["Bcc"] is None


@pytest.mark.parametrize(
    "recipient",
    ["a@b.de\nBcc: c@d.de", "a@b.de, c@d.de", "a", "a@", "<a@b.de>", "Anna <a@b.de>", "a b@c.de"],
)
def test_a_recipient_that_is_not_one_address_is_refused(recipient):
    with pytest.raises(ValidationError):
        EmailHeading(recipient=recipient)


def test_a_question_with_line_ends_makes_one_subject_line(tmp_path, turn):
    from dataclasses import replace

    evil = replace(turn, question="What?\nTo: evil@example.org")
    report = write_report(evil, tmp_path, None, {})
    path = write_draft(report, EmailHeading())
    message = message_from_bytes(path.read_bytes(), policy=default)
    assert message["To"] is None
    assert message["Subject"] == "What? To: evil@example.org"
