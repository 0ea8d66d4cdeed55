"""The database file that the SQLite services share."""

from knowledge.services.sqlite.database import KnowledgeDatabase
from knowledge.services.sqlite.opening import open_connection

__all__ = ["KnowledgeDatabase", "open_connection"]
