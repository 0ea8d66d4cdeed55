"""How models, their states and sizes, and the results of work on them are put to people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from desktop.core.agent.model_share import seconds_to_write
from desktop.models.errors import DownloadFailed, PackRefused
from desktop.models.packs.pack_events import PackDone, PackVerified, PackWritten
from desktop.sentences import message
from desktop.ui import wording
from desktop.ui.design.notices import in_sentences
from desktop.ui.language import told, tr
from desktop.ui.wording import percent

if TYPE_CHECKING:
    from desktop.models.overview import MemoryStatus, ModelStatus
    from desktop.models.roles import Role
    from desktop.models.speed import Speed
    from desktop.ui.models.tasks import Task

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


def role(name: Role) -> str:
    """Return what a model of this role does."""
    says: dict[Role, str] = {
        "language": tr("Answers and decides"),
        "vision": tr("Reads pictures of pages"),
        "pages": tr("Finds pages by how they look"),
        "text": tr("Rereads the best passages"),
        "speech": tr("Understands spoken questions"),
    }
    return says[name]


def size(count: int) -> str:
    """Return "91 MB", "5.2 GB", "65 GB", of 10^9 bytes, as files and models are published."""
    if count < GB:
        return tr("{n} MB").format(n=wording.number(count / 10**6))
    return tr("{n} GB").format(n=gigabytes(count))


def gigabytes(count: int) -> str:
    """Return "0.6", "12", "5.2": a decimal only where it says something."""
    amount = count / GB
    return wording.number(amount, 1 if amount < 20 and f"{amount:.1f}"[-1] != "0" else 0)


def machine(count: int) -> str:
    """Return memory as computers are sold: a Mac "with 16 GB" has 16 * 2^30 bytes."""
    if count < GIB:
        return tr("{n} MB").format(n=wording.number(count / 2**20))
    amount = count / GIB
    decimals = 1 if amount < 10 and f"{amount:.1f}"[-1] != "0" else 0
    return tr("{n} GB").format(n=wording.number(amount, decimals))


def state(model: ModelStatus) -> str:
    """Return what a model is doing."""
    match model.state:
        case "available":
            return tr("Not installed")
        case "damaged":
            return tr("Cannot be used")
        case "loading":
            share = model.progress
            return tr("Loading") if share is None else tr("Loading, {n}").format(n=percent(share))
        case "loaded":
            return tr("In use now") if model.in_use else tr("Loaded")
        case "installed":
            return tr("In use now") if model.in_use else tr("Installed")


def facts(model: ModelStatus) -> str:
    """Return size, memory, licence and whether it fits, in one line."""
    parts = []
    if model.size_bytes:
        parts.append(tr("{size} on disk").format(size=size(model.size_bytes)))
    if model.memory_bytes:
        parts.append(tr("{size} of memory while running").format(size=size(model.memory_bytes)))
    parts.append(model.licence or tr("licence unknown"))
    if model.fits and model.state != "damaged":
        parts.append(tr("fits this computer"))
    if model.speed is not None:
        parts.append(speed(model.speed))
    return ", ".join(parts)


def speed(measured: Speed) -> str:
    """Return how fast a language model was here, and how long an answer takes with it."""
    from desktop.core.settings.sections import AgentSettings  # beside the window's start

    says = tr("reads {read} and writes {written} tokens a second here").format(
        read=wording.number(measured.reading, 0) if measured.reading else "?",
        written=wording.number(measured.writing, 1) if measured.writing else "?",
    )
    seconds = seconds_to_write(measured, AgentSettings().passage_tokens)
    if seconds is None:
        return says
    takes = tr("an answer takes about {n} s").format(n=wording.number(seconds, 0))
    return f"{says}, {takes}"


def too_large(model: ModelStatus, memory: MemoryStatus) -> str:
    """Return why a model does not fit, "" if it does."""
    if model.fits:
        return ""
    return tr("Too large for this computer: it needs {needed}; models may use {budget}.").format(
        needed=size(model.memory_bytes), budget=size(memory.budget_bytes)
    )


def shortened(name: str) -> str:
    """Return a file's name, with the middle of long ones left out."""
    if len(name) <= LONGEST_NAME:
        return name
    half = (LONGEST_NAME - 1) // 2
    return f"{name[:half]}…{name[-half:]}"


def memory_line(memory: MemoryStatus) -> str:
    """Return "Memory 0.6 of 12 GB"."""
    return tr("Memory {used} of {budget} GB").format(
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
    return tr(
        "Groundwork uses {process} in all; {free} of this computer's {machine} is free."
    ).format(
        process=machine(memory.process_bytes),
        free=machine(memory.machine_free_bytes),
        machine=machine(memory.machine_bytes),
    )


def loaded_models(models: Iterable[ModelStatus], memory: MemoryStatus) -> str:
    """Return what occupies the memory, one line each."""
    lines = [
        tr("{title}: {size}{state}").format(
            title=each.title,
            size=size(each.memory_bytes),
            state=tr(", in use now") if each.in_use else "",
        )
        for each in models
        if each.state == "loaded"
    ]
    if not lines:
        return tr("No model is loaded.")
    if memory.cache_bytes:
        lines.append(
            tr("Cached from earlier questions: {size}").format(size=size(memory.cache_bytes))
        )
    return "\n".join(lines)


MOST_FILES = 3
"""Damaged files that are named; more would fill the window."""


def ended(task: Task) -> tuple[str, str]:
    """Return text and tone of how a task ended."""
    name = task.name
    if task.cancelled:
        return _stopped(task).format(name=name), ""
    if task.failure is not None:
        return f"{_failed(task).format(name=name)} {why(task.failure)}", "bad"
    match task.end:
        case PackDone(model, left_out):
            text = tr("“{name}” is installed as {id}.").format(name=name, id=model.id)
            if left_out:
                text += " " + tr("{n} of its files are not needed and were left out.").format(
                    n=len(left_out)
                )
            return text, ""
        case PackVerified(_, ()):
            return tr("All files of “{name}” are intact.").format(name=name), ""
        case PackVerified(_, damage):
            more = len(damage) - MOST_FILES
            text = tr("“{name}” is damaged: {damage} Remove it and import it again.").format(
                name=name, damage=" ".join(damage[:MOST_FILES])
            )
            return text + (" " + tr("({n} more files)").format(n=more) if more > 0 else ""), "bad"
        case PackWritten(target):
            return tr(
                "“{name}” was copied to {target}. On the other computer, drop that folder on the "
                "Models page."
            ).format(name=name, target=target), ""
        case None:
            return tr("“{name}”: there was nothing to do.").format(name=name), ""


def why(failure: BaseException) -> str:
    """Return what went wrong and what to do next."""
    if isinstance(failure, (PackRefused, DownloadFailed)):
        return told(message(failure))  # sentences for a person already
    return in_sentences(failure)


def _stopped(task: Task) -> str:
    return {
        "import": tr("Importing “{name}” was stopped; nothing was kept."),
        "verify": tr("Verifying “{name}” was stopped; the files were not changed."),
        "copy": tr("Copying “{name}” was stopped; nothing was kept."),
        "download": tr(
            "Downloading “{name}” was stopped; the next download carries on from there."
        ),
    }[task.kind]


def _failed(task: Task) -> str:
    return {
        "import": tr("“{name}” was not imported."),
        "verify": tr("“{name}” could not be verified."),
        "copy": tr("“{name}” was not copied."),
        "download": tr("“{name}” was not downloaded."),
    }[task.kind]
