"""What a person sees when notes cannot be read, kept or structured."""

from __future__ import annotations

from desktop.core.sentences import said, template
from knowledge import errors

_SECRETS = (
    *(template("The text"), template("{kind} (line {n})"), template("a password, key or token")),
    *(template("a private key"), template("a bearer token"), template("an API key")),
    *(template("an authorization header"), template("a secret ({kind})")),
)
"""How `knowledge` names what may not stand in a note; it cannot say so itself."""


def knowledge_problem(error: errors.KnowledgeError) -> tuple[str, str, bool]:
    """Return title, advice and whether trying again can help; no sentence repeats a secret."""
    match error:
        case errors.KnowledgeRefused():
            return (
                said("This is not kept"),
                said("{reason} Change it and try again.", reason=error),
                False,
            )
        case errors.KnowledgeFileError() | errors.DomainFileError():
            return (
                said("This file cannot be used"),
                said("{reason} Nothing of it was kept.", reason=error),
                False,
            )
        case errors.StructuringFailed():
            return (
                said("The language model did not structure the text"),
                said("Structure it by rules instead, or choose a larger model on the Models page."),
                True,
            )
        case errors.TemplateFault():
            return (said("A template for notes cannot be used"), str(error), False)
        case errors.KnowledgeTooNew():
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
                    "If it is damaged, move it away and import an export of the notes."
                ),
                True,
            )
