"""The actions that concern the pages alone: turning and zooming."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.ui.viewer.action_table import CONTEXT, SPECS
from desktop.ui.viewer.pages import zoom
from desktop.ui.viewer.pages.zoom import Fit

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction

    from desktop.ui.viewer.actions import ActionName
    from desktop.ui.viewer.pages.page_view import PageView


def page_commands(view: PageView) -> dict[ActionName, Callable[[], None]]:
    """Return what each of these actions does to the view."""
    return {
        "previous_page": lambda: view.turn_row(-1),
        "next_page": lambda: view.turn_row(1),
        "zoom_out": lambda: view.set_zoom(zoom.smaller(view.zoom)),
        "zoom_in": lambda: view.set_zoom(zoom.larger(view.zoom)),
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
    text = (
        QCoreApplication.translate(CONTEXT, "Remove bookmark")
        if bookmarked
        else QCoreApplication.translate(CONTEXT, SPECS["add_bookmark"].text)
    )
    if text != action.text():
        keys = action.toolTip().removeprefix(action.text())
        action.setText(text)
        action.setToolTip(text + keys)
