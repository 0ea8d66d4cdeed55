"""A conversation as a file that can be read without Groundwork: Markdown or JSON."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from desktop.core.events import PageRegion, to_json
from desktop.core.notes.note import note_place
from desktop.core.question.languages import language_of
from desktop.sentences import ENGLISH, in_language, quoted, said, template

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from desktop.core.conversations.values import ConversationRecord, StoredTurn

FORMAT_VERSION = 1
GONE = template("{manual}, page {page} (no longer in the library)")
PLACE = template("{manual}, page {page}")
NO_ANSWER = {
    "cancelled": said("Stopped before there was an answer."),
    "failed": said("The question could not be answered."),
    "impossible": said("The question could not be answered."),
    "interrupted": said("Groundwork stopped before the answer was complete."),
    "": said("Not finished."),
}
"""What stands where the answer of such a question would be; a part of it is kept above."""

_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_<>|~"})
_LINE_START = re.compile(r"^(\s*\d*)([#+.)-])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Exported:
    """A conversation, and what the manuals it cites that are still there are called, by id."""

    record: ConversationRecord
    turns: tuple[StoredTurn, ...]
    titles: Mapping[int, str]

    def place(self, source: PageRegion) -> str:
        """Return "Manual, page label", and whether the manual is gone."""
        title = self.titles.get(source.document_id)
        page = source.label or source.page + 1
        if title is None:
            return self.said(said(GONE, manual=source.document, page=page))
        return self.said(said(PLACE, manual=title, page=page))

    def said(self, text: str) -> str:
        """Return what the core says in the language of the first question."""
        return in_language(text, self.language)

    @property
    def language(self) -> str:
        """The language of the first question: the rest is written in it."""
        if not self.turns:
            return ENGLISH
        return language_of(self.turns[0].prompt, *(each.answer for each in self.turns))


def write_export(conversation: Exported, path: Path) -> None:
    """Write `path`: JSON if its suffix says so, else Markdown. Raises: OSError."""
    is_json = path.suffix.lower() == ".json"
    text = as_json(conversation) if is_json else as_markdown(conversation)
    path.write_text(text, encoding="utf-8")


def as_json(conversation: Exported) -> str:
    """Return everything that is known of a conversation."""
    record = conversation.record
    content = {
        "format": "groundwork-conversation",
        "version": FORMAT_VERSION,
        "title": record.title,
        "created_at": record.created_at,
        "updated_at": record.updated_at,
        "document_ids": sorted(record.document_ids),
        "turns": [_turn_values(conversation, turn) for turn in conversation.turns],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def as_markdown(conversation: Exported) -> str:
    """Return the questions and answers to be read, each citation as "Manual, page label"."""
    record = conversation.record
    parts = [f"# {_escaped(record.title)}", f"*{record.created_at[:10]}*"]
    for turn in conversation.turns:
        parts += _turn_parts(conversation, turn)
    return "\n\n".join(parts) + "\n"


def _turn_values(conversation: Exported, turn: StoredTurn) -> dict[str, Any]:
    return {
        "prompt": turn.prompt,
        "asked_at": turn.asked_at,
        "outcome": turn.outcome,
        "answer": turn.answer,
        "citations": [
            {
                "number": each.number,
                "place": conversation.place(each.source),
                "in_library": each.source.document_id in conversation.titles,
                "quote": each.quote,
                "source": asdict(each.source),
            }
            for each in turn.citations
        ],
        "notes": [
            {
                "number": each.number,
                "place": note_place(each.note, _date(turn)),
                "quote": each.quote,
                "note": asdict(each.note),
            }
            for each in turn.notes
        ],
        "events": [json.loads(to_json(event)) for event in turn.events],
    }


def _turn_parts(conversation: Exported, turn: StoredTurn) -> Iterator[str]:
    yield f"## {_escaped(_one_line(turn.prompt))}"
    for block in turn.warnings:
        place = _escaped(conversation.place(block.source))
        yield f"> **{block.level}** {_escaped(_one_line(block.text))} ({place})"
    if turn.answer.strip():
        yield _escaped(turn.answer.strip())
    if turn.outcome in NO_ANSWER:
        yield f"*{conversation.said(NO_ANSWER[turn.outcome])}*"
    language = conversation.language
    cited = [(each.number, conversation.place(each.source), each.quote) for each in turn.citations]
    day = _date(turn)
    noted = [(each.number, note_place(each.note, day, language), each.quote) for each in turn.notes]
    for listed in filter(None, (cited, noted)):
        yield "\n".join(
            f"- [{number}] {_escaped(place)}: {quoted(_escaped(_one_line(quote)), language)}"
            for number, place, quote in listed
        )
    if turn.nearest:
        near = "\n".join(
            f"- {_escaped(conversation.place(each.source))}"
            f": {quoted(_escaped(_one_line(each.snippet)), language)}"
            for each in turn.nearest
        )
        head = conversation.said(said("The nearest lines:"))
        yield f"{head}\n\n{near}"


def _escaped(text: str) -> str:
    """Return a text that Markdown shows as it is: manuals may contain anything."""
    return _LINE_START.sub(r"\1\\\2", text.translate(_SPECIAL)).replace("\n", "  \n")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _date(turn: StoredTurn) -> date | None:
    """Return the day a question was asked, None if that is not known."""
    try:
        return date.fromisoformat(turn.asked_at[:10])
    except ValueError:
        return None
