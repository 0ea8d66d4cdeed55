"""Any exception turned into what a person sees: what happened and what to do next."""

from __future__ import annotations

import errno
import traceback
from dataclasses import dataclass

from desktop.core import errors
from desktop.core.knowledge_problems import knowledge_problem
from desktop.core.language.errors import AnswerCutOff, AnswerNotUnderstood
from desktop.core.model_problems import model_problem
from desktop.core.sentences import said
from desktop.models.errors import ModelError
from knowledge.errors import KnowledgeError


@dataclass(frozen=True, slots=True)
class Problem:
    """title: what happened, without a full stop. advice: what to do next, in sentences.

    retry: trying the same again can help. details: type and message, for a report.
    mendable: the library can be repaired, or a backup restored.
    """

    title: str
    advice: str
    retry: bool
    details: str
    mendable: bool = False


def explain(error: BaseException) -> Problem:
    """Return the title, the advice and whether to offer "Retry" for any exception."""
    title, advice, retry = _explained(error)
    mendable = isinstance(error, errors.LibraryDamaged | errors.BackupUnusable)
    return Problem(title, advice, retry, f"{type(error).__name__}: {error}", mendable)


def failure_place(error: BaseException) -> str:
    """Return type and place of an exception, without its message (it may quote a manual)."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def _explained(error: BaseException) -> tuple[str, str, bool]:
    match error:
        case errors.DocumentError():
            return _document_problem(error)
        case errors.LibraryError():
            return _library_problem(error)
        case ModelError():
            return model_problem(error)
        case KnowledgeError():
            return knowledge_problem(error)
        case AnswerNotUnderstood() | AnswerCutOff():
            return (
                said("The language model's answer could not be used"),
                said("Ask again in other words, or choose a larger model on the Models page."),
                True,
            )
        case OSError():
            return _system_problem(error)
        case MemoryError():
            return (
                said("There is not enough memory"),
                said("Close other programs and try again."),
                True,
            )
        case TimeoutError():
            return (said("It took too long"), said("Try again."), True)
        case _:
            return (
                said("Something went wrong inside Groundwork"),
                said(
                    "Try again. If it happens again, please report it with the newest file of the "
                    "library's folder 'logs'."
                ),
                True,
            )


def _library_problem(error: errors.LibraryError) -> tuple[str, str, bool]:
    match error:
        case errors.LibraryTooNew():
            return (
                said("This library was written by a newer Groundwork"),
                said(
                    "It has version {found}, this program knows {known}. Update "
                    "Groundwork on this computer. The library was not changed.",
                    found=error.found,
                    known=error.known,
                ),
                False,
            )
        case errors.LibraryBusy():
            return (
                said("This library is open in another Groundwork"),
                said("Close the other window or wait for the other command, then try again."),
                True,
            )
        case errors.LibraryDamaged():
            return (
                said("The library file is damaged"),
                said(
                    "It can be repaired, or a backup restored ('groundwork library repair', "
                    "'groundwork library restore'). The copies of your manuals are safe in the "
                    "folder 'originals'."
                ),
                False,
            )
        case errors.NotALibrary():
            return (
                said("This folder does not hold a Groundwork library"),
                said("Its library.db belongs to another program. Choose another folder."),
                False,
            )
        case errors.LibraryNotWritable():
            return (
                said("The library folder cannot be written"),
                said("Check the permissions of the folder, or choose another one with --library."),
                True,
            )
        case errors.DiskFull():
            return (said("The disk is full"), _room_needed(error.needed_bytes), True)
        case errors.DiskLost():
            return (
                said("The disk with the library does not answer"),
                said("Connect it again and try again. What was reported as done is stored."),
                True,
            )
        case errors.BackupUnusable():
            return (
                said("This backup cannot be used"),
                said(
                    "Choose another one: 'groundwork library restore' lists them. The library was "
                    "not changed."
                ),
                False,
            )
        case errors.CarrierRefused():
            return (
                said("This file is not taken in"),
                said("{reason} Nothing was written.", reason=error),
                False,
            )
        case errors.DocumentNotFound():
            return (
                said("This manual is no longer in the library"),
                said("Add its PDF file again if you need it."),
                False,
            )
        case errors.ConversationNotFound():
            return (
                said("This conversation is no longer in the library"),
                said("Choose another one, or begin a new one."),
                False,
            )
        case _:
            return (said("The library could not do this"), said("Try again."), True)


def _document_problem(error: errors.DocumentError) -> tuple[str, str, bool]:
    match error:
        case errors.NotAPdf():
            return (said("This file is not a PDF"), said("Groundwork reads PDF files only."), False)
        case errors.PdfNeedsPassword():
            return (said("This PDF is protected"), said("Enter its password."), True)
        case errors.UnreadablePdf():
            return (
                said("This PDF is damaged or has no pages"),
                said("Ask whoever made it for a new copy, or print it to a new PDF and add that."),
                False,
            )
        case errors.ParserLimit():
            return (
                said("Reading this PDF was stopped: it took too much time or memory"),
                said("Try again, or raise the limits in the settings under 'Reading PDFs'."),
                True,
            )
        case _:
            return (said("This PDF could not be read"), said("Try again."), True)


def _system_problem(error: OSError) -> tuple[str, str, bool]:
    where = f" ({error.filename})" if error.filename else ""
    if error.errno == errno.ENOSPC:
        return (said("The disk is full"), _room_needed(0), True)
    if error.errno == errno.EFBIG:
        return (
            said("This disk holds no file of that size{where}", where=where),
            said(
                "USB sticks often come formatted as FAT32, which ends at 4 GB: format it as exFAT."
            ),
            True,
        )
    match error:
        case FileNotFoundError():
            return (
                said("A file or folder does not exist{where}", where=where),
                said("Check the path."),
                False,
            )
        case PermissionError():
            return (
                said("Groundwork may not read or write here{where}", where=where),
                said("Check the permissions of the file and its folder, then try again."),
                True,
            )
        case NotADirectoryError() | FileExistsError():
            return (
                said("There is a file where a folder is needed{where}", where=where),
                said("Choose another."),
                False,
            )
        case IsADirectoryError():
            return (
                said("There is a folder where a file is needed{where}", where=where),
                said("Choose another."),
                False,
            )
        case TimeoutError():
            return (said("It took too long"), said("Try again."), True)
        case _:
            return (
                said(
                    "The system refused: {reason}{where}",
                    reason=error.strerror or error,
                    where=where,
                ),
                said("Check that the disk is connected and try again."),
                True,
            )


def _room_needed(needed_bytes: int) -> str:
    if not needed_bytes:
        return said("Free some space and try again. Nothing that was ready is lost.")
    return said(
        "Free at least {size} MB and try again. Nothing that was ready is lost.",
        size=f"{needed_bytes / 2**20:.0f}",
    )
