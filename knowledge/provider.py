"""The knowledge provider: what is known for a question, by section of the prompt.

A person may word a group of knowledge: with a function, Jinja2, Handlebars or `.format`. Jinja2
runs in its own sandbox, Handlebars is dotpromptz-handlebars, which knows plain values only.
Templates may come with a file from elsewhere: none of them reaches attributes, files or code.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from knowledge.errors import TemplateFault
from knowledge.formatter import KnowledgeFormatter
from knowledge.pieces import CONTEXT, USER_PROFILE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge.base import KnowledgeBase
    from knowledge.formatter import RetrievalResult
    from knowledge.metadata import EntityMetadata
    from knowledge.pieces import KnowledgePiece


@dataclass(frozen=True, slots=True)
class KnowledgeGroup:
    """Profiles, pieces and relations of one info_type.

    pieces: with scores, best first. relations: as in `RetrievalResult.graph_context`.
    formatter: how it is written where no template says otherwise.
    """

    info_type: str
    formatter: KnowledgeFormatter
    metadata: EntityMetadata | None = None
    global_metadata: EntityMetadata | None = None
    pieces: tuple[tuple[KnowledgePiece, float], ...] = ()
    relations: tuple[dict[str, Any], ...] = ()

    @property
    def text(self) -> str:
        """The group as usual: profile lines, pieces, relations, without headings."""
        write = self.formatter
        parts = (
            write.metadata(self.metadata),
            write.metadata(self.global_metadata),
            write.pieces(self.pieces),
            write.relations(self.relations),
        )
        return "\n".join(part for part in parts if part)

    def values(self) -> dict[str, Any]:
        """Return what a template sees, as plain values."""
        return {
            "info_type": self.info_type,
            "text": self.text,
            "count": len(self.pieces),
            "metadata": dict(self.metadata.properties) if self.metadata else {},
            "global_metadata": dict(self.global_metadata.properties)
            if self.global_metadata
            else {},
            "pieces": [
                {
                    "piece_id": piece.piece_id,
                    "content": piece.content,
                    "knowledge_type": piece.knowledge_type.value,
                    "tags": list(piece.tags),
                    "entity_id": piece.entity_id or "",
                    "author": piece.author,
                    "created": piece.created,
                    "score": score,
                }
                for piece, score in self.pieces
            ],
            "relations": [dict(relation) for relation in self.relations],
        }


class KnowledgeProvider:
    """Routes what a knowledge base knows into groups by info_type, and writes each of them.

    | source | goes to |
    |---|---|
    | profile of the entity, and the global one | `metadata_info_type` |
    | piece, found or linked by a relation | its own info_type |
    | relation of the active entity, without a linked piece | user_profile |
    | other relation, without a linked piece | context |

    formatters: how a group of an info_type is written; others as `formatter` writes them.
    """

    def __init__(
        self,
        knowledge_base: KnowledgeBase,
        *,
        metadata_info_type: str = USER_PROFILE,
        formatters: Mapping[str, GroupFormatter] | None = None,
        formatter: KnowledgeFormatter | None = None,
    ) -> None:
        self.knowledge_base = knowledge_base
        self._metadata_info_type = metadata_info_type
        self._formatters = dict(formatters or {})
        self._formatter = formatter or KnowledgeFormatter(include_tags=False)

    def __call__(
        self, query: str, entity_id: str | None = None, also_of: Sequence[str] = ()
    ) -> dict[str, str]:
        """Return a text by info_type, for those with something known. Raises: TemplateFault."""
        return self.texts(self.groups(query, entity_id, also_of))

    def groups(
        self, query: str, entity_id: str | None = None, also_of: Sequence[str] = ()
    ) -> dict[str, KnowledgeGroup]:
        """Return what is known by info_type, for whoever cites it. also_of: further entities."""
        active = self.knowledge_base.active_entity_id if entity_id is None else entity_id
        found = self.knowledge_base.retrieve(query, active, also_of=also_of)
        return self.route(found, active)

    def texts(self, groups: Mapping[str, KnowledgeGroup]) -> dict[str, str]:
        """Return groups as text; one that comes out empty is left out. Raises: TemplateFault."""
        texts = {
            name: rendered(self._formatters[name], group)
            if name in self._formatters
            else group.text
            for name, group in groups.items()
        }
        return {name: text for name, text in texts.items() if text.strip()}

    def route(
        self, result: RetrievalResult, active_entity: str | None
    ) -> dict[str, KnowledgeGroup]:
        """Return a result by info_type."""
        groups: dict[str, KnowledgeGroup] = {}

        def group(info_type: str) -> KnowledgeGroup:
            return groups.setdefault(info_type, KnowledgeGroup(info_type, self._formatter))

        if result.metadata or result.global_metadata:
            groups[self._metadata_info_type] = replace(
                group(self._metadata_info_type),
                metadata=result.metadata,
                global_metadata=result.global_metadata,
            )
        for piece, score in result.pieces:
            old = group(piece.info_type)
            groups[piece.info_type] = replace(old, pieces=(*old.pieces, (piece, score)))
        for relation in result.graph_context:
            if relation["piece_id"]:
                continue  # its piece is among the pieces
            own = relation["source_node_id"] == active_entity
            old = group(USER_PROFILE if own else CONTEXT)
            groups[old.info_type] = replace(old, relations=(*old.relations, relation))
        return dict(sorted(groups.items()))


Engine = Literal["jinja2", "handlebars", "format"]


@dataclass(frozen=True, slots=True)
class Template:
    """A template and the language it is in. It sees the names of `KnowledgeGroup.values`."""

    text: str
    engine: Engine


GroupFormatter = Callable[["KnowledgeGroup"], str] | Template | str
"""How a group becomes text; a plain string is a template of `.format`."""


def rendered(formatter: GroupFormatter, group: KnowledgeGroup) -> str:
    """Return a group as text. Raises: TemplateFault; what a function raises."""
    if isinstance(formatter, str):
        formatter = Template(formatter, "format")
    if not isinstance(formatter, Template):
        return formatter(group)
    engines: dict[Engine, Callable[..., str]] = {
        "jinja2": _jinja2,
        "handlebars": _handlebars,
        "format": _PlainFormatter().format,
    }
    try:
        return engines[formatter.engine](formatter.text, **group.values())
    except TemplateFault:
        raise
    except Exception as error:  # three libraries, each with errors of its own
        raise TemplateFault(
            "The {engine} template for {info_type} cannot be used: {error}",
            engine=formatter.engine,
            info_type=group.info_type,
            error=error,
        ) from error


def _jinja2(text: str, /, **values: Any) -> str:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    return environment.from_string(text).render(values)


def _handlebars(text: str, /, **values: Any) -> str:
    from dotpromptz_handlebars import Handlebars

    return Handlebars(escape_html=False, strict=True).compile(text)(values)


class _PlainFormatter(string.Formatter):
    """`str.format` with names alone: no attributes, no items, no widths of a billion."""

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        value = kwargs.get(field_name)
        if not isinstance(value, (str, int)):
            names = ", ".join(sorted(k for k, v in kwargs.items() if isinstance(v, (str, int))))
            raise TemplateFault(
                "A .format template can use {names}, not {field_name}.",
                names=names,
                field_name=repr(field_name),
            )
        return value, field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec:
            raise TemplateFault("A .format template cannot set widths or precision.")
        return str(value)


KnowledgeSource = Callable[[str], Mapping[str, str]] | Mapping[str, str] | None
"""An agent's `knowledge_provider`: none, asked with each question, or always the same."""


class FeedConflictResolution(StrEnum):
    """What happens to a value when knowledge supplies one as well."""

    FEED_ONLY = "feed_only"
    """Knowledge replaces the value."""

    ATTRIBUTE_ONLY = "attribute_only"
    """The value stays, knowledge is left out."""

    MERGE = "merge"
    """Both, the value first, with a newline between."""


def resolve_knowledge(source: KnowledgeSource, user_input: str) -> dict[str, str]:
    """Return what an agent knows for an input."""
    if source is None:
        return {}
    return dict(source(user_input) if callable(source) else source)
