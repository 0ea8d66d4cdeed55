"""The place in a manual that a note is written about: the selected words, else the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.geometry import Box
    from desktop.ui.viewer.pages.page_view import PageView
    from desktop.ui.viewer.text.words import WordStore


@dataclass(frozen=True, slots=True)
class NotePlace:
    """A page and, if words are selected there, their boxes and the words themselves.

    page: from 0. boxes: PDF points, top-left origin, page as displayed.
    """

    document_id: int
    page: int
    boxes: tuple[Box, ...] = ()
    quote: str = ""


def find_note_place(
    view: PageView, words: WordStore, then: Callable[[NotePlace | None], None]
) -> None:
    """Call `then` with the place in view, None when no page is; the words may have to be read.

    A selection over several pages belongs to the page it begins on.
    """
    document, selection = view.document, view.overlays.selection
    if document is None or not document.pages:
        then(None)
        return
    id_, page = document.id, view.page
    if selection is None:
        then(NotePlace(id_, page))
        return
    first = selection.pages.start
    words.with_pages(
        id_,
        selection.pages,
        lambda found: then(
            NotePlace(
                id_,
                first,
                selection.boxes(first, found[first]),
                " ".join(selection.text(found).split()),
            )
        ),
    )
