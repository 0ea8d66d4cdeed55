"""Documents in a JSON file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge.services.retrieval.memory import MemoryRetrievalService

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from knowledge.ports import TextVectors
    from knowledge.services.json_file import JsonFile
    from knowledge.services.retrieval.documents import Document


class FileRetrievalService(MemoryRetrievalService):
    """Holds everything in memory and writes the file after every change; vectors are not kept."""

    def __init__(self, file: JsonFile, vectors: TextVectors | None = None) -> None:
        super().__init__(vectors)
        self._file = file
        file.attach("documents", self)

    def put_all(self, documents: Sequence[Document]) -> int:
        """Keep documents and write the file."""
        with self._file.transaction():
            return super().put_all(documents)

    def delete(self, document_id: str) -> bool:
        """Forget a document and write the file."""
        with self._file.transaction():
            return super().delete(document_id)

    def transaction(self) -> AbstractContextManager[None]:
        """Return the transaction of the file."""
        return self._file.transaction()
