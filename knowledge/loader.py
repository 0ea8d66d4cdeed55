"""Knowledge as JSON: what an item must look like, loading it, and writing all of it again."""

from __future__ import annotations

import json
import logging
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from knowledge.base import check_piece
from knowledge.errors import KnowledgeFileError, KnowledgeRefused, fault_told
from knowledge.graph import GraphEdge, GraphNode
from knowledge.metadata import EntityMetadata
from knowledge.pieces import CONTEXT, SITE_NOTE, UNVERIFIED, KnowledgePiece, KnowledgeType, PageLink
from knowledge.security import check_optional_text
from knowledge.sentences import message, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from knowledge.base import KnowledgeBase

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Tag = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]


def _kind(value: object) -> KnowledgeType:
    try:
        return KnowledgeType(str(value))
    except ValueError:
        names = ", ".join(kind.value for kind in KnowledgeType)
        raise ValueError(f"it must be one of {names}") from None


class _Item(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, hide_input_in_errors=True)


_AnyItem = TypeVar("_AnyItem", bound=_Item)
_T = TypeVar("_T")


class MetadataItem(_Item):
    """The profile of an entity; its id is the key it stands under and may be repeated."""

    entity_id: Name
    entity_type: Name
    properties: dict[str, Any] = Field(default_factory=dict)

    def value(self) -> EntityMetadata:
        """Return the profile."""
        return EntityMetadata(self.entity_id, self.entity_type, self.properties)


class LinkItem(_Item):
    """A page of a manual."""

    document: Name
    page: Annotated[int, Field(ge=0)]
    quote: Annotated[str, Field(max_length=10_000)] = ""
    boxes: tuple[tuple[float, float, float, float], ...] = ()


class PieceItem(_Item):
    """A piece of knowledge."""

    piece_id: Name
    content: str
    knowledge_type: Annotated[KnowledgeType, BeforeValidator(_kind)] = KnowledgeType.NOTE
    info_type: Annotated[Name, Field(max_length=80)] = CONTEXT
    tags: Annotated[
        tuple[Tag, ...], Field(max_length=50), AfterValidator(lambda tags: (*dict.fromkeys(tags),))
    ] = ()
    entity_id: Name | None = None
    embedding_text: str | None = None
    author: Annotated[str, Field(max_length=200)] = ""
    created: Annotated[str, Field(max_length=40)] = ""
    links: tuple[LinkItem, ...] = ()
    tier: Annotated[int, Field(ge=2, le=UNVERIFIED)] = SITE_NOTE

    def value(self) -> KnowledgePiece:
        """Return the piece."""
        links = tuple(PageLink(x.document, x.page, x.quote, x.boxes) for x in self.links)
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return KnowledgePiece(**{**fields, "links": links})


class NodeItem(_Item):
    """A node of the graph."""

    node_id: Name
    node_type: Name
    label: Annotated[str, Field(max_length=500)] = ""
    properties: dict[str, Any] = Field(default_factory=dict)

    def value(self) -> GraphNode:
        """Return the node."""
        return GraphNode(self.node_id, self.node_type, self.label, self.properties)


class EdgeItem(_Item):
    """An edge of the graph."""

    source_id: Name
    target_id: Name
    edge_type: Name
    properties: dict[str, Any] = Field(default_factory=dict)

    def value(self) -> GraphEdge:
        """Return the edge."""
        return GraphEdge(self.source_id, self.target_id, self.edge_type, self.properties)


def read_metadata(entity_id: str, item: object) -> EntityMetadata:
    """Return the profile that stands under a key. Raises: KnowledgeRefused."""
    checked = read_item(MetadataItem, {"entity_id": entity_id, **_object(item)})
    if checked.entity_id != entity_id.strip():
        raise KnowledgeRefused("entity_id is not the key that the item is listed under.")
    return checked.value()


def read_item(kind: type[_AnyItem], item: object) -> _AnyItem:
    """Return a section's item. Raises: KnowledgeRefused: what to repair, never the values."""
    try:
        return kind.model_validate(_object(item))
    except ValidationError as error:
        raise KnowledgeRefused(_first_fault(error)) from None


