"""Knowledge bases ready to use: in memory, in a JSON file, in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knowledge.base import KnowledgeBase
from knowledge.graph import GraphServiceEntityGraphStore
from knowledge.metadata import KeyValueMetadataStore
from knowledge.pieces import RetrievalKnowledgePieceStore

if TYPE_CHECKING:
    from pathlib import Path

    from knowledge.ports import ConnectionFactory, TextVectors
    from knowledge.services.graph import GraphServiceBase
    from knowledge.services.key_value import KeyValueServiceBase
    from knowledge.services.retrieval import RetrievalServiceBase


def knowledge_base_of(
    key_values: KeyValueServiceBase,
    retrieval: RetrievalServiceBase,
    graph: GraphServiceBase,
    **options: Any,
) -> KnowledgeBase:
    """Return a knowledge base over three services. options: those of `KnowledgeBase`."""
    return KnowledgeBase(
        KeyValueMetadataStore(key_values),
        RetrievalKnowledgePieceStore(retrieval),
        GraphServiceEntityGraphStore(graph),
        **options,
    )


def memory_knowledge_base(vectors: TextVectors | None = None, **options: Any) -> KnowledgeBase:
    """Return a knowledge base that lives as long as the process."""
    from knowledge.services.graph import MemoryGraphService
    from knowledge.services.key_value import MemoryKeyValueService
    from knowledge.services.retrieval import MemoryRetrievalService

    return knowledge_base_of(
        MemoryKeyValueService(), MemoryRetrievalService(vectors), MemoryGraphService(), **options
    )


def file_knowledge_base(
    path: Path, vectors: TextVectors | None = None, **options: Any
) -> KnowledgeBase:
    """Return a knowledge base in one JSON file, for some thousands of pieces.

    Raises: KnowledgeStoreError.
    """
    from knowledge.services.base import JsonFile
    from knowledge.services.graph import FileGraphService
    from knowledge.services.key_value import FileKeyValueService
    from knowledge.services.retrieval import FileRetrievalService

    file = JsonFile(path)
    return knowledge_base_of(
        FileKeyValueService(file),
        FileRetrievalService(file, vectors),
        FileGraphService(file),
        **options,
    )


def sqlite_knowledge_base(
    connect: ConnectionFactory,
    vectors: TextVectors | None = None,
    *,
    embed_later: bool = False,
    **options: Any,
) -> KnowledgeBase:
    """Return a knowledge base in one SQLite file, for hundreds of thousands of pieces.

    embed_later: keeping never waits for the text model; `KnowledgeBase.embed_missing` makes up.

    Raises: KnowledgeTooNew, KnowledgeStoreError.
    """
    from knowledge.services.graph import SQLiteGraphService
    from knowledge.services.key_value import SQLiteKeyValueService
    from knowledge.services.sqlite import KnowledgeDatabase
    from knowledge.services.sqlite_retrieval import SQLiteFTS5RetrievalService

    database = KnowledgeDatabase(connect)
    return knowledge_base_of(
        SQLiteKeyValueService(database),
        SQLiteFTS5RetrievalService(database, vectors, embed_later=embed_later),
        SQLiteGraphService(database),
        **options,
    )
