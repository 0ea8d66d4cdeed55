"""A shelf of manuals without a library."""

from __future__ import annotations

from desktop.core.library.values import DocumentRecord, DocumentState


def manual(
    document_id: int = 1,
    name: str = "pump.pdf",
    state: DocumentState = "ready",
    pages_read: int = 10,
) -> DocumentRecord:
    return DocumentRecord(
        document_id,
        f"{document_id:064x}",
        name,
        name.removesuffix(".pdf"),
        1000,
        10,
        state,
        "",
        "2026-01-01T00:00:00+00:00",
        (pages_read, pages_read, pages_read),
        0,
    )


class FakeShelf:
    def __init__(self, *manuals: DocumentRecord) -> None:
        self.manuals = list(manuals)

    def documents(self) -> list[DocumentRecord]:
        return list(self.manuals)

    def names(self) -> list[str]:
        return [manual.name for manual in self.manuals if manual.searchable]
