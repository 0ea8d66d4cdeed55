"""Layer 1: what is known about an entity as such (a person, a site, an asset)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from knowledge.services.base import Service, ServiceAdapter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from knowledge.services.key_value import KeyValueServiceBase

GLOBAL_ENTITY = "global"
"""The entity whose metadata everybody shares."""


@dataclass(frozen=True, slots=True)
class EntityMetadata:
    """The profile of an entity. properties: values of JSON."""

    entity_id: str
    entity_type: str
    properties: Mapping[str, Any] = field(default_factory=dict)


class MetadataStore(Service):
    """Keeps one `EntityMetadata` per entity."""

    @abstractmethod
    def save(self, metadata: EntityMetadata) -> bool:
        """Keep metadata in place of what the entity had; return whether it changed anything."""

    @abstractmethod
    def get(self, entity_id: str) -> EntityMetadata | None:
        """Return the metadata of an entity."""

    @abstractmethod
    def all(self) -> list[EntityMetadata]:
        """Return all entities, sorted by type and id."""


class KeyValueMetadataStore(ServiceAdapter, MetadataStore):
    """Metadata in a key-value service; the type of an entity is its namespace."""

    def __init__(self, service: KeyValueServiceBase) -> None:
        super().__init__(service)
        self._service = service

    def save(self, metadata: EntityMetadata) -> bool:
        """Keep metadata; an entity has one type, so it leaves the one it had before."""
        with self._service.transaction():
            for other in self._types_of(metadata.entity_id):
                if other != metadata.entity_type:
                    self._service.delete(metadata.entity_id, other)
            return self._service.put(
                metadata.entity_id, dict(metadata.properties), metadata.entity_type
            )

    def get(self, entity_id: str) -> EntityMetadata | None:
        """Return the metadata of an entity, first looking in the type its id begins with."""
        for kind in self._types_of(entity_id):
            properties = self._service.get(entity_id, kind)
            if properties is not None:
                return EntityMetadata(entity_id, kind, properties)
        return None

    def all(self) -> list[EntityMetadata]:
        """Return all entities, sorted."""
        return [
            EntityMetadata(key, kind, properties)
            for kind in self._service.namespaces()
            for key, properties in self._service.items(kind)
        ]

    def _types_of(self, entity_id: str) -> list[str]:
        likely = entity_id.partition(":")[0]
        return sorted(self._service.namespaces(), key=lambda kind: (kind != likely, kind))
