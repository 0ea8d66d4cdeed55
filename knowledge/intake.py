"""Knowledge as JSON from outside: what an item of each section must look like."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from knowledge.errors import KnowledgeRefused
from knowledge.graph import GraphEdge, GraphNode
from knowledge.metadata import EntityMetadata
from knowledge.pieces import CONTEXT, SITE_NOTE, UNVERIFIED, KnowledgePiece, KnowledgeType, PageLink
from knowledge.security import check_optional_text

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Tag = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]


def _kind(value: object) -> KnowledgeType:
    try:
        return KnowledgeType(str(value))
    except ValueError:
        names = ", ".join(kind.value for kind in KnowledgeType)
        raise ValueError(f"it must be one of {names}") from None


def _once(tags: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tags))


class _Item(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, hide_input_in_errors=True)


_AnyItem = TypeVar("_AnyItem", bound=_Item)


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
    tags: Annotated[tuple[Tag, ...], Field(max_length=50), AfterValidator(_once)] = ()
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
    """Return the profile that stands under a key.

    Raises: KnowledgeRefused.
    """
    checked = read_item(MetadataItem, {"entity_id": entity_id, **_object(item)})
    if checked.entity_id != entity_id.strip():
        raise KnowledgeRefused("entity_id is not the key that the item stands under.")
    return checked.value()


def read_item(kind: type[_AnyItem], item: object) -> _AnyItem:
    """Return an item of a section.

    Raises: KnowledgeRefused, with the first thing to repair and never with the values.
    """
    try:
        return kind.model_validate(_object(item))
    except ValidationError as error:
        raise KnowledgeRefused(_first_fault(error)) from None


def _object(item: object) -> dict[str, Any]:
    if not isinstance(item, dict):
        raise KnowledgeRefused("It is no object.")
    return item


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_input=False, include_url=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "missing":
        return f"{place} is missing."
    if fault["type"] == "extra_forbidden":
        return f"{_sayable(place)} is not known here."
    what = fault["msg"].removeprefix("Value error, ")
    return f"{_sayable(place)} is wrong: {what[:1].lower()}{what[1:]}."


def _sayable(name: str) -> str:
    """Return a name from the file unless it may be a secret."""
    try:
        check_optional_text(name)
    except KnowledgeRefused:
        return "A field"
    return name[:80]
