"""A saved report: a PDF that opens, with text and pictures, and Markdown without any surprise."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from email import message_from_bytes
from email.policy import default

import numpy as np
import pymupdf
import pytest
from PIL import Image

from desktop.core.conversations.export import Exported, as_json, as_markdown
from desktop.core.conversations.values import ConversationRecord, StoredTurn
from desktop.core.errors import PdfNeedsPassword
from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    ConfidenceEvent,
    Event,
    NoteCitationEvent,
    NoteSource,
    PageRegion,
    TokenEvent,
    WarningBlockEvent,
)
from desktop.core.library.editions import slug
from desktop.core.reports import pdf
from desktop.core.reports.contents import answered_turn, printable
from desktop.core.reports.report import EmailHeading, escaped, write_draft, write_report
from tests.core.reports.conftest import ROW, TITLES
from tests.fakes.vision import FakeDrawer

EVIL = (
    "<script>alert(1)</script> ![x](http://a/b.png) [go](file:///etc/passwd) https://evil.example"
)


@pytest.fixture
def write(tmp_path, turn):
    def write(drawer=None, titles=TITLES, **changes):
        return write_report(
            replace(turn, **changes), tmp_path / "reports", drawer or FakeDrawer(), titles
        )

    return write


def text_of(pdf):
    with pymupdf.open(pdf) as document:
        assert not document.is_repaired
        return " ".join(" ".join(page.get_text() for page in document).split())


def test_a_report_is_a_folder_of_the_day_and_the_question(write, tmp_path):
    report = write()
    assert report.folder == tmp_path / "reports" / "2026-03-05-how-long-does-the-battery-test-last"
    names = sorted(path.name for path in report.folder.iterdir())
    assert names == ["report.md", "report.pdf", "source-01.png", "source-02.png"]
    assert sorted(path.name for path in report.files) == names


def test_the_pdf_has_the_answer_its_warning_and_its_sources_as_text(write):
    text = text_of(write().pdf)
    assert "How long does the battery test last?" in text
    assert "The test lasts 24 hours at 5 Ω ±2 µF → repeat hourly. [1]" in text
    assert "größer: ⌀8. [2]" in text
    assert "DANGER High voltage inside." in text
    assert "[1] P-7 Pump (pump.pdf), page 4-11 (page 61 of the file)" in text
    assert "[2] crane.pdf, page 4 “drei Stunden”" in text
    assert "2026-03-05 14:30" in text


def test_the_pdf_shows_a_picture_for_every_source(write):
    with pymupdf.open(write().pdf) as document:
        pictures = [image for page in document for image in page.get_images()]
        assert len(pictures) == 2
        for page in document:
            for image in page.get_image_info():
                assert pymupdf.Rect(image["bbox"]) in page.rect
        assert document.metadata["title"] == "How long does the battery test last?"
        assert not any(page.get_links() for page in document)


def test_a_picture_is_the_strip_of_the_page_with_the_region_highlighted(write):
    report = write()
    strip = np.asarray(Image.open(report.pictures[0]))
    assert strip.shape == ((220 - 200 + 2 * 48) * 2, 1200, 3)
    grey, marked = strip[10, 10], strip[strip.shape[0] // 2, 300]
    assert tuple(grey) == (0xC0, 0xC0, 0xC0)
    assert marked[2] < marked[0]  # a yellow marker
    whole = Image.open(report.pictures[1])
    assert whole.size == (1200, 1600)


def test_a_page_is_drawn_once_for_all_of_its_citations(write, turn):
    drawer = FakeDrawer()
    again = CitationEvent(3, ROW, "hourly")
    write(drawer, citations=(*turn.citations, again))
    assert [(document, page) for document, page, _ in drawer.drawn] == [(1, 60), (2, 3)]


def test_a_page_that_cannot_be_drawn_is_left_out_and_the_report_says_why(write):
    report = write(FakeDrawer(PdfNeedsPassword("pump.pdf")))
    assert report.pictures == ()
    assert "The page is not shown: This PDF is protected." in text_of(report.pdf)
    assert "*The page is not shown: This PDF is protected.*" in report.markdown.read_text("utf-8")


def test_the_same_answer_saved_again_gets_a_folder_of_its_own(write):
    first, second = write(), write()
    assert second.folder.name == f"{first.folder.name}-2"
    assert first.pdf.exists()


def test_a_report_that_fails_leaves_nothing_behind(write, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("desktop.core.reports.report.write_pdf", full)
    with pytest.raises(OSError, match="No space"):
        write()
    assert list((tmp_path / "reports").iterdir()) == []


def test_the_markdown_shows_the_pictures_beside_it(write):
    text = write().markdown.read_text("utf-8")
    assert text.startswith(
        "# How long does the battery test last?\n\n*Groundwork, 2026-03-05 14:30*"
    )
    assert "> **DANGER** High voltage inside. (P-7 Pump (pump.pdf), page 4-11" in text
    assert "![P-7 Pump (pump.pdf), page 4-11 (page 61 of the file)](source-01.png)" in text
    assert "Warte 3 Stunden, größer: ⌀8. \\[2\\]" in text


def test_nothing_of_a_manual_is_active_in_markdown_or_pdf(write, turn):
    source = PageRegion(1, f"{EVIL}.pdf", 3, "<b>4</b>", ())
    report = write(
        question=EVIL,
        answer=f"{EVIL}\n# not a heading\n1. no list\n    no code\n| a | b |\n---\n> no quote",
        citations=(CitationEvent(1, source, EVIL),),
        warnings=(WarningBlockEvent("NOTE", EVIL, source),),
        titles={1: "[t](javascript:1)"},
    )
    text = report.markdown.read_text("utf-8")
    ours = re.sub(
        r"!\[[^\]]*\]\(source-\d\d\.png\)", "", text.replace("\\]", "").replace("\\[", "")
    )
    assert not re.search(r"(?<!\\)[<\[`|]", ours)
    assert "https://" not in text
    assert not re.search(r"^(#+ not|1\. no|    no|---|> no)", text, re.MULTILINE)
    with pymupdf.open(report.pdf) as document:
        assert not any(page.get_links() or list(page.annots()) for page in document)
    assert "<script>alert(1)</script>" in text_of(report.pdf)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("5 * 3 _x_", r"5 \* 3 \_x\_"),
        ("+24 V", r"\+24 V"),
        ("12. Open", r"12\. Open"),
        ("3.5 mm (max.)", "3.5 mm (max.)"),
        ("one\ntwo", "one  \ntwo"),
        ("see www.example.org", r"see www\.example.org"),
        ("=====", r"\====="),
    ],
)
def test_markdown_shows_a_text_as_it_stands(text, shown):
    assert escaped(text) == shown


def test_a_long_answer_runs_over_pages_and_loses_nothing(write, turn):
    answer = "\n".join(f"Step {number}: turn the screw. [1]" for number in range(200))
    report = write(answer=answer, citations=turn.citations * 4)
    with pymupdf.open(report.pdf) as document:
        assert document.page_count > 4
        text = " ".join(page.get_text() for page in document)
    assert all(f"Step {number}:" in text for number in range(200))


def test_characters_of_other_scripts_are_printed_where_a_typeface_has_them(
    write, tmp_path, monkeypatch
):
    chinese = tmp_path / "cjk.ttf"
    chinese.write_bytes(pymupdf.Font("cjk").buffer)
    monkeypatch.setattr(pdf, "FALLBACKS", (str(chinese),))
    assert "电池测试" in text_of(write(question="电池测试?", answer="二十四小时 24 h").pdf)


def test_a_character_that_no_typeface_has_is_not_lost_silently(write, monkeypatch):
    monkeypatch.setattr(pdf, "fallbacks", lambda: iter(()))
    assert "wire □ is red" in text_of(write(answer="wire 电 is red").pdf)


def test_control_characters_and_broken_text_do_not_stop_a_report(write):
    report = write(question="a\x00b\u202ec\ud800", answer="x\x07y\r\nz\u2028")
    assert "abc" in text_of(report.pdf)
    assert "xy" in report.markdown.read_text("utf-8")


def test_names_are_made_of_a_question_in_any_language():
    assert slug("Wie groß ist der Öldruck?") == "wie-gross-ist-der-oldruck"
    assert slug("电池?") == ""
    assert slug("../../etc/passwd") == "etc-passwd"
    assert len(slug("word " * 50)) <= 48
    assert printable("a\tb\x1bc") == "a   bc"


def test_a_turn_is_what_its_events_answered():
    events: list[Event] = [
        TokenEvent("24"),
        CitationEvent(1, ROW, "24 h"),
        TokenEvent(" hours [1]"),
        ConfidenceEvent(0.5, ""),
        CompleteEvent("answered", 1.0, 2),
    ]
    found = answered_turn(" How long? ", events)
    assert found is not None
    assert (found.question, found.answer) == ("How long?", "24 hours [1]")
    assert [each.quote for each in found.citations] == ["24 h"]


def test_a_report_says_above_an_answer_that_it_may_be_none(write, turn):
    events: list[Event] = [
        TokenEvent("24 h [1]"),
        CitationEvent(1, ROW, "24 h"),
        ConfidenceEvent(0.3, ""),
        CompleteEvent("answered", 1.0, 2),
    ]
    found = answered_turn("How long?", events)
    assert found is not None
    assert found.doubt == "Check the page: this may not be the answer."
    report = write(sureness=found.sureness)
    doubt = "Check the pages: one of these places may be the answer."
    draft = message_from_bytes(write_draft(report, EmailHeading()).read_bytes(), policy=default)
    part = draft.get_body()
    assert part is not None
    body = " ".join(part.get_content().split())
    for text in (text_of(report.pdf), report.markdown.read_text("utf-8"), body):
        assert text.index(doubt) < text.index("The test lasts")
    assert doubt not in text_of(write(sureness="likely").pdf)


@pytest.mark.parametrize("outcome", ["not_found", "cancelled", "failed", "clarification"])
def test_what_did_not_answer_is_no_answered_turn(outcome):
    events: list[Event] = [TokenEvent("Not there."), CompleteEvent(outcome, 1.0, 2)]
    assert answered_turn("How long?", events) is None


NOTE = NoteCitationEvent(
    3, NoteSource("p", "Test", "shift lead", "2026-02-12", "asset P-200"), "Ours takes <b>30 h</b>."
)
LABEL = "[3] site note, 12 February, by shift lead (asset P-200)"


@pytest.fixture
def report(tmp_path, turn):
    noted = replace(turn, answer=f"{turn.answer}\nNote. [3]", notes=(NOTE,))
    return write_report(noted, tmp_path, FakeDrawer(), TITLES)


def test_a_report_lists_notes_after_the_sources(report):
    with pymupdf.open(report.pdf) as document:
        text = " ".join(" ".join(page.get_text() for page in document).split())
    assert "Site notes " + LABEL + " “Ours takes <b>30 h</b>.”" in text
    assert text.index("Sources") < text.index("Site notes")
    assert "Every statement cites a page" not in text
    markdown = report.markdown.read_text("utf-8")
    assert "## Site notes" in markdown
    assert "“Ours takes \\<b\\>30 h\\</b\\>.”" in markdown


def test_a_draft_names_notes_too(report):
    message = message_from_bytes(write_draft(report, EmailHeading()).read_bytes(), policy=default)
    body = message.get_body(("plain",))
    assert body is not None
    assert f"{LABEL}: “Ours takes <b>30 h</b>.”" in body.get_content()


def test_an_answer_without_notes_says_that_every_statement_cites_a_page(tmp_path, turn):
    report = write_report(turn, tmp_path, FakeDrawer(), TITLES)
    assert "Every statement cites a page" in report.markdown.read_text("utf-8")
    assert "Site notes" not in report.markdown.read_text("utf-8")


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
    assert "- [3] site note, 12 February, by shift lead (asset P-200): “Ours takes" in (
        as_markdown(exported)
    )
    (turn,) = json.loads(as_json(exported))["turns"]
    assert turn["citations"] == []
    assert turn["notes"][0]["note"]["piece_id"] == "p"
