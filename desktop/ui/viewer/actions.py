"""Everything one can do in the viewer: its text, icon and keys, and when it can be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QT_TRANSLATE_NOOP, Qt
from PySide6.QtGui import QAction, QKeySequence

from desktop.ui.icons import icon
from desktop.ui.language import tr
from desktop.ui.viewer.page_layout import Fit, larger, smaller

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop.ui.viewer.page_view import PageView


ActionName = Literal[
    "thumbnails",
    "outline",
    "bookmarks",
    "annotations",
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
    "highlight",
    "comment",
    "save_highlighted",
    "close_document",
]
CHECKABLE: Final[tuple[ActionName, ...]] = (
    "thumbnails",
    "outline",
    "bookmarks",
    "annotations",
    "two_up",
    "cover_alone",
    "heat_map",
    "mark_region",
)
Keys = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class Spec:
    """key: a plain key that works while the pages have the focus; see `page_input.py`."""

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
    "annotations": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Highlights and comments"),
        "highlighter",
        "Ctrl+Shift+F9",
    ),
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
    "clear_highlights": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Hide what the answer marked"), "x"
    ),
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
    "highlight": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Highlight"), "highlighter", "Ctrl+Alt+H", key="M"
    ),
    "comment": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Highlight and comment"),
        "message-square-plus",
        "Ctrl+Alt+M",
        key="C",
    ),
    "save_highlighted": _spec(
        QT_TRANSLATE_NOOP("ViewerActions", "Save copy with highlights…"), "file-down"
    ),
    "close_document": _spec(QT_TRANSLATE_NOOP("ViewerActions", "Close manual"), "x", Keys.Close),
}


__all__ = ["ActionName", "make_actions"]


def make_actions(owner: QWidget) -> dict[ActionName, QAction]:
    """Return all actions, added to `owner`: their keys work while it has the focus."""
    actions: dict[ActionName, QAction] = {}
    for name, spec in SPECS.items():
        text = tr(spec.text)
        action = QAction(text, owner)
        if spec.icon:
            action.setIcon(icon(spec.icon))
        sequences = [sequence for keys in spec.keys for sequence in _sequences(keys)]
        action.setShortcuts(sequences)
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setToolTip(_tool_tip(text, spec, sequences))
        # for the sheet of keys, which would not know of it otherwise
        action.setData(_native(spec.key))
        action.setCheckable(name in CHECKABLE)
        owner.addAction(action)
        actions[name] = action
    return actions


def _sequences(keys: QKeySequence.StandardKey | str) -> list[QKeySequence]:
    if isinstance(keys, str):
        return [QKeySequence(keys)]
    return QKeySequence.keyBindings(keys)


def _tool_tip(text: str, spec: Spec, sequences: list[QKeySequence]) -> str:
    shown = [
        sequence.toString(QKeySequence.SequenceFormat.NativeText) for sequence in sequences[:1]
    ]
    if spec.key:
        shown.append(_native(spec.key))
    if not shown:
        return text
    keys = tr(" or ").join(shown)
    return f"{text} ({keys})"


def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) if key else ""


def page_commands(view: PageView) -> dict[ActionName, Callable[[], None]]:
    """Return what each of these actions does to the view."""
    return {
        "previous_page": lambda: view.turn_row(-1),
        "next_page": lambda: view.turn_row(1),
        "zoom_out": lambda: view.set_zoom(smaller(view.zoom)),
        "zoom_in": lambda: view.set_zoom(larger(view.zoom)),
        "fit_width": lambda: view.set_fit(Fit.WIDTH),
        "fit_page": lambda: view.set_fit(Fit.PAGE),
        "actual_size": lambda: view.set_zoom(1.0),
        "two_up": lambda: view.set_across(2 if view.across == 1 or view.cover_alone else 1),
        "cover_alone": lambda: view.set_across(
            1 if view.cover_alone else 2, cover_alone=not view.cover_alone
        ),
        "rotate_right": lambda: view.rotate(1),
        "rotate_left": lambda: view.rotate(-1),
    }


def connect_commands(
    actions: dict[ActionName, QAction], commands: dict[ActionName, Callable[[], None]]
) -> None:
    """Let every action call its command."""
    for name, command in commands.items():
        # a C++ signal would hand its "checked" to the command
        actions[name].triggered.connect(lambda _=False, call=command: call())


def enable_actions(
    actions: dict[ActionName, QAction],
    view: PageView,
    *,
    can_go_back: bool,
    can_go_forward: bool,
    bookmarked: bool,
) -> None:
    """Grey out what cannot be done now."""
    document, overlays = view.document, view.overlays
    shown = document is not None and bool(document.pages)
    last = len(document.pages) - 1 if document is not None else -1
    selected, marked, hit = (
        overlays.selection is not None,
        len(overlays.highlights) > 0,
        len(overlays.hits) > 0,
    )
    conditions: dict[ActionName, bool] = {
        "back": can_go_back,
        "forward": can_go_forward,
        "previous_page": shown and view.page > 0,
        "next_page": shown and view.page < last,
        "previous_highlight": marked,
        "next_highlight": marked,
        "clear_highlights": marked,
        "copy": selected,
        "copy_citation": selected,
        "find_next": hit,
        "find_previous": hit,
        "close_document": document is not None,
        "copy_region": overlays.region is not None,
        "copy_region_words": overlays.region is not None,
        "save_region": overlays.region is not None,
        "drop_region": overlays.region is not None,
        "save_highlighted": bool(overlays.annotations),
    }
    say_what_bookmarking_does(actions["add_bookmark"], bookmarked)
    check_layout(actions, view)
    for name, action in actions.items():
        action.setEnabled(conditions.get(name, shown))


def check_layout(actions: dict[ActionName, QAction], view: PageView) -> None:
    """Check which way the pages lie."""
    actions["two_up"].setChecked(view.across == 2 and not view.cover_alone)
    actions["cover_alone"].setChecked(view.cover_alone)


def say_what_bookmarking_does(action: QAction, bookmarked: bool) -> None:
    """The same key marks a page and takes its mark away."""
    text = tr("Remove bookmark") if bookmarked else tr(SPECS["add_bookmark"].text)
    if text != action.text():
        keys = action.toolTip().removeprefix(action.text())
        action.setText(text)
        action.setToolTip(text + keys)
