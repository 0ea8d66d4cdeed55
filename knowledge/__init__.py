"""What the agent knows before it reads.

Who it is and which domain it serves: `atlas`, `domain`, `domain_shelf`, `domains/`, `cues`,
`quoting`.

What engineers told it, from a note to the prompt:

    text -> ingestion_cli -> loader (security) -> base
    base = metadata + pieces + graph, over services/ (key_value, retrieval, graph)
    question -> base.retrieve (graph) -> provider (formatter)

`stores` makes a knowledge base in one call, `team` exchanges it with a shared one, `ports` says
what this room asks of others. The names below can be imported from here; each is loaded when it is
asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "atlas": "Atlas",
    "base": "KnowledgeBase RetrievalResult file_knowledge_base knowledge_base_of"
    " memory_knowledge_base sqlite_knowledge_base",
    "formatter": "KnowledgeFormatter",
    "graph": "EntityGraphStore GraphEdge GraphNode GraphServiceEntityGraphStore",
    "ingestion_cli": "KnowledgeIngestionCLI RuleStructurer",
    "loader": "KnowledgeDataLoader LoadSummary",
    "metadata": "EntityMetadata KeyValueMetadataStore MetadataStore",
    "pieces": "KnowledgePiece KnowledgePieceStore KnowledgeType PieceFilter"
    " RetrievalKnowledgePieceStore",
    "provider": "FeedConflictResolution KnowledgeGroup KnowledgeProvider Template"
    " resolve_knowledge",
    "services.graph": "FileGraphService GraphServiceBase MemoryGraphService NetworkxGraphService"
    " SQLiteGraphService",
    "services.key_value": "FileKeyValueService KeyValueServiceBase MemoryKeyValueService"
    " SQLiteKeyValueService",
    "services.retrieval": "Document FileRetrievalService MemoryRetrievalService"
    " RetrievalServiceBase",
    "services.sqlite_retrieval": "SQLiteFTS5RetrievalService",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"knowledge.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME_OF])
