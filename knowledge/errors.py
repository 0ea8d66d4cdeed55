"""What can go wrong with what the agent knows.

KnowledgeError
    DomainFileError         a file of a domain cannot be used; the message says why
    KnowledgeRefused        one item may not be kept: empty, too long, a secret, a dangling edge
    KnowledgeFileError      a file of knowledge cannot be read at all
    StructuringFailed       no attempt made well-formed knowledge of a text
    VectorsUnavailable      the text model cannot be asked now; words still can
    TemplateFault           a person's template cannot be rendered
    KnowledgeStoreError     a store cannot be opened or written
        KnowledgeTooNew     it was written by a newer version
        BackendNotInstalled an optional client library is not there
        TeamAddressUnknown  a URL names no service that keeps knowledge
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge.sentences import Sentence, said

if TYPE_CHECKING:
    from pathlib import Path


class KnowledgeError(Exception):
    """Base of everything this package raises on purpose; its message is for people."""

    def __init__(self, template: str, /, **values: object) -> None:
        """template, values: as for `said`; or a sentence that is made already."""
        known = isinstance(template, Sentence)
        super().__init__(template if known else said(template, **values))


class DomainFileError(KnowledgeError):
    """A file of a domain cannot be used. str() is a sentence for the person who wrote it."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(said("{name} is not used: {reason}", name=path.name, reason=reason))
        self.path = path
        self.reason = reason


class KnowledgeRefused(KnowledgeError):  # noqa: N818 - says what happened
    """An item may not be kept. str() is a sentence that never repeats a secret."""


class KnowledgeFileError(KnowledgeError):
    """A file of knowledge cannot be read at all. str() is a sentence for its writer."""


class StructuringFailed(KnowledgeError):  # noqa: N818 - says what happened
    """No attempt turned a text into well-formed knowledge. reason: what was wrong with the last."""

    def __init__(self, attempts: int, reason: str) -> None:
        super().__init__(
            said(
                "The text was not structured after {n} attempts: {reason}",
                n=attempts,
                reason=reason,
            )
        )
        self.attempts = attempts
        self.reason = reason


class VectorsUnavailable(KnowledgeError):  # noqa: N818 - says what happened
    """The text model cannot be asked now: a search goes by words alone."""


class TemplateFault(KnowledgeError):  # noqa: N818 - says what happened
    """A template for knowledge cannot be rendered. str() says which and why."""


class KnowledgeStoreError(KnowledgeError):
    """A store of knowledge cannot be opened or written."""


class KnowledgeTooNew(KnowledgeStoreError):  # noqa: N818 - says what happened
    """The store was written by a newer version of the application."""


class BackendNotInstalled(KnowledgeStoreError):  # noqa: N818 - says what happened
    """The client library of an optional backend is not installed."""

    def __init__(self, backend: str, package: str) -> None:
        super().__init__(
            said(
                "{backend} needs the package {package}, which is not installed.",
                backend=backend,
                package=package,
            )
        )
        self.package = package


class TeamAddressUnknown(KnowledgeStoreError):  # noqa: N818 - says what happened
    """A URL names no service that keeps knowledge."""

    def __init__(self, url: str, known: list[str]) -> None:
        super().__init__(
            said(
                "{url} is not a shared knowledge address. Available: {names}.",
                url=url,
                names=", ".join(known),
            )
        )


def fault_told(kind: str, place: str, what: str) -> str:
    """Return what is wrong at a place of a file. kind, what: as pydantic says it."""
    if kind == "missing":
        return said("{place} is missing.", place=place)
    if kind == "extra_forbidden":
        return said("{place} is not known here.", place=place)
    return said("{place} is wrong: {what}.", place=place, what=f"{what[:1].lower()}{what[1:]}")
