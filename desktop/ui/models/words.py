"""How models, their states and sizes, and what became of work on them are said to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.core.agent.model_share import seconds_to_write
from desktop.models.errors import DownloadFailed, PackRefused
from desktop.models.packs.pack_events import PackDone, PackVerified, PackWritten
from desktop.ui import wording
from desktop.ui.language import told
from desktop.ui.problems import explain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.models.overview import MemoryStatus, ModelStatus, ProfileStatus
    from desktop.models.roles import Role
    from desktop.models.speed import Speed
    from desktop.ui.models.tasks import Outcome

GB = 10**9
GIB = 2**30
LONGEST_NAME = 48
NEARLY_FULL = 0.85
"""From this share of the budget on, the meter asks for attention."""

ROLE_ICONS: dict[Role, str] = {
    "language": "pen-line",
    "vision": "eye",
    "pages": "scan-search",
    "text": "text-search",
    "speech": "mic",
}


def _tr(text: str) -> str:
    return QCoreApplication.translate("Models", text)


def role(name: Role) -> str:
    """Return what a model of this role does."""
    says: dict[Role, str] = {
        "language": _tr("Answers and decides"),
        "vision": _tr("Reads pictures of pages"),
        "pages": _tr("Finds pages by how they look"),
        "text": _tr("Finds passages by meaning"),
        "speech": _tr("Understands spoken questions"),
    }
    return says[name]


def profile_mark(profile: ProfileStatus) -> str:
    """Return what is said beside a profile's name, "" of most."""
    if profile.recommended:
        return _tr("Recommended now")
    return _tr("The largest that fits this computer") if profile.largest else ""


def size(count: int) -> str:
    """Return "91 MB", "5.2 GB", "65 GB", of 10^9 bytes, as files and models are published."""
    if count < GB:
        return _tr("{n} MB").format(n=wording.number(count / 10**6))
    return _tr("{n} GB").format(n=gigabytes(count))


def gigabytes(count: int) -> str:
    """Return "0.6", "12", "5.2": a decimal only where it says something."""
    amount = count / GB
    return wording.number(amount, 1 if amount < 20 and f"{amount:.1f}"[-1] != "0" else 0)


def machine(count: int) -> str:
    """Return memory as computers are sold: a Mac "with 16 GB" has 16 * 2^30 bytes."""
    if count < GIB:
        return _tr("{n} MB").format(n=wording.number(count / 2**20))
    amount = count / GIB
    decimals = 1 if amount < 10 and f"{amount:.1f}"[-1] != "0" else 0
    return _tr("{n} GB").format(n=wording.number(amount, decimals))


def state(model: ModelStatus) -> str:
    """Return what a model is doing."""
    match model.state:
        case "available":
            return _tr("Not installed")
        case "damaged":
            return _tr("Cannot be used")
        case "loading":
            share = model.progress
            return _tr("Loading") if share is None else _tr("Loading, {n}").format(n=percent(share))
        case "loaded":
            return _tr("In use now") if model.in_use else _tr("Loaded")
        case "installed":
            return _tr("In use now") if model.in_use else _tr("Installed")


def state_tone(model: ModelStatus) -> str:
    """Return the tone of `state`'s words."""
    if model.state == "damaged":
        return "bad"
    return "good" if model.state == "loaded" else "muted"


def facts(model: ModelStatus) -> str:
    """Return size, memory, licence and whether it fits, in one line."""
    parts = []
    if model.size_bytes:
        parts.append(_tr("{size} on disk").format(size=size(model.size_bytes)))
    if model.memory_bytes:
        parts.append(_tr("{size} of memory while running").format(size=size(model.memory_bytes)))
    parts.append(model.licence or _tr("licence unknown"))
    if model.fits and model.state != "damaged":
        parts.append(_tr("fits this computer"))
    if model.speed is not None:
        parts.append(speed(model.speed))
    return ", ".join(parts)


def speed(measured: Speed) -> str:
    """Return how fast a language model was here, and how long an answer takes with it."""
    from desktop.core.settings.sections import AgentSettings  # beside the window's start

    says = _tr("reads {read} and writes {written} tokens a second here").format(
        read=wording.number(measured.reading, 0) if measured.reading else "?",
        written=wording.number(measured.writing, 1) if measured.writing else "?",
    )
    seconds = seconds_to_write(measured, AgentSettings().passage_tokens)
    if seconds is None:
        return says
    takes = _tr("an answer takes about {n} s").format(n=wording.number(seconds, 0))
    return f"{says}, {takes}"


def too_large(model: ModelStatus, memory: MemoryStatus) -> str:
    """Return why a model does not fit, "" if it does."""
    if model.fits:
        return ""
    return _tr("Too large for this computer: it needs {needed}, models may use {budget}.").format(
        needed=size(model.memory_bytes), budget=size(memory.budget_bytes)
    )


def shortened(name: str) -> str:
    """Return a file's name, long ones without their middle."""
    if len(name) <= LONGEST_NAME:
        return name
    half = (LONGEST_NAME - 1) // 2
    return f"{name[:half]}…{name[-half:]}"


def percent(share: float) -> str:
    """Return "43%"; 100% only when it is done."""
    return _tr("{n}%").format(n=min(99, int(share * 100)) if share < 1 else 100)


def memory_line(memory: MemoryStatus) -> str:
    """Return "Memory 0.6 of 12 GB"."""
    return _tr("Memory {used} of {budget} GB").format(
        used=gigabytes(memory.used_bytes), budget=gigabytes(memory.budget_bytes)
    )


def memory_share(memory: MemoryStatus) -> float:
    """Return the used share of the budget, 0 to 1."""
    if memory.budget_bytes <= 0:
        return 1.0 if memory.used_bytes else 0.0
    return min(1.0, memory.used_bytes / memory.budget_bytes)


def nearly_full(memory: MemoryStatus) -> bool:
    """Whether the next model may have to push another one out."""
    return memory_share(memory) > NEARLY_FULL


def whole_machine(memory: MemoryStatus) -> str:
    """Return what the program and the computer use in all."""
    return _tr(
        "Groundwork uses {process} in all; {free} of this computer's {machine} are free."
    ).format(
        process=machine(memory.process_bytes),
        free=machine(memory.machine_free_bytes),
        machine=machine(memory.machine_bytes),
    )


def loaded_models(models: Iterable[ModelStatus], memory: MemoryStatus) -> str:
    """Return what holds the memory, a line each."""
    lines = [
        _tr("{title}: {size}{state}").format(
            title=each.title,
            size=size(each.memory_bytes),
            state=_tr(", in use now") if each.in_use else "",
        )
        for each in models
        if each.state == "loaded"
    ]
    if not lines:
        return _tr("No model is loaded.")
    if memory.cache_bytes:
        lines.append(
            _tr("Cached from earlier questions: {size}").format(size=size(memory.cache_bytes))
        )
    return "\n".join(lines)


MOST_FILES = 3
"""Damaged files that are named; more would fill the window."""


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
        title=model.title, size=size(model.size_bytes)
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
