"""What is said when work on a model has ended, or cannot begin: what happened, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.models.errors import DownloadFailed, PackRefused
from desktop.models.packs.pack_events import PackDone, PackVerified, PackWritten
from desktop.ui.language import told
from desktop.ui.models import words
from desktop.ui.problems import explain

if TYPE_CHECKING:
    from desktop.models.overview import ModelStatus
    from desktop.ui.models.tasks import Outcome

MOST_FILES = 3
"""Damaged files that are named; more would fill the window."""


def _tr(text: str) -> str:
    return QCoreApplication.translate("Models", text)


def unloaded_later(model: ModelStatus) -> str:
    """Return what becomes of unloading a model that is working."""
    return _tr(
        "“{title}” is working right now. It is unloaded as soon as that is done; stop the "
        "question if you need the memory at once."
    ).format(title=model.title)


def in_use(model: ModelStatus) -> str:
    """Return why a model cannot be removed."""
    return _tr(
        "“{title}” is working right now. Stop the question, or wait until it is answered, then "
        "remove it."
    ).format(title=model.title)


def busy(model: ModelStatus, work: str) -> str:
    """Return why a model with a task cannot be removed."""
    return _tr("“{title}” cannot be removed now ({work}). Cancel that first, or wait.").format(
        title=model.title, work=work
    )


def removed(model: ModelStatus) -> str:
    return _tr("“{title}” was removed; {size} are free again.").format(
        title=model.title, size=words.size(model.size_bytes)
    )


def not_importable(name: str) -> str:
    return _tr(
        "“{name}” is not a model. Drop a model's folder, or a zip file with a model in it."
    ).format(name=name)


def nowhere_to_be_had(model: ModelStatus) -> str:
    return _tr(
        "Groundwork does not know where to download “{title}”. Import it from a folder."
    ).format(title=model.title)


def ended(outcome: Outcome) -> tuple[str, str]:
    """Return text and tone of how a task ended."""
    name = outcome.task.name
    if outcome.cancelled:
        return _stopped(outcome).format(name=name), ""
    if outcome.failure is not None:
        return f"{_failed(outcome).format(name=name)} {why(outcome.failure)}", "bad"
    match outcome.end:
        case PackDone(model, left_out):
            text = _tr("“{name}” is installed as {id}.").format(name=name, id=model.id)
            if left_out:
                text += " " + _tr("{n} of its files are not needed and were left out.").format(
                    n=len(left_out)
                )
            return text, ""
        case PackVerified(_, ()):
            return _tr("All files of “{name}” are intact.").format(name=name), ""
        case PackVerified(_, damage):
            more = len(damage) - MOST_FILES
            text = _tr("“{name}” is damaged: {damage} Remove it and import it again.").format(
                name=name, damage=" ".join(damage[:MOST_FILES])
            )
            return text + (" " + _tr("({n} more files)").format(n=more) if more > 0 else ""), "bad"
        case PackWritten(target):
            return _tr(
                "“{name}” was copied to {target}. On the other computer, drop that folder on the "
                "Models page."
            ).format(name=name, target=target), ""
        case None:
            return _tr("“{name}”: there was nothing to do.").format(name=name), ""


def why(failure: BaseException) -> str:
    """Return what went wrong and what to do next."""
    if isinstance(failure, (PackRefused, DownloadFailed)):
        return told(str(failure))  # sentences for a person already
    problem = explain(failure)
    return f"{problem.title}. {problem.advice}"


def _stopped(outcome: Outcome) -> str:
    return {
        "import": _tr("Importing “{name}” was stopped; nothing of it was kept."),
        "verify": _tr("Verifying “{name}” was stopped; the files were not changed."),
        "copy": _tr("Copying “{name}” was stopped; nothing of it was kept."),
        "download": _tr(
            "Downloading “{name}” was stopped; the next download goes on where it was."
        ),
    }[outcome.task.kind]


def _failed(outcome: Outcome) -> str:
    return {
        "import": _tr("“{name}” was not imported."),
        "verify": _tr("“{name}” could not be verified."),
        "copy": _tr("“{name}” was not copied."),
        "download": _tr("“{name}” was not downloaded."),
    }[outcome.task.kind]
