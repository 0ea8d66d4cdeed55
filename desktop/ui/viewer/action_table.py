"""Every command of the viewer: its text, icon and keys. What they do is wired in `panel`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtCore import QT_TRANSLATE_NOOP
from PySide6.QtGui import QKeySequence

CONTEXT: Final = "ViewerActions"
"""Of the texts, for translations."""

ActionName = Literal[
    "thumbnails",
    "outline",
    "bookmarks",
    "add_bookmark",
    "back",
    "forward",
    "previous_page",
    "next_page",
    "zoom_out",
    "zoom_in",
    "fit_width",
    "fit_page",
    "actual_size",
    "two_up",
    "cover_alone",
    "rotate_right",
    "rotate_left",
    "heat_map",
    "find",
    "find_next",
    "find_previous",
    "previous_highlight",
    "next_highlight",
    "clear_highlights",
    "copy",
    "copy_citation",
    "select_page",
    "page_links",
    "mark_region",
    "copy_region",
    "copy_region_words",
    "save_region",
    "drop_region",
    "save_page",
    "print",
    "add_note",
    "close_document",
]
CHECKABLE: Final[tuple[ActionName, ...]] = (
    "thumbnails",
    "outline",
    "bookmarks",
    "two_up",
    "cover_alone",
    "heat_map",
    "mark_region",
)
Keys = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class Spec:
    """key: a plain key that works while the pages have the focus; see `pages/keyboard.py`."""

    text: str
    icon: str = ""
    keys: tuple[QKeySequence.StandardKey | str, ...] = ()
    key: str = ""


def _spec(
    text: object, icon: str = "", *keys: QKeySequence.StandardKey | str, key: str = ""
) -> Spec:
    # the marking function gives back its text, though its stub does not say so
    return Spec(str(text), icon, keys, key)


SPECS: Final[dict[ActionName, Spec]] = {
    "thumbnails": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Page thumbnails"), "panel-left", "F9"),
    "outline": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Contents"), "table-of-contents", "Shift+F9"
    ),
    "bookmarks": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Bookmarks"), "bookmark", "Ctrl+F9"),
    "add_bookmark": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Bookmark this page"),
        "bookmark-plus",
        "Ctrl+D",
        key="B",
    ),
    "back": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Back"), "arrow-left", Keys.Back),
    "forward": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Forward"), "arrow-right", Keys.Forward),
    "previous_page": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Previous page"), "chevron-up", key="Left"
    ),
    "next_page": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Next page"), "chevron-down", key="Right"
    ),
    "zoom_out": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Zoom out"), "zoom-out", Keys.ZoomOut, key="-"
    ),
    "zoom_in": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Zoom in"),
        "zoom-in",
        Keys.ZoomIn,
        "Ctrl+=",
        key="+",
    ),
    "fit_width": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Fit width"), "move-horizontal", "Ctrl+0", key="0"
    ),
    "fit_page": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Fit page"), "maximize", "Ctrl+9", key="9"
    ),
    "actual_size": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Actual size"), "", "Ctrl+8", key="8"),
    "two_up": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Two pages"), "columns-2", "Ctrl+7", key="7"
    ),
    "cover_alone": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Two pages, the first one alone"),
        "book-open",
        "Ctrl+6",
        key="6",
    ),
    "rotate_right": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Rotate clockwise"),
        "rotate-cw",
        "Ctrl+R",
        key="]",
    ),
    "rotate_left": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Rotate anticlockwise"),
        "rotate-ccw",
        "Ctrl+Alt+R",
        key="[",
    ),
    "heat_map": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Heat map of the question"),
        "flame",
        "F6",
        key="H",
    ),
    "find": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Find in this manual"), "search", Keys.Find),
    "find_next": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Next hit"), "chevron-down", Keys.FindNext
    ),
    "find_previous": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Previous hit"), "chevron-up", Keys.FindPrevious
    ),
    "previous_highlight": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Previous highlight"), "chevron-up", "F7", key="P"
    ),
    "next_highlight": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Next highlight"), "chevron-down", "F8", key="N"
    ),
    "clear_highlights": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Remove highlights"), "x"),
    "copy": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Copy"), "copy", Keys.Copy),
    "copy_citation": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Copy with citation"),
        "message-square-text",
        "Ctrl+Shift+C",
    ),
    "select_page": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Select all on page"), "file-text", Keys.SelectAll
    ),
    "page_links": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Links on this page"),
        "link-2",
        "Ctrl+Alt+L",
        key="L",
    ),
    "mark_region": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Explain a region"),
        "square-dashed",
        "Ctrl+E",
        key="E",
    ),
    "copy_region": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Copy region as picture"), "copy"),
    "copy_region_words": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Copy words in region with citation"),
        "message-square-text",
    ),
    "save_region": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Save region as picture…"), "image-down"
    ),
    "drop_region": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Remove region"), "x"),
    "save_page": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Save page as picture…"),
        "image-down",
        "Ctrl+Alt+S",
    ),
    "print": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Print…"), "printer", Keys.Print),
    "add_note": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Add note"), "sticky-note", key="A"),
    "close_document": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Close manual"), "x", Keys.Close),
}
