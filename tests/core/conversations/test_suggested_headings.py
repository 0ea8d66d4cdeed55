"""Headings of the manuals as what could be asked next."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from desktop.core.conversations.suggested_headings import after_answer, to_begin_with
from desktop.core.events import PageRegion
from desktop.core.structure.values import Block, OutlineEntry

OUTLINE = [
    OutlineEntry(1, "Contents", 0),
    OutlineEntry(1, "4 Electrical installation", 8),
    OutlineEntry(2, "4.1 Cables", 8),
    OutlineEntry(2, "4.3 Torques of terminals", 9),
    OutlineEntry(2, "A.1 Torques of terminals", 15),
    OutlineEntry(1, "Index", 18),
    OutlineEntry(1, "Somewhere", -1),
]


def library(**outlines):
    by_id = {int(name[1:]): entries for name, entries in outlines.items()}

    def blocks(document_id, page):
        return [
            Block(1, "text", "It is so.", (0.0, 0.0, 1.0, 1.0), (each.title,))
            for each in by_id[document_id]
            if each.page == page
        ]

    return SimpleNamespace(outline=lambda document_id: by_id[document_id], blocks=blocks)


def cited(page, document_id=1):
    return PageRegion(document_id, "a.pdf", page, str(page), ())


def test_the_headings_nearest_to_the_cited_page_come_first_without_their_numbers():
    found = after_answer(library(_1=OUTLINE), [cited(9)], "How tight?")
    assert [each.title for each in found] == [
        "Torques of terminals",
        "Electrical installation",
        "Cables",
    ]


def test_the_heading_that_was_asked_about_is_left_out():
    found = after_answer(library(_1=OUTLINE), [cited(9)], "What torque have the terminals?")
    assert "Torques of terminals" not in [each.title for each in found]


def test_contents_index_and_entries_without_a_page_are_no_questions():
    found = after_answer(library(_1=OUTLINE), [cited(0)], "x", limit=50)
    assert {"Contents", "Index", "Somewhere"}.isdisjoint(each.title for each in found)


def test_manuals_take_turns_in_an_empty_conversation():
    other = [OutlineEntry(1, "Daily checks", 3), OutlineEntry(1, "Alarms of the pump", 4)]
    found = to_begin_with(library(_1=OUTLINE, _2=other), [1, 2])
    assert {each.document_id for each in found} == {1, 2}


def test_a_library_without_outlines_offers_nothing():
    assert to_begin_with(library(_1=[]), [1]) == []
    assert after_answer(library(_1=[]), [cited(2)], "x") == []


def test_what_stands_in_a_section_says_what_can_be_asked_of_it():
    section = ("4.1 Cables",)
    shown = {
        "text": Block(1, "text", "Keep them apart.", (0.0, 0.0, 1.0, 1.0), section),
        "table": Block(1, "table", "W1 | 60 m", (0.0, 0.0, 1.0, 1.0), section),
        "list": Block(1, "list", "1. Lead them in.", (0.0, 0.0, 1.0, 1.0), section),
    }
    asked = {}
    for kind, block in shown.items():
        manual: Any = SimpleNamespace(
            outline=lambda _: OUTLINE[2:3], blocks=lambda *_, b=block: [b]
        )
        asked[kind] = [each.question for each in after_answer(manual, [cited(8)], "x")]
    assert asked == {
        "text": ["Cables: what does the manual say?"],
        "table": ["Cables: which values does the manual give?"],
        "list": ["Cables: what are the steps?"],
    }


def test_a_heading_without_anything_below_it_is_no_question():
    empty: Any = SimpleNamespace(outline=lambda _: OUTLINE, blocks=lambda *_: [])
    assert after_answer(empty, [cited(8)], "x") == []