def _object(item: object) -> dict[str, Any]:
    if not isinstance(item, dict):
        raise KnowledgeRefused("This is not a JSON object.")
    return item


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_input=False, include_url=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    if fault["type"] != "missing":  # it is a name from the file
        try:
            check_optional_text(place)
            place = place[:80]
        except KnowledgeRefused:  # it may be a secret
            place = said("A field")
    return fault_told(fault["type"], place, fault["msg"].removeprefix("Value error, "))


_log = logging.getLogger(__name__)

MOST_BYTES = 256 * 2**20
"""Bytes of one file."""

_SECTIONS = ("metadata", "pieces", "graph")
_BATCH = 500


@dataclass(frozen=True, slots=True)
class LoadProblem:
    """An item that was skipped, or kept with a doubt. position: like "pieces[3]", from 0."""

    position: str
    reason: str

    def __str__(self) -> str:
        return f"{self.position}: {self.reason}"


@dataclass(slots=True)
class LoadSummary:
    """What a file brought. Items that were already there count as loaded, but change nothing."""

    metadata: int = 0
    pieces: int = 0
    nodes: int = 0
    edges: int = 0
    changed: int = 0
    problems: list[LoadProblem] = field(default_factory=list)

    @property
    def loaded(self) -> int:
        """Items that are in the knowledge base now."""
        return self.metadata + self.pieces + self.nodes + self.edges


@dataclass(eq=False)
class KnowledgeDataLoader:
    """Loads JSON into a knowledge base: all good items of a file together, or none of them.

    between: called between two items; what it raises ends the loading, and nothing is kept.
    """

    knowledge_base: KnowledgeBase
    between: Callable[[], None] = lambda: None

    def load_file(self, path: Path) -> LoadSummary:
        """Load a file of JSON. Raises: KnowledgeFileError, KnowledgeStoreError."""
        try:
            if path.stat().st_size > MOST_BYTES:
                raise KnowledgeFileError(
                    "{name} is larger than {most_bytes} MB; load it in parts.",
                    name=path.name,
                    most_bytes=MOST_BYTES // 2**20,
                )
            text = path.read_text("utf-8-sig")
        except OSError as error:
            raise KnowledgeFileError(
                "{name} cannot be read: {strerror}.", name=path.name, strerror=error.strerror
            ) from error
        except UnicodeDecodeError as error:
            raise KnowledgeFileError("{name} is not UTF-8 text.", name=path.name) from error
        return self.load(parse_json(text, path.name))

    def load(self, data: Mapping[str, Any]) -> LoadSummary:
        """Load sections of JSON already read. Raises: KnowledgeFileError, KnowledgeStoreError."""
        sections = _sections(data)
        summary = LoadSummary()
        for name in sorted(set(data) - set(_SECTIONS)):
            unknown = said("The section {name} is not known here.", name=repr(name[:40]))
            _warn(summary, "the file", unknown)
        with self.knowledge_base.transaction():
            for position, (entity_id, item) in self._each("metadata", sections["metadata"].items()):
                with _reported(summary, position):
                    summary.changed += self.knowledge_base.add_metadata(
                        read_metadata(entity_id, item)
                    )
                    summary.metadata += 1
            self._load_pieces(sections["pieces"], summary)
            self._load_graph(sections["graph"], summary)
        _log.info("loaded %d items, %d problems", summary.loaded, len(summary.problems))
        return summary

    def _load_pieces(self, items: list[Any], summary: LoadSummary) -> None:
        batch: list[KnowledgePiece] = []
        seen: set[str] = set()
        for position, item in self._each("pieces", items):
            with _reported(summary, position):
                piece = read_item(PieceItem, item).value()
                check_piece(piece)
                if piece.piece_id in seen:
                    raise KnowledgeRefused("An earlier piece of the file has the same piece_id.")
                seen.add(piece.piece_id)
                batch.append(piece)
        for start in range(0, len(batch), _BATCH):
            self.between()
            summary.changed += self.knowledge_base.piece_store.add_all(
                batch[start : start + _BATCH]
            )
        summary.pieces = len(batch)

    def _load_graph(self, graph: Mapping[str, Any], summary: LoadSummary) -> None:
        for position, item in self._each("graph.nodes", graph.get("nodes", [])):
            with _reported(summary, position):
                summary.changed += self.knowledge_base.add_node(read_item(NodeItem, item).value())
                summary.nodes += 1
        for position, item in self._each("graph.edges", graph.get("edges", [])):
            with _reported(summary, position):
                edge = read_item(EdgeItem, item).value()
                summary.changed += self.knowledge_base.add_edge(edge)
                summary.edges += 1
                if edge.piece_id and self.knowledge_base.piece_store.get(edge.piece_id) is None:
                    linked = repr(edge.piece_id)
                    doubt = said(
                        "The note {piece_id} that this links to is not there yet.", piece_id=linked
                    )
                    _warn(summary, position, doubt)

    def _each(self, section: str, items: Iterable[_T]) -> Iterator[tuple[str, _T]]:
        """Yield the items with their positions, and let the caller look in between."""
        for number, item in enumerate(items):
            self.between()
            yield f"{section}[{number}]", item


