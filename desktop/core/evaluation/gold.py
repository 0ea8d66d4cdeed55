"""Questions with known pages: of a file, and those a person marked as wrong."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from desktop.core.errors import LibraryError
from desktop.core.paths import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

OPEN = "open"
"""The kind of a question whose right page nobody has named yet: it cannot be measured."""


class GoldFileError(ValueError):
    """The file of questions cannot be read; the message says where."""


class GoldEvidence(BaseModel):
    """A page that answers the question."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    document: str
    page: int


class GoldRegion(BaseModel):
    """Words or a figure that carry the answer."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    page: int
    bbox: tuple[float, float, float, float]
    document: str | None = None


class GoldQuestion(BaseModel):
    """One question; document None means that the manuals do not answer it."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    id: str
    kind: str
    question: str
    answer: str = ""
    lang: str = "en"
    document: str | None
    pages: tuple[int, ...] = ()
    evidence: tuple[GoldEvidence, ...] = ()
    regions: tuple[GoldRegion, ...] = ()

    @property
    def answerable(self) -> bool:
        """Whether the manuals answer it."""
        return self.document is not None

    def gold_pages(self) -> set[tuple[str, int]]:
        """Return every (document, page) that answers the question."""
        pages = {(item.document, item.page) for item in self.evidence}
        if self.document is not None:
            pages |= {(self.document, page) for page in self.pages}
        return pages


@dataclass(frozen=True, slots=True)
class GoldFile:
    """The questions and the manuals they ask about."""

    questions: tuple[GoldQuestion, ...]

    @property
    def documents(self) -> frozenset[str]:
        """File names of all manuals that some question's gold names."""
        return frozenset(
            document for question in self.questions for document, _ in question.gold_pages()
        )


def read_gold(path: Path) -> GoldFile:
    """Read a file of questions, without those that are open. Raises: GoldFileError; OSError."""
    try:
        questions = TypeAdapter(tuple[GoldQuestion, ...]).validate_json(path.read_bytes())
    except ValidationError as error:
        raise GoldFileError(first_fault(path, error)) from error
    return GoldFile(tuple(each for each in questions if each.kind != OPEN))


def first_fault(path: Path, error: ValidationError) -> str:
    """Say where in a JSON file the first thing is that is wrong, and what."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "the start"
    return f"{path.name}, at {place}: {first['msg']}"


WRONG, UNANSWERABLE, RIGHT = "wrong_answer", "unanswerable", "right_answer"


class QuestionFileError(LibraryError):
    """The library's file of questions cannot be read; nothing is written over it."""


class OwnQuestion(BaseModel):
    """A question whose answer somebody judged.

    kind: "right_answer", "wrong_answer" with a right page, "unanswerable" if the
    manuals do not answer it, "open" if the right page is not known; those are not asked
    by a bench. answer: the right one, "" if nobody wrote it. wrong_answer: what was
    answered. at: ISO 8601, UTC.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    kind: str
    question: str = Field(min_length=1)
    answer: str = ""
    lang: str = ""
    document: str | None = None
    pages: tuple[int, ...] = ()
    evidence: tuple[GoldEvidence, ...] = ()
    regions: tuple[()] = ()
    wrong_answer: str = ""
    note: str = ""
    at: str = ""

    def gold(self) -> GoldQuestion:
        """Return it as a question that a bench can ask."""
        fields = self.model_dump(include=set(GoldQuestion.model_fields))
        return GoldQuestion.model_validate(fields)


_QUESTIONS = TypeAdapter(tuple[OwnQuestion, ...])


class QuestionFile:
    """The file of one library. Not for two processes at once: the last one to write wins."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def list(self) -> tuple[OwnQuestion, ...]:
        """Return all questions, oldest first. Raises: QuestionFileError, if damaged; OSError."""
        try:
            return _QUESTIONS.validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return ()
        except ValidationError as error:
            raise QuestionFileError(first_fault(self.path, error)) from error

    def add(
        self,
        question: str,
        wrong_answer: str,
        right_page: tuple[str, int] | None,
        *,
        unanswerable: bool = False,
        note: str = "",
    ) -> OwnQuestion:
        """Append a question.

        right_page: file name of the manual and zero-based page index; None if it is not known
            or, with unanswerable, if no manual has the answer.

        Raises: QuestionFileError; OSError, if it cannot be written.
        """
        kind = UNANSWERABLE if unanswerable else WRONG if right_page else OPEN
        return self._append(
            kind, question, right_page, wrong_answer=wrong_answer, note=note.strip()
        )

    def add_right(self, question: str, answer: str, page: tuple[str, int]) -> OwnQuestion:
        """Append a question whose answer helped; page: file name of the cited manual and index.

        Raises: as `add`.
        """
        return self._append(RIGHT, question, page, answer=answer)

    def _append(
        self, kind: str, question: str, page: tuple[str, int] | None, **told: Any
    ) -> OwnQuestion:
        known = self.list()
        numbers = [int(each.id.rsplit("-", 1)[-1]) for each in known if each.id[-1:].isdigit()]
        added = OwnQuestion(
            id=f"own-{max(numbers, default=0) + 1}",
            kind=kind,
            question=question,
            document=page[0] if page else None,
            pages=page[1:] if page else (),
            evidence=(GoldEvidence(document=page[0], page=page[1]),) if page else (),
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            **told,
        )
        self._write((*known, added))
        return added

    def remove(self, question_id: str) -> bool:
        """Remove a question; returns whether it was there. Raises: as `add`."""
        known = self.list()
        left = [each for each in known if each.id != question_id]
        if len(left) == len(known):
            return False
        self._write(left)
        return True

    def questions(self) -> tuple[GoldQuestion, ...]:
        """Return those that can be asked by a bench. Raises: as `list`."""
        return tuple(each.gold() for each in self.list() if each.kind != OPEN)

    def _write(self, questions: Sequence[OwnQuestion]) -> None:
        write_whole(self.path, _QUESTIONS.dump_json(tuple(questions), indent=1))
