"""Any exception turned into what a person sees: what happened and what to do next."""

from __future__ import annotations

import errno
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from desktop.core import errors
from desktop.core.language.errors import AnswerNotUnderstood
from desktop.models import errors as model_errors
from desktop.models.errors import ModelError
from desktop.models.text_model import MODEL_ID as TEXT_MODEL
from desktop.sentences import full, message, said, template, together
from knowledge import errors as knowledge_errors


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
    title, advice, retry = _told_of(error)
    mendable = isinstance(error, errors.LibraryDamaged | errors.BackupUnusable)
    details = f"{type(error).__name__}: {error}"
    return Problem(_filled(title, error), _filled(advice, error), retry, details, mendable)


def failure_place(error: BaseException) -> str:
    """Return type and place of an exception, without its message (it may quote a manual)."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def _told_of(error: BaseException) -> _Told:
    if isinstance(error, OSError) and error.errno in _BY_NUMBER:
        return _BY_NUMBER[error.errno]
    return next(_TOLD[kind] for kind in type(error).__mro__ if kind in _TOLD)


def _filled(text: str | Callable[[Any], str], error: BaseException) -> str:
    """Return what is said of an error: its own attributes fill the braces, and its message."""
    if callable(text):
        return text(error)
    if text == _ITS_MESSAGE:
        return _reason(error)
    values = {**vars(error), "reason": _reason(error), "where": ""}
    if isinstance(error, OSError) and error.filename:
        values["where"] = f" ({error.filename})"
    return said(text, **{name: values[name] for name in values if f"{{{name}}}" in text})


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, ModelError):
        return full(message(error) or type(error).__name__)
    return message(error)


def _room_needed(error: BaseException) -> str:
    needed_bytes = getattr(error, "needed_bytes", 0)
    if not needed_bytes:
        return said("Free some space and try again. Nothing that was ready is lost.")
    return said(
        "Free at least {size} MB and try again. Nothing that was ready is lost.",
        size=f"{needed_bytes / 2**20:.0f}",
    )


def _how_to_get_it(error: model_errors.ModelNotInstalled) -> str:
    if TEXT_MODEL in str(error):
        return said("Install Groundwork again; 'groundwork doctor' says which file is missing.")
    return said(
        "{reason} Import it on the Models page, from a folder, a zip or a USB stick.",
        reason=_reason(error),
    )


def _how_to_mend_it(error: model_errors.ModelDamaged) -> str:
    again = said("Remove it on the Models page and import it again.")
    if "published file" in str(error):
        again = said("Install Groundwork again; 'groundwork doctor' says which file it is.")
    return together([_reason(error), again])


def _how_to_make_room(error: model_errors.ModelOutOfBudget) -> str:
    return together([each for each in (_reason(error), error.advice) if each])


_Told: TypeAlias = tuple[str, str | Callable[[Any], str], bool]
"""Title, advice, and whether trying again can help; for the braces see `_filled`."""

_ITS_MESSAGE: Final = "{reason}"
_DISK_FULL: Final = said("The disk is full")
_ELSEWHERE: Final = template("There is a file where a folder is needed{where}")
_BY_NUMBER: Final[dict[int | None, _Told]] = {
    errno.ENOSPC: (_DISK_FULL, _room_needed, True),
    errno.EFBIG: (
        template("This disk cannot hold a file that large{where}"),
        said(
            "USB sticks often come formatted as FAT32 (4 GB file limit): reformat yours as exFAT."
        ),
        True,
    ),
}
_TOLD: Final[dict[type[BaseException], _Told]] = {
    BaseException: (
        said("Something went wrong inside Groundwork"),
        said(
            "Try again. If it happens again, report it with the newest file in the library's "
            "folder 'logs'."
        ),
        True,
    ),
    MemoryError: (
        said("There is not enough memory"),
        said("Close other programs and try again."),
        True,
    ),
    AnswerNotUnderstood: (
        said("The language model's answer could not be used"),
        said("Ask again in different words, or choose a larger model on the Models page."),
        True,
    ),
    errors.SigningError: (said("This key or signature is not used"), _ITS_MESSAGE, False),
    # the library
    errors.LibraryError: (said("The library could not do this"), said("Try again."), True),
    errors.LibraryTooNew: (
        said("This library was written by a newer Groundwork"),
        template(
            "The library has version {found}; this program supports {known}. Update Groundwork "
            "on this computer. The library was not changed."
        ),
        False,
    ),
    errors.LibraryBusy: (
        said("This library is open in another Groundwork"),
        said("Close the other window or wait for the other command, then try again."),
        True,
    ),
    errors.LibraryDamaged: (
        said("The library file is damaged"),
        said(
            "Repair the library, or restore a backup ('groundwork library repair', 'groundwork "
            "library restore'). The copies of your manuals are safe in the folder 'originals'."
        ),
        False,
    ),
    errors.NotALibrary: (
        said("This folder does not hold a Groundwork library"),
        said("The file library.db in it belongs to another program. Choose another folder."),
        False,
    ),
    errors.LibraryNotWritable: (
        said("The library folder cannot be written to"),
        said("Check the permissions of the folder, or choose another one with --library."),
        True,
    ),
    errors.DiskFull: (_DISK_FULL, _room_needed, True),
    errors.DiskLost: (
        said("The disk with the library is not responding"),
        said("Reconnect the disk and try again. What was reported as done is saved."),
        True,
    ),
    errors.BackupUnusable: (
        said("This backup cannot be used"),
        said(
            "Choose another one: 'groundwork library restore' lists them. The library was not "
            "changed."
        ),
        False,
    ),
    errors.CarrierRefused: (
        said("This file was not added"),
        template("{reason} Nothing was written."),
        False,
    ),
    errors.ManualPackRefused: (
        said("This pack of manuals is not used"),
        template("{reason} Your library is unchanged."),
        False,
    ),
    errors.BelongsToPack: (
        template("“{title}” belongs to the pack {pack}"),
        said(
            "A pack's manuals come and go together: detach the pack (File > Packs of Manuals, or "
            "'groundwork pack detach')."
        ),
        False,
    ),
    errors.QuestionsRefused: (
        said("These questions were not asked"),
        template("{reason} Nothing was written."),
        False,
    ),
    errors.FolderRefused: (
        said("This folder cannot be watched"),
        template("{reason} Choose another folder."),
        False,
    ),
    errors.DocumentNotFound: (
        said("This manual is no longer in the library"),
        said("Add its PDF file again if you need it."),
        False,
    ),
    errors.ConversationNotFound: (
        said("This conversation is no longer in the library"),
        said("Choose another one, or begin a new one."),
        False,
    ),
    # a file
    errors.DocumentError: (said("This PDF could not be read"), said("Try again."), True),
    errors.NotAPdf: (
        said("This file is not a PDF"),
        said("Groundwork reads PDF files only."),
        False,
    ),
    errors.NotAPicture: (
        said("This is not a readable picture"),
        said("Save it as JPEG or PNG and try again; a photo from a phone may be HEIC."),
        False,
    ),
    errors.PhotoTooHeavy: (
        said("Reading the picture was stopped: it took too much time or memory"),
        said("Try again, or photograph only the plate, so that it fills the picture."),
        True,
    ),
    errors.PdfNeedsPassword: (said("This PDF is protected"), said("Enter its password."), True),
    errors.UnreadablePdf: (
        said("This PDF is damaged or has no pages"),
        said("Ask whoever made it for a new copy, or print it to a new PDF and add that."),
        False,
    ),
    errors.ParserLimit: (
        said("Reading this PDF was stopped: it took too much time or memory"),
        said("Try again, or raise the limits in the settings under 'Reading PDFs'."),
        True,
    ),
    # the system
    OSError: (
        template("The system refused: {reason}{where}"),
        said("Check that the disk is connected and try again."),
        True,
    ),
    FileNotFoundError: (
        template("A file or folder does not exist{where}"),
        said("Check the path."),
        False,
    ),
    PermissionError: (
        template("No permission to read or write here{where}"),
        said("Check the permissions of the file and its folder, then try again."),
        True,
    ),
    NotADirectoryError: (_ELSEWHERE, said("Choose another."), False),
    FileExistsError: (_ELSEWHERE, said("Choose another."), False),
    IsADirectoryError: (
        template("There is a folder where a file is needed{where}"),
        said("Choose another."),
        False,
    ),
    TimeoutError: (said("This took too long"), said("Try again."), True),
    # models
    ModelError: (said("A model failed"), said("Try again."), True),
    model_errors.ModelNotInstalled: (said("A model is not installed"), _how_to_get_it, False),
    model_errors.ModelDamaged: (said("A model is damaged"), _how_to_mend_it, False),
    model_errors.ModelNotSupported: (
        said("This model cannot run here"),
        template("{reason} Choose another model on the Models page."),
        False,
    ),
    model_errors.ModelOutOfBudget: (
        said("There is not enough memory for this model"),
        _how_to_make_room,
        True,
    ),
    model_errors.ModelRevoked: (
        said("Memory was needed for your question"),
        said("The work continues after your question."),
        True,
    ),
    model_errors.ModelStopped: (
        said("Groundwork is closing"),
        said("Open it again to continue."),
        False,
    ),
    model_errors.PromptTooLong: (
        said("This is too long for the model"),
        template(
            "{reason} Ask a shorter question, choose fewer manuals, or start a new conversation."
        ),
        False,
    ),
    model_errors.SchemaNotSupported: (
        said("A model got a request in a form it cannot answer"),
        said("Report it with the newest file in the library's 'logs' folder."),
        False,
    ),
    model_errors.DownloadFailed: (said("The download stopped"), _ITS_MESSAGE, True),
    model_errors.PackRefused: (said("The model pack was refused"), _ITS_MESSAGE, False),
    # notes; no sentence repeats a secret
    knowledge_errors.KnowledgeError: (
        said("The notes cannot be opened or written"),
        said(
            "Check the disk and the permissions of knowledge.db in the library's folder. If it is "
            "damaged, move it aside and import an export of the notes."
        ),
        True,
    ),
    knowledge_errors.KnowledgeRefused: (
        said("Not saved"),
        template("{reason} Change it and try again."),
        False,
    ),
    **dict.fromkeys(
        (knowledge_errors.KnowledgeFileError, knowledge_errors.DomainFileError),
        (said("This file cannot be used"), template("{reason} None of it was kept."), False),
    ),
    knowledge_errors.StructuringFailed: (
        said("The language model did not structure the text"),
        said("Structure it by rules instead, or choose a larger model on the Models page."),
        True,
    ),
    knowledge_errors.TemplateFault: (
        said("A template for notes cannot be used"),
        _ITS_MESSAGE,
        False,
    ),
    knowledge_errors.KnowledgeTooNew: (
        said("The notes were written by a newer Groundwork"),
        said("Update Groundwork on this computer. The notes were not changed."),
        False,
    ),
}
