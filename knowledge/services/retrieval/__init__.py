"""Documents found by their words and, with a text model, by their meaning."""

from knowledge.services.retrieval.base import Document, RetrievalServiceBase
from knowledge.services.retrieval.memory import FileRetrievalService, MemoryRetrievalService
from knowledge.services.retrieval.sqlite import SQLiteFTS5RetrievalService

__all__ = [
    "Document",
    "FileRetrievalService",
    "MemoryRetrievalService",
    "RetrievalServiceBase",
    "SQLiteFTS5RetrievalService",
]
