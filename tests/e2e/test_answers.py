"""Real manuals, the real parser, OCR and text model: do answers stand where they say?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.events import NearestPageEvent, TokenEvent
from desktop.core.geometry import Box
from tests.e2e.real_library import ask, citations, opened, outcome, questions

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.events import CitationEvent, Event

ASKED = {
    "hx-02": "a sentence of a specification",
    "hx-06": "a delay in running text",
    "hx-09": "a row of a table",
    "hx-13": "a row with a register number",
    "hx-16": "a label on the rotated wiring page",
    "hx-21": "a row of the scanned checklist",
    "hx-28": "a remedy in a table of faults",
    "hx-31": "a place in the manual",
    "hx-39": "two numbers of which both manuals have one",
    "hx-40": "a German question about the German page",
}
OFF_SUBJECT = "Who won the football world cup in 1998?"
LEAST_SHARE = 0.5


@pytest.fixture(scope="session")
def answers(sample_library: Path) -> dict[str, list[Event]]:
    """What the library answers, by question id."""
    wording = {name: questions()[name]["question"] for name in ASKED}
    wording["off subject"] = OFF_SUBJECT
    with opened(sample_library, read_only=True) as workspace:
        return {name: ask(workspace, question) for name, question in wording.items()}


def test_every_page_of_the_samples_is_read_in_full(sample_library):
    with opened(sample_library, read_only=True) as workspace:
        for document in workspace.library.documents():
            assert (document.state, document.reason, document.failed_pages) == ("ready", "", 0)
            assert document.done == (document.page_count,) * 3


@pytest.mark.parametrize("name", ASKED, ids=lambda name: f"{name} {ASKED[name]}")
def test_the_first_cited_page_is_the_right_one(answers, name):
    assert outcome(answers[name]) == "answered"
    first = citations(answers[name])[0].source
    gold = {(each["document"], each["page"]) for each in questions()[name]["evidence"]}
    assert (first.document, first.page) in gold


@pytest.mark.parametrize("name", ASKED, ids=lambda name: f"{name} {ASKED[name]}")
def test_the_highlighted_boxes_lie_on_the_region_that_answers(answers, name):
    shares = [
        _overlap(citation, gold)
        for citation in citations(answers[name])
        for gold in questions()[name]["regions"]
    ]
    assert max(shares, default=0.0) >= LEAST_SHARE


def test_what_is_on_no_page_is_said_to_be_in_no_manual(answers):
    events = answers["off subject"]
    assert outcome(events) == "not_found"
    assert not citations(events)
    said = "".join(event.content for event in events if isinstance(event, TokenEvent))
    assert "Not sure your manuals answer this." in said
    assert all(event.snippet for event in events if isinstance(event, NearestPageEvent))


def test_the_scanned_page_can_be_searched_and_its_words_have_places(sample_library):
    with opened(sample_library, read_only=True) as workspace:
        library = workspace.library
        manual = next(d for d in library.documents() if "installation" in d.name)
        found = dict(library.find_text(manual.id, "285"))
        assert 16 in found
        gold = Box(*questions()["hx-21"]["regions"][0]["bbox"])
        assert any(box.intersection(gold).area > 0 for box in found[16])


def _overlap(citation: CitationEvent, gold: dict) -> float:
    """The share of the smaller of both that cited box and gold region have in common."""
    if (citation.source.document, citation.source.page) != (gold["document"], gold["page"]):
        return 0.0
    box = Box(*gold["bbox"])
    return max(
        each.intersection(box).area / max(1.0, min(each.area, box.area))
        for each in citation.source.regions
    )
