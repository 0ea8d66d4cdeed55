"""What a person is told when something goes wrong: what happened and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from desktop.core.errors import (
    DiskFull,
    LibraryBusy,
    LibraryDamaged,
    LibraryTooNew,
    NotALibrary,
)
from desktop.models.errors import ModelDamaged, ModelNotInstalled


@dataclass(frozen=True, slots=True)
class Problem:
    """title: what happened. advice: what to do next. retry: whether trying again can help."""

    title: str
    advice: str
    retry: bool
    details: str


def describe_problem(error: BaseException) -> Problem:
    """Turn any exception into what a person sees."""
    title, advice, retry = _explain(error)
    return Problem(title, advice, retry, f"{type(error).__name__}: {error}")


def _explain(error: BaseException) -> tuple[str, str, bool]:
    match error:
        case LibraryBusy():
            return (
                _tr("This library is open in another Groundwork"),
                _tr("Close the other window, or the command that is using it, and try again."),
                True,
            )
        case LibraryTooNew():
            return (
                _tr("This library was written by a newer Groundwork"),
                _tr("Update Groundwork on this computer. The library was not changed."),
                False,
            )
        case LibraryDamaged():
            return (
                _tr("The library file is damaged"),
                _tr(
                    "Your manuals are safe in the folder “originals”. Put a backup of "
                    "library.db in its place, or move library.db away and add the manuals again."
                ),
                True,
            )
        case NotALibrary():
            return (
                _tr("This folder does not hold a Groundwork library"),
                _tr("Choose another folder: library.db in it belongs to another program."),
                False,
            )
        case DiskFull():
            return (
                _tr("The disk is full"),
                _tr("Free some space and try again. Nothing that was ready is lost."),
                True,
            )
        case ModelNotInstalled() | ModelDamaged():
            return (
                _tr("A model file is missing or damaged"),
                _tr("Install Groundwork again; “groundwork doctor” says which file it is."),
                True,
            )
        case PermissionError():
            return (
                _tr("Groundwork may not read or write a file"),
                _tr("Check the permissions of the folder named below and try again."),
                True,
            )
        case _:
            return (
                _tr("Something went wrong"),
                _tr("Try again. If it stays, “groundwork doctor” says what is missing."),
                True,
            )


def _tr(text: str) -> str:
    return QCoreApplication.translate("Problem", text)
