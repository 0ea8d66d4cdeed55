"""Questions with known pages: of a file, and those a person marked as wrong."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from desktop.core.errors import LibraryError

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    """Words or a figure that carry the answer; row_bbox is the whole table row."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    page: int
    bbox: tuple[float, float, float, float]
    row_bbox: tuple[float, float, float, float] | None = None
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
    """Read a file of questions, without those that are open.

    Raises: GoldFileError, if it is not JSON of that form; OSError.
    """
    try:
        questions = TypeAdapter(tuple[GoldQuestion, ...]).validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise GoldFileError(f"{path.name}, at {place or 'the start'}: {first['msg']}") from error
    return GoldFile(tuple(each for each in questions if each.kind != OPEN))


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
        """Return all questions, oldest first.

        Raises: QuestionFileError, if somebody damaged the file; OSError.
        """
        try:
            return _QUESTIONS.validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return ()
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"]) or "the start"
            raise QuestionFileError(f"{self.path.name}, at {place}: {first['msg']}") from error

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
        known = self.list()
        numbers = [int(each.id.rsplit("-", 1)[-1]) for each in known if each.id[-1:].isdigit()]
        document, page = right_page or (None, 0)
        kind = UNANSWERABLE if unanswerable else WRONG if document else OPEN
        added = OwnQuestion(
            id=f"own-{max(numbers, default=0) + 1}",
            kind=kind,
            question=question,
            document=document,
            pages=(page,) if document else (),
            evidence=(GoldEvidence(document=document, page=page),) if document else (),
            wrong_answer=wrong_answer,
            note=note.strip(),
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        self._write((*known, added))
        return added

    def add_right(self, question: str, answer: str, page: tuple[str, int]) -> OwnQuestion:
        """Append a question whose answer helped; page: file name of the cited manual and index.

        Raises: as `add`.
        """
        added = self.add(question, "", page)
        right = added.model_copy(update={"kind": RIGHT, "answer": answer})
        self._write((*(each for each in self.list() if each.id != added.id), right))
        return right

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
        """Write the whole file or nothing: another name first, then one rename."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".questions-", suffix=".json")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_QUESTIONS.dump_json(tuple(questions), indent=1))
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self.path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
