"""Documents found by their words and, with a text model, by their meaning.

What keeps them in SQLite is in `sqlite`, which loads apsw.
"""

from knowledge.services.retrieval.base import Document, RetrievalServiceBase
from knowledge.services.retrieval.memory import FileRetrievalService, MemoryRetrievalService

__all__ = [
    "Document",
    "FileRetrievalService",
    "MemoryRetrievalService",
    "RetrievalServiceBase",
]
