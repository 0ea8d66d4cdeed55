"""The notes that a question is about, for whoever asks at a place, and how they are cited.

`NotesKnown` offers them as an agent's `knowledge_provider`: what is known, by section.
"""

from __future__ import annotations

import logging
import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop.core.events import NoteSource, PageRegion
from desktop.core.geometry import Box
from desktop.core.notes.entities import (
    ASSET,
    PERSON,
    ROLE,
    SCOPED,
    SITE,
    STANDS_AT,
    Asker,
    entities_of,
    kind_of,
    place_of,
    tells_of_another,
)
from desktop.core.notes.note import note_of
from desktop.core.notes.relations import relation_words
from desktop.models.errors import ModelError
from desktop.sentences import joined, said
from knowledge.graph import walk
from knowledge.pieces import CONTEXT, INSTRUCTIONS, USER_PROFILE, KnowledgeType
from knowledge.provider import KnowledgeProvider

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from desktop.core.library.library import Library
    from desktop.core.library.places import Place
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.notes.note import Note
    from desktop.models.roles import TextEmbedder
    from knowledge.base import KnowledgeBase
    from knowledge.formatter import RetrievalResult
    from knowledge.graph import Step
    from knowledge.pieces import KnowledgePiece

logger = logging.getLogger(__name__)

MOST_FOUND = 5
"""Notes that one question looks at."""
MOST_RULES = 6
"""Rules of the person who asks that one answer follows."""
_MOST_LINKED = 2
_MOST_ENTITIES = 500
_UNVERIFIED = 5

# Of 20 questions about a pump and 7 notes: notes that answer reach 0.35 to 0.94 with MiniLM,
# others 0.30 at most; with e5 five that answer have 0.57 and more, others 0.43 at most. By words
# alone one that does not answer reached 0.42.
_TELLS = 0.34
_TELLS_BY_WORDS = 0.45
# Read together with questions of the labels (choose), 0.78 of 220 sentences that answer reach this,
# and 0.26 of 845 that the reader finds best beside them in the same manual, which few notes are as
# like as; 0.67 and 0.17 reach 0.4, and a note "25 Nm" was missing when asked for the torque.
_TELLS_READ = 0.2
_READ = 0.2


@dataclass(frozen=True, slots=True)
class Seen:
    """Whose notes a question sees.

    active: who asks, and where, the nearest place first. named: what the question
    names. near: what relations connect with the place. others: anything else that has
    knowledge about it.
    """

    active: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def entities(self) -> tuple[str, ...]:
        """All of them, the nearest first."""
        return tuple(dict.fromkeys((*self.active, *self.named, *self.near, *self.others)))

    def shows(self, piece: KnowledgePiece) -> bool:
        """Whether it is for the person asking: not another place's, nor what others prefer."""
        of = piece.entity_id
        if of is None or of in self.active or kind_of(of) not in SCOPED:
            return True
        if kind_of(of) in (SITE, ASSET):
            return of in self.named or of in self.near
        personal = piece.knowledge_type is KnowledgeType.PREFERENCE
        return not personal and piece.info_type != USER_PROFILE

    def rules(self, piece: KnowledgePiece) -> bool:
        """Whether an answer follows it: the asker's rule or everybody's, and not unverified."""
        of = piece.entity_id
        theirs = of is None or of in self.active or kind_of(of) not in SCOPED
        return theirs and piece.info_type == INSTRUCTIONS and piece.tier < _UNVERIFIED


def seen_by(desk: NoteDesk, question: str, place: Place, asker: Asker) -> Seen:
    """Return whose notes a question sees. Blocks.

    Notes of another place are never among them, unless nobody said where the person is
    and the question names a site or asset that exists only once.
    """
    graph = desk.base().graph_store
    names = desk.names()
    active = (*entities_of(place, graph), *asker.entities(graph))
    named = names.named_in(question)
    places = [each for each in named if kind_of(each) in (SITE, ASSET)]
    allowed = set(places) if not place and len(places) == 1 else set[str]()
    allowed |= {each for each in places if place and place.holds(place_of(each, graph))}
    named = tuple(each for each in named if kind_of(each) not in (SITE, ASSET) or each in allowed)
    near = [
        step.reached.node_id
        for entity in active
        if kind_of(entity) == ASSET
        for step in walk(graph, entity, 1, tells_of_another)
        if tells_of_another(step.edge)
    ]
    others = [each for each in names.ids if kind_of(each) not in (SITE, ASSET)]
    return Seen(active, named, tuple(near), tuple(others[:_MOST_ENTITIES]))