def parse_json(text: str, name: str) -> dict[str, Any]:
    """Return the object that JSON holds. Raises: KnowledgeFileError, where `name` goes wrong."""
    try:
        data = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise KnowledgeFileError(
            "{name} is not valid JSON: {msg} (line {lineno}, column {colno}).",
            name=name,
            msg=error.msg,
            lineno=error.lineno,
            colno=error.colno,
        ) from None
    except (RecursionError, ValueError) as error:
        fault = said("nested too deeply") if isinstance(error, RecursionError) else str(error)
        raise KnowledgeFileError(
            "{name} is not valid JSON: {fault}.", name=name, fault=fault
        ) from None
    if not isinstance(data, dict):
        raise KnowledgeFileError(
            "{name} contains no object with metadata, pieces and graph.", name=name
        )
    return data


@contextmanager
def _reported(summary: LoadSummary, position: str) -> Iterator[None]:
    """Turn a refusal inside into a problem at a position; everything else goes on."""
    try:
        yield
    except KnowledgeRefused as error:
        _warn(summary, position, message(error))


def _warn(summary: LoadSummary, position: str, reason: str) -> None:
    summary.problems.append(LoadProblem(position, reason))
    _log.warning("knowledge at %s: %s", position, reason)


def _sections(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the three sections, empty where the file has none. Raises: KnowledgeFileError."""
    sections: dict[str, Any] = {"metadata": {}, "pieces": [], "graph": {}}
    for name, empty in sections.items():
        section = data.get(name)
        if section is None:
            continue
        if not isinstance(section, type(empty)):
            raise KnowledgeFileError(
                "{name} is {section}, not {empty}.",
                name=name,
                section=_json_kind(section),
                empty=_json_kind(empty),
            )
        sections[name] = section
    for name in ("nodes", "edges"):
        if not isinstance(sections["graph"].get(name, []), list):
            raise KnowledgeFileError("graph.{name} is not a list.", name=name)
    return sections


def _json_kind(value: object) -> str:
    if isinstance(value, dict):
        return said("an object")
    return said("a list") if isinstance(value, list) else said("a single value")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, refusing a name that occurs in it twice: one value would be lost."""
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("an object has the same name twice")
    return values


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def exported(base: KnowledgeBase) -> dict[str, Any]:
    """Return all profiles, pieces and the graph, in an order that never changes."""
    return {
        "metadata": {
            one.entity_id: {"entity_type": one.entity_type, "properties": dict(one.properties)}
            for one in sorted(base.metadata_store.all(), key=lambda one: one.entity_id)
        },
        "pieces": [piece_values(piece) for piece in base.piece_store.all()],
        "graph": {
            "nodes": [asdict(node) for node in base.graph_store.nodes()],
            "edges": [asdict(edge) for edge in base.graph_store.edges()],
        },
    }


def piece_values(piece: KnowledgePiece) -> dict[str, Any]:
    """Return a piece as values of JSON, without the fields that it lacks."""
    values = {**asdict(piece), "knowledge_type": piece.knowledge_type.value}
    if piece.tier == SITE_NOTE:
        del values["tier"]
    return {name: value for name, value in values.items() if value not in (None, "", ())}
