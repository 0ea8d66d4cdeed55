"""A conversation as a file: to be read by people, and by other programs."""

from __future__ import annotations

import json

import pytest

from desktop.core.conversations.rows import event_from_json
from desktop.core.errors import ConversationNotFound
from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    NearestPageEvent,
    PageRegion,
    TokenEvent,
    WarningBlockEvent,
)
from desktop.core.geometry import Box

PAGE = PageRegion(1, "operator.pdf", 60, "5-4", (Box(72, 200, 420, 214),))
GONE = PageRegion(9, "old_manual.pdf", 3, "", ())


@pytest.fixture
def conversation(database, conversations):
    database.write(
        lambda c: c.execute(
            "INSERT INTO documents(id, sha256, name, title, bytes, state, added_at)"
            " VALUES(1, 'x', 'operator.pdf', 'Operator <manual>', 1, 'ready', '')"
        ).fetchall()
    )
    id_ = conversations.create()
    conversations.add_turn(
        id_,
        "How long\nis the *test*?",
        [
            TokenEvent("It lasts <b>24 hours</b> [1].\n# Not a heading\n1. Not a list [2]"),
            CitationEvent(1, PAGE, "24   hours"),
            CitationEvent(2, GONE, "old"),
            WarningBlockEvent("WARNING", "Hot_surface.", PAGE),
            CompleteEvent("answered", 1.0, 1),
        ],
    )
    conversations.add_turn(
        id_,
        "Who won?",
        [
            TokenEvent("Not sure your manuals answer this."),
            NearestPageEvent(PAGE, "near"),
            CompleteEvent("not_found", 1.0, 1),
        ],
    )
    conversations.add_turn(id_, "And?", [CompleteEvent("cancelled", 1.0, 1)])
    return id_


def test_markdown_cites_by_manual_and_page_label(conversations, conversation, tmp_path):
    path = tmp_path / "battery.md"
    conversations.export(conversation, path)
    text = path.read_text(encoding="utf-8")
    assert "- [1] Operator \\<manual\\>, page 5-4: “24 hours”" in text
    assert "- [2] old\\_manual.pdf, page 4 (no longer in the library): “old”" in text
    assert "> **WARNING** Hot\\_surface. (Operator \\<manual\\>, page 5-4)" in text
    assert "The nearest lines:\n\n- Operator \\<manual\\>, page 5-4: “near”" in text
    assert "*Stopped before there was an answer.*" in text
    assert text.startswith("# How long is the \\*test\\*?\n")


def test_what_manuals_say_cannot_become_markup(conversations, conversation, tmp_path):
    conversations.export(conversation, tmp_path / "x.md")
    lines = (tmp_path / "x.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("#")] == [
        "# How long is the \\*test\\*?",
        "## How long is the \\*test\\*?",
        "## Who won?",
        "## And?",
    ]
    assert "It lasts \\<b\\>24 hours\\</b\\> [1].  " in lines
    assert "\\# Not a heading  " in lines
    assert "1\\. Not a list [2]" in lines


def test_json_holds_everything_that_was_stored(conversations, conversation, tmp_path):
    conversations.export(conversation, tmp_path / "x.JSON")
    content = json.loads((tmp_path / "x.JSON").read_text(encoding="utf-8"))
    assert (content["format"], content["version"]) == ("groundwork-conversation", 1)
    turns = conversations.turns(conversation)
    assert [each["prompt"] for each in content["turns"]] == [turn.prompt for turn in turns]
    first = content["turns"][0]
    assert [(each["place"], each["in_library"]) for each in first["citations"]] == [
        ("Operator <manual>, page 5-4", True),
        ("old_manual.pdf, page 4 (no longer in the library)", False),
    ]
    events = tuple(event_from_json(json.dumps(each)) for each in first["events"])
    assert events == turns[0].events


def test_there_is_nothing_to_export_of_a_conversation_that_is_gone(conversations, tmp_path):
    with pytest.raises(ConversationNotFound):
        conversations.export(7, tmp_path / "x.md")
    assert list(tmp_path.glob("x.md")) == []