def rules_of(base: KnowledgeBase, seen: Seen) -> list[KnowledgePiece]:
    """Return the rules that the person asking goes by in every answer. Blocks."""
    people = [each for each in seen.active if kind_of(each) in (PERSON, ROLE)]
    own = [piece for entity in people for piece in base.piece_store.of(entity)]
    return [piece for piece in own if seen.rules(piece)][:MOST_RULES]


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A note that a question may be about.

    score: above 0, at most 1. telling: sure enough to be quoted by itself; the others are for
    a model to read. source: how it is cited. rule: the answer is to follow it.
    """

    note: Note
    score: float
    telling: bool
    source: NoteSource
    rule: bool = False


@dataclass(eq=False)
class NoteSearch:
    """Finds notes; blocking, on any thread.

    asker: who asks, when a question is asked. reader: tells how likely a note answers.
    """

    desk: NoteDesk
    manuals: Library | None = None
    asker: Callable[[], Asker] = Asker
    reader: TextEmbedder | None = None

    def __call__(self, question: str, place: Place) -> tuple[FoundNote, ...]:
        """Return the notes, for the person asking, that a question is about; see `seen_by`.

        Best first; then those connected by a relation with something that the question
        names, then the person's rules, which every answer follows.

        Raises: KnowledgeError, LibraryError.
        """
        if not self.desk.exists or not question.strip():
            return ()
        base = self.desk.base()
        seen = seen_by(self.desk, question, place, self.asker())
        found = base.piece_store.search(question, also_of=seen.entities, top_k=MOST_FOUND)
        codes = _codes(question) - _codes(str(place))
        same_code = {piece.piece_id for piece, _ in found if codes & _codes(piece.content)}
        near = [
            (piece, score)
            for piece, score in found
            if (score >= _READ or piece.piece_id in same_code) and seen.shows(piece)
        ]
        scores, least = self._read(question, near)
        notes: dict[str, FoundNote] = {}
        for (piece, _), score in zip(near, scores, strict=True):
            telling = score >= least or piece.piece_id in same_code
            notes[piece.piece_id] = self._found(piece, score, telling, seen)
        told = {name for name, note in notes.items() if note.telling}
        linked = [
            self._found(piece, step.score / 2, True, seen, relation_words(step.edge, base))
            for step, piece in _linked(self.desk, seen)
            if piece.piece_id not in told and seen.shows(piece)
        ]
        for each in linked[:_MOST_LINKED]:
            notes[each.note.piece_id] = each
        for rule in rules_of(base, seen):
            kept = notes.setdefault(rule.piece_id, self._found(rule, _READ, False, seen))
            notes[rule.piece_id] = replace(kept, rule=True)
        return tuple(sorted(notes.values(), key=lambda found: not found.telling))

    def _read(
        self, question: str, near: Sequence[tuple[KnowledgePiece, float]]
    ) -> tuple[list[float], float]:
        """Return how likely each piece answers, or how like it is, and from where it is told."""
        texts = [piece.content for piece, _ in near]
        try:
            odds = self.reader.rerank(question, texts) if self.reader and texts else None
        except ModelError as error:
            logger.warning("notes are not read by the text model: %s", type(error).__name__)
            odds = None
        if odds is not None:
            return [1 / (1 + math.exp(-float(each))) for each in odds], _TELLS_READ
        least = _TELLS if self.desk.finds_by_meaning else _TELLS_BY_WORDS
        return [score for _, score in near], least

    def _found(
        self, piece: KnowledgePiece, score: float, telling: bool, seen: Seen, relation: str = ""
    ) -> FoundNote:
        note = note_of(piece, self.desk.base().graph_store)
        source = self.source(note)
        if relation:
            about = said("by “{relation}”", relation=relation)
            source = replace(source, scope=joined([each for each in (source.scope, about) if each]))
        return FoundNote(note, score, telling, source, telling and seen.rules(piece))

    def source(self, note: Note) -> NoteSource:
        """Return how an answer cites a note."""
        page = self._page(note)
        written = note.written[:10]
        return NoteSource(
            note.piece_id, note.title, note.role, written, note.scope, note.tier, page
        )

    def _page(self, note: Note) -> PageRegion | None:
        """Return the first page it is pinned to in a manual that the library has."""
        if self.manuals is None or not note.pages:
            return None
        by_hash = {document.sha256: document for document in self.manuals.documents()}
        for link in note.pages:
            document = by_hash.get(link.document)
            if document is None:
                continue
            pages = self.manuals.pages(document.id)
            label = next((each.label for each in pages if each.page == link.page), "")
            boxes = tuple(Box(*box) for box in link.boxes)
            return PageRegion(
                document.id, document.name, link.page, label or str(link.page + 1), boxes
            )
        return None


def _codes(text: str) -> frozenset[str]:
    """Return the codes of a text (E17, RS-485): letters and digits in one word."""
    words = re.findall(r"[^\W_]+(?:[-./][^\W_]+)*", text)
    plain = ("".join(filter(str.isalnum, word.casefold())) for word in words)
    return frozenset(
        word for word in plain if any(map(str.isdigit, word)) and any(map(str.isalpha, word))
    )


def _linked(desk: NoteDesk, seen: Seen) -> Iterator[tuple[Step, KnowledgePiece]]:
    """Yield pieces about things that a relation connects with something the question names."""
    base, names = desk.base(), desk.names()
    for entity in seen.named:
        for step in walk(base.graph_store, entity, 1, tells_of_another):
            if not tells_of_another(step.edge):
                continue
            far = step.reached
            linked = base.piece_store.get(step.edge.piece_id) if step.edge.piece_id else None
            about = [linked] if linked is not None else []
            about += base.piece_store.of(far.node_id)
            if far.label:
                told = base.piece_store.search(far.label, also_of=(*seen.entities, far.node_id))
                about += [p for p, _ in told if far.node_id in names.named_in(p.content)]
            for piece in about:
                yield step, piece


@dataclass(eq=False)
class NotesKnown:
    """Called with what a person asks, it returns a text for each info_type; blocking.

    place, asker: where the person is and who it is, when the question is asked.
    """

    desk: NoteDesk
    place: Callable[[], Place]
    asker: Callable[[], Asker] = Asker

    def __call__(self, user_input: str) -> dict[str, str]:
        """Return what is known of person, place, what is named, and all. Raises: as NoteSearch."""
        if not self.desk.exists:
            return {}
        base = self.desk.base()
        seen = seen_by(self.desk, user_input, self.place(), self.asker())
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
            related |= set(map(_key, found.graph_context))
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
    """Leave out what is for others, what was already told, and where an asset is located.

    A rule that the answer need not follow, being somebody else's, is given as context.
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
