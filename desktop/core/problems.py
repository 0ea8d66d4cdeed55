"""Any exception turned into what a person sees: what happened and what to do next."""

from __future__ import annotations

import errno
import traceback
from dataclasses import dataclass

from desktop.core import errors
from desktop.core.language.errors import AnswerNotUnderstood
from desktop.models import errors as model_errors
from desktop.models.errors import ModelError
from desktop.models.text_model import MODEL_ID as TEXT_MODEL
from desktop.sentences import Sentence, full, message, said, together
from knowledge import errors as knowledge_errors
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
        case errors.SigningError():
            return (said("This key or signature is not used"), message(error), False)
        case ModelError():
            return model_problem(error)
        case KnowledgeError():
            return knowledge_problem(error)
        case AnswerNotUnderstood():
            return (
                said("The language model's answer could not be used"),
                said("Ask again in different words, or choose a larger model on the Models page."),
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
        case _:
            return (
                said("Something went wrong inside Groundwork"),
                said(
                    "Try again. If it happens again, report it with the newest file in the "
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
                    "It is version {found}; this program supports {known}. Update Groundwork on "
                    "this computer. The library was not changed.",
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
                said("The library folder cannot be written to"),
                said("Check the permissions of the folder, or choose another one with --library."),
                True,
            )
        case errors.DiskFull():
            return (said("The disk is full"), _room_needed(error.needed_bytes), True)
        case errors.DiskLost():
            return (
                said("The disk with the library is not responding"),
                said("Reconnect it and try again. What was reported as done is saved."),
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
                said("This file was not added"),
                said("{reason} Nothing was written.", reason=error),
                False,
            )
        case errors.ManualPackRefused():
            return (
                said("This pack of manuals is not used"),
                said("{reason} Your library is unchanged.", reason=error),
                False,
            )
        case errors.BelongsToPack():
            return (
                said("“{title}” belongs to the pack {pack}", title=error.title, pack=error.pack),
                said(
                    "A pack's manuals come and go together: detach the pack (File > Packs of "
                    "Manuals, or 'groundwork pack detach')."
                ),
                False,
            )
        case errors.QuestionsRefused():
            return (
                said("These questions were not asked"),
                said("{reason} Nothing was written.", reason=error),
                False,
            )
        case errors.FolderRefused():
            return (
                said("This folder cannot be watched"),
                said("{reason} Choose another folder.", reason=error),
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
        case errors.NotAPicture():
            return (
                said("This is not a readable picture"),
                said("Save it as JPEG or PNG and try again; a photo from a phone may be HEIC."),
                False,
            )
        case errors.PhotoTooHeavy():
            return (
                said("Reading the picture was stopped: it took too much time or memory"),
                said("Try again, or photograph only the plate, so that it fills the picture."),
                True,
            )
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
            said("This disk cannot hold a file that large{where}", where=where),
            said(
                "USB sticks often come formatted as FAT32 (4 GB file limit): reformat yours as "
                "exFAT."
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
                said("No permission to read or write here{where}", where=where),
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


def model_problem(error: model_errors.ModelError) -> tuple[str, str, bool]:
    """Return the title, the advice in sentences, and whether to offer "Retry"."""
    match error:
        case model_errors.ModelNotInstalled():
            return (said("A model is not installed"), _how_to_get_it(error), False)
        case model_errors.ModelDamaged():
            return (
                said("A model is damaged"),
                _joined(_sentence(error), _again(error)),
                False,
            )
        case model_errors.ModelNotSupported():
            advice = said(
                "{reason} Choose another model on the Models page.", reason=_sentence(error)
            )
            return (said("This model cannot run here"), advice, False)
        case model_errors.ModelOutOfBudget():
            advice = _joined(_sentence(error), error.advice)
            return (said("There is not enough memory for this model"), advice, True)
        case model_errors.ModelRevoked():
            return (
                said("A question needed the memory"),
                said("It goes on when the question is done."),
                True,
            )
        case model_errors.ModelStopped():
            return (said("Groundwork is closing"), said("Open it again to continue."), False)
        case model_errors.PromptTooLong():
            advice = said(
                "{reason} Ask a shorter question, choose fewer manuals, or start a "
                "new conversation.",
                reason=_sentence(error),
            )
            return (said("This is too long for the model"), advice, False)
        case model_errors.SchemaNotSupported():
            advice = said("Report it with the newest file in the library's 'logs' folder.")
            return (said("A model got a request in a form it cannot answer"), advice, False)
        case model_errors.DownloadFailed():
            return (said("The download stopped"), _sentence(error), True)
        case model_errors.PackRefused():
            return (said("The model pack was refused"), _sentence(error), False)
        case _:
            return (said("A model failed"), said("Try again."), True)


def _how_to_get_it(error: model_errors.ModelNotInstalled) -> str:
    if TEXT_MODEL in str(error):
        return said("Install Groundwork again; 'groundwork doctor' says which file is missing.")
    return said(
        "{reason} Import it on the Models page, from a folder, a zip or a USB stick.",
        reason=_sentence(error),
    )


def _again(error: model_errors.ModelDamaged) -> str:
    if "published file" in str(error):
        return said("Install Groundwork again; 'groundwork doctor' says which file it is.")
    return said("Remove it on the Models page and import it again.")


def _joined(reason: str, advice: str) -> Sentence:
    return together([each for each in (reason, advice) if each])


def _sentence(error: model_errors.ModelError) -> str:
    return full(message(error) or type(error).__name__)


def knowledge_problem(error: knowledge_errors.KnowledgeError) -> tuple[str, str, bool]:
    """Return title, advice and whether trying again can help; no sentence repeats a secret."""
    match error:
        case knowledge_errors.KnowledgeRefused():
            return (
                said("This is not kept"),
                said("{reason} Change it and try again.", reason=error),
                False,
            )
        case knowledge_errors.KnowledgeFileError() | knowledge_errors.DomainFileError():
            return (
                said("This file cannot be used"),
                said("{reason} None of it was kept.", reason=error),
                False,
            )
        case knowledge_errors.StructuringFailed():
            return (
                said("The language model did not structure the text"),
                said("Structure it by rules instead, or choose a larger model on the Models page."),
                True,
            )
        case knowledge_errors.TemplateFault():
            return (said("A template for notes cannot be used"), message(error), False)
        case knowledge_errors.KnowledgeTooNew():
            return (
                said("The notes were written by a newer Groundwork"),
                said("Update Groundwork on this computer. The notes were not changed."),
                False,
            )
        case _:
            return (
                said("The notes cannot be opened or written"),
                said(
                    "Check the disk and the permissions of knowledge.db in the library's folder. "
                    "If it is damaged, move it aside and import an export of the notes."
                ),
                True,
            )
