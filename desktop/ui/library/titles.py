"""What a cited manual is called: by its title, with a word if it is an older revision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from desktop.core.events import PageRegion
    from desktop.ui.library.model import LibraryModel


def cited_title(model: LibraryModel, place: PageRegion) -> str:
    """Return the title of a cited manual; its file name if it is gone from the library."""
    record = model.record(place.document_id)
    if record is None:
        return _tr("{name} (no longer in the library)").format(name=place.document)
    title = record.title.strip() or record.name
    newer = model.newer_than(record.id)
    if newer is None:
        return title
    mark = newer.revision or newer.revision_date
    return _tr("{title} (older revision, {newer} is here)").format(title=title, newer=mark)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Titles", text)
