"""What a text was found to hold, by the language model or by rules, before anything is kept."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop.core.notes.entities import entity_of
from desktop.core.notes.note import Note, at, note_of
from desktop.core.notes.relations import relation_lines, relation_lines_in, with_relations
from desktop.core.problems import explain
from desktop.models.errors import ModelError
from desktop.sentences import full, said, together
from knowledge.errors import KnowledgeRefused, StructuringFailed
from knowledge.ingestion_cli import KnowledgeIngestionCLI, RuleStructurer
from knowledge.loader import KnowledgeDataLoader, PieceItem, piece_values, read_item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from desktop.core.jobs import CancelToken
    from desktop.core.library.places import Place
    from desktop.models.roles import LanguageModel
    from knowledge.base import KnowledgeBase
    from knowledge.graph import EntityGraphStore
    from knowledge.ingestion_cli import StructuredText
    from knowledge.loader import LoadProblem
    from knowledge.ports import Structurer

logger = logging.getLogger(__name__)

_BY_RULES = said("Simple rules were used instead: check the result.")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A text in its parts. Whoever edits it replaces `notes`.

    data: as it was structured. notes: its pieces. refused: why a piece may not be kept,
    by its position ("pieces[1]"). by_model: a language model structured it, otherwise
    rules did. notice: why rules did it although there is a model, "" otherwise. faults:
    attempts of the model that could not be used.
    """

    text: str
    data: Mapping[str, Any]
    notes: tuple[Note, ...]
    refused: tuple[str, ...] = ()
    by_model: bool = False
    notice: str = ""
    faults: tuple[str, ...] = ()

    @property
    def profiles(self) -> tuple[str, ...]:
        """What it says about entities as such, a line each: "user:alice: team: aero"."""
        return tuple(
            f"{name}: " + ", ".join(f"{k}: {v}" for k, v in (item.get("properties") or {}).items())
            for name, item in (self.data.get("metadata") or {}).items()
        )

    @property
    def relations(self) -> tuple[str, ...]:
        """How entities belong together, a line each: "user:alice SPECIALIZES_IN technique:les"."""
        edges = (self.data.get("graph") or {}).get("edges") or ()
        return tuple(f"{e['source_id']} {e['edge_type']} {e['target_id']}" for e in edges)


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a proposal or a file.

    notes: those that are kept now. changed: items that were not there like this before.
    """

    notes: tuple[Note, ...]
    changed: int
    problems: tuple[LoadProblem, ...] = ()


def proposed_notes(
    data: Mapping[str, Any], graph: EntityGraphStore, place: Place, **given: Any
) -> tuple[tuple[Note, ...], tuple[str, ...]]:
    """Return the pieces of structured data as notes about a place, and why some are not notes.

    A place that a person chose takes priority over what the text seems to be about.
    given: role, written, tier, pages: what a person said of the whole text.
    """
    notes, refused = [], []
    for number, item in enumerate(data.get("pieces") or ()):
        try:
            note = note_of(read_item(PieceItem, item).value(), graph)
        except KnowledgeRefused as error:
            refused.append(said("{name}: {error}", name=f"pieces[{number}]", error=error))
            continue
        known = {name: value for name, value in given.items() if value and name != "tags"}
        tags = tuple(dict.fromkeys((*note.tags, *given.get("tags", ()))))
        notes.append(replace(at(note, place or note.place), tags=tags, **known))
    return tuple(notes), tuple(refused)


def data_to_keep(
    proposal: Proposal, notes: Iterable[Note], free_id: Callable[[Note], str]
) -> dict[str, Any]:
    """Return the proposal's data with the notes as they were edited.

    A piece that would take the place of another note gets another id, in relations too;
    a relation stays without its note if that was thrown out.
    """
    ids: dict[str, str] = {}
    pieces = []
    for note in notes:
        kept = replace(note, piece_id=free_id(note))
        ids[note.piece_id] = kept.piece_id
        pieces.append(piece_values(kept.piece()))
    data = {name: value for name, value in proposal.data.items() if name != "pieces"}
    graph = data.get("graph") or {}
    if graph.get("edges"):
        edges = [_relinked(edge, ids) for edge in graph["edges"]]
        data["graph"] = {**graph, "edges": edges}
    return {**data, "pieces": pieces}


def _relinked(edge: Mapping[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    properties = dict(edge.get("properties") or {})
    linked = properties.pop("piece_id", None)
    if linked in ids:
        properties["piece_id"] = ids[linked]
    return {**edge, "properties": properties}


def propose(
    text: str,
    base: KnowledgeBase,
    place: Place,
    model: LanguageModel | None,
    cancel: CancelToken | None,
    given: Mapping[str, Any],
) -> Proposal:
    """Return what a text holds. given: as `proposed_notes`. Raises: KnowledgeRefused, Cancelled."""
    notice = ""
    if model is not None:
        from desktop.core.notes.language_structurer import LanguageStructurer  # loads DSPy

        try:
            structured = _structured(text, base, LanguageStructurer(model, cancel))
            return _proposal(structured, base, place, given, by_model=True)
        except StructuringFailed as error:
            notice = said(
                "The language model did not structure the text. {by_rules}", by_rules=_BY_RULES
            )
            logger.info("a text is structured by rules after %d attempts", error.attempts)
        except ModelError as error:
            notice = together([full(explain(error).title), _BY_RULES])
    structured = _structured(text, base, RuleStructurer(entity_of(place)))
    return _proposal(structured, base, place, given, notice=notice)


def _structured(text: str, base: KnowledgeBase, structurer: Structurer) -> StructuredText:
    return KnowledgeIngestionCLI(structurer, KnowledgeDataLoader(base)).structure(text)


def _proposal(
    structured: StructuredText,
    base: KnowledgeBase,
    place: Place,
    given: Mapping[str, Any],
    *,
    by_model: bool = False,
    notice: str = "",
) -> Proposal:
    notes, refused = proposed_notes(structured.data, base.graph_store, place, **given)
    data = structured.data
    if stated := relation_lines_in(structured.text):
        data = with_relations(data, "\n".join((relation_lines(data), *stated)), notes)
    return Proposal(structured.text, data, notes, refused, by_model, notice, structured.faults)
