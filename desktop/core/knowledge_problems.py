"""What a person sees when notes cannot be read, kept or structured."""

from __future__ import annotations

from knowledge import errors


def knowledge_problem(error: errors.KnowledgeError) -> tuple[str, str, bool]:
    """Return title, advice and whether trying again can help; no sentence repeats a secret."""
    match error:
        case errors.KnowledgeRefused():
            return ("This is not kept", f"{error} Change it and try again.", False)
        case errors.KnowledgeFileError() | errors.DomainFileError():
            return ("This file cannot be used", f"{error} Nothing of it was kept.", False)
        case errors.StructuringFailed():
            return (
                "The language model did not structure the text",
                "Structure it by rules instead, or choose a larger model on the Models page.",
                True,
            )
        case errors.TemplateFault():
            return ("A template for notes cannot be used", str(error), False)
        case errors.KnowledgeTooNew():
            return (
                "The notes were written by a newer Groundwork",
                "Update Groundwork on this computer. The notes were not changed.",
                False,
            )
        case _:
            return (
                "The notes cannot be opened or written",
                "Check the disk and the permissions of knowledge.db in the library's folder. "
                "If it is damaged, move it away and import an export of the notes.",
                True,
            )
