"""Documents found by their words and, with a text model, by their meaning."""

from knowledge.services.retrieval.base import RetrievalServiceBase
from knowledge.services.retrieval.documents import Document
from knowledge.services.retrieval.file import FileRetrievalService
from knowledge.services.retrieval.memory import MemoryRetrievalService
from knowledge.services.retrieval.sqlite import SQLiteFTS5RetrievalService

__all__ = [
    "Document",
    "FileRetrievalService",
    "MemoryRetrievalService",
    "RetrievalServiceBase",
    "SQLiteFTS5RetrievalService",
]
