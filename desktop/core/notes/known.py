"""The notes as an agent's `knowledge_provider`: what is known for whoever asks, by section."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop.core.notes.entities import PERSON, ROLE, STANDS_AT, Asker, kind_of
from desktop.core.notes.search import rules_of, seen_by
from knowledge.pieces import CONTEXT, INSTRUCTIONS, USER_PROFILE
from knowledge.provider import KnowledgeProvider

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.core.library.places import Place
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.notes.search import Seen
    from knowledge.base import RetrievalResult


class NotesKnown:
    """Called with what a person asks, it returns a text for each info_type; blocking."""

    def __init__(
        self, desk: NoteDesk, place: Callable[[], Place], asker: Callable[[], Asker] = Asker
    ) -> None:
        """place, asker: where the person is and who it is, when the question is asked."""
        self._desk = desk
        self._place = place
        self._asker = asker

    def __call__(self, user_input: str) -> dict[str, str]:
        """Return what is known of the person, the place, what the question names, and in general.

        Raises: KnowledgeError, LibraryError.
        """
        if not self._desk.exists:
            return {}
        base = self._desk.base()
        seen = seen_by(self._desk, user_input, self._place(), self._asker())
        told: dict[str, list[str]] = {}
        known: set[str] = set()
        related: set[tuple[str, ...]] = set()
        first: str | None
        first, *others = dict.fromkeys((*seen.active, *seen.named)) or (None,)
        for entity in (first, *others):
            if entity is first:
                found = base.retrieve(user_input, entity, also_of=seen.entities)
                own = tuple((piece, 0.0) for piece in rules_of(base, seen))
                there = {piece.piece_id for piece, _ in found.pieces}
                more = tuple(each for each in own if each[0].piece_id not in there)
                found = replace(found, pieces=(*found.pieces, *more))
            else:
                found = replace(base.retrieve("", entity), global_metadata=None)
            found = _for_asker(found, seen, known, related)
            known |= {piece.piece_id for piece, _ in found.pieces}
            related |= {_key(relation) for relation in found.graph_context}
            person = entity is None or kind_of(entity) in (PERSON, ROLE)
            provider = KnowledgeProvider(
                base, metadata_info_type=USER_PROFILE if person else CONTEXT
            )
            for name, text in provider.texts(provider.route(found, entity)).items():
                told.setdefault(name, []).append(text)
        return {name: "\n".join(dict.fromkeys(texts)) for name, texts in sorted(told.items())}


def _key(relation: Mapping[str, Any]) -> tuple[str, ...]:
    names = ("source_node_id", "relation_type", "target_node_id", "piece_id")
    return tuple(str(relation[name]) for name in names)


def _for_asker(
    found: RetrievalResult, seen: Seen, known: set[str], related: set[tuple[str, ...]]
) -> RetrievalResult:
    """Leave out what is for others, what was told, and where an asset stands.

    What an answer need not follow is told as context: no rule of somebody else's.
    """
    pieces = tuple(
        (replace(piece, info_type=CONTEXT), score)
        if piece.info_type == INSTRUCTIONS and not seen.rules(piece)
        else (piece, score)
        for piece, score in found.pieces
        if seen.shows(piece) and piece.piece_id not in known
    )
    told = tuple(
        each
        for each in found.graph_context
        if each["relation_type"] != STANDS_AT and _key(each) not in related
    )
    return replace(found, pieces=pieces, graph_context=told)
