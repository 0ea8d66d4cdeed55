"""What can go wrong with a model, named after what the caller can do.

    ModelError
    |- ModelNotInstalled    its files are not on this machine: install or import it
    |- ModelDamaged         a file is missing, cut off or not the published one: import it again
    |- ModelNotSupported    its kind cannot run here; the message says why
    |- ModelOutOfBudget     no room in the memory budget: unload one, or use a smaller one
    |- ModelRevoked         more urgent work took the model's memory: ask again
    |- ModelStopped         the thread that owns the models is closed; the program is ending
    |- PromptTooLong        the prompt exceeds the model's context: shorten it
    |- SchemaNotSupported   the JSON schema cannot constrain a generation
    |- PackRefused          a pack or folder that is not imported; the message says why
    `- DownloadFailed       the network or the hub failed; trying again goes on from there

Data travels as attributes, causes are chained with `from`.
"""

from __future__ import annotations

from desktop.sentences import SaidError


class ModelError(SaidError):
    """Base of everything this package raises on purpose."""


class ModelNotInstalled(ModelError):  # noqa: N818 - named after the state
    """The model's files are missing."""


class ModelDamaged(ModelError):  # noqa: N818
    """A model file is missing, cut off, or not the one that was published."""


class ModelNotSupported(ModelError):  # noqa: N818
    """No runtime on this machine runs this kind of model."""


class ModelOutOfBudget(ModelError):  # noqa: N818
    """The model or its request does not fit into the memory budget.

    needed_bytes, free_bytes: of the budget, after everything idle was unloaded.
    advice: which model to unload or which smaller one to use, in sentences.
    """

    def __init__(self, message: str, needed_bytes: int, free_bytes: int, advice: str = "") -> None:
        super().__init__(message)
        self.needed_bytes = needed_bytes
        self.free_bytes = free_bytes
        self.advice = advice


class ModelRevoked(ModelError):  # noqa: N818
    """Background work lost its model to a question between two of its steps."""


class ModelStopped(ModelError):  # noqa: N818
    """The work was asked of an inference thread that is closed or closing."""


class PromptTooLong(ModelError):  # noqa: N818
    """The prompt leaves no room for an answer in the model's context."""

    def __init__(self, prompt_tokens: int, context_tokens: int) -> None:
        super().__init__(f"the prompt has {prompt_tokens} tokens, the model reads {context_tokens}")
        self.prompt_tokens = prompt_tokens
        self.context_tokens = context_tokens


class SchemaNotSupported(ModelError):  # noqa: N818
    """A JSON schema is invalid, or uses something that a generation cannot be held to."""


class PackRefused(ModelError):  # noqa: N818
    """A model pack or folder is not imported; nothing of it is kept."""


class DownloadFailed(ModelError):  # noqa: N818
    """A download broke off; the message says why, and what arrived is kept."""


def shown(name: str) -> str:
    """Return a name from outside made fit to print: no control characters, limited length."""
    plain = "".join(c if c.isprintable() else "?" for c in name)
    return plain if len(plain) <= 80 else f"{plain[:40]}…{plain[-39:]}"
