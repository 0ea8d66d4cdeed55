"""Builds what an open library knows beside its manuals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.paths import LibraryFolder
    from desktop.models.manager import ModelManager
    from desktop.models.roles import TextEmbedder


def make_notes(
    folder: LibraryFolder,
    asking: TextEmbedder | None,
    keeping: TextEmbedder | None,
    models: ModelManager,
) -> NoteDesk:
    """Build the desk of a library's notes; its file is opened when it is needed.

    asking, keeping: the text embedders for questions and for notes; None: by words alone.
    """
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.notes.storage import NoteVectors

    vectors = None
    if asking is not None and keeping is not None:
        vectors = NoteVectors(asking, keeping)
    return NoteDesk(folder.knowledge, vectors, models.language, folder.check_ins)
