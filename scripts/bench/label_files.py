"""Labelled questions and statement pairs on real manuals, as a folder of files holds them.

The folder holds no text of the manuals, only which words of a page answer:

    manuals.json            where each manual came from, its SHA-256 and its split
    questions/<slug>.jsonl  a question a line
    pairs/<slug>.jsonl      two statements a line, one of them the manual's

Pages count from zero. `words` are inclusive ranges of indices into the words of a page as the
library stores them, see `PageWords`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from desktop.core.errors import LibraryError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


Split = Literal["learn", "choose", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
Relation = Literal["agree", "contradict", "unrelated"]
Scope = Literal["manual", "library"]

_Read = TypeVar("_Read", bound=BaseModel)


class LabelFileError(LibraryError):
    """A file of labels cannot be read; the message says which, and where in it."""


class _Label(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ManualSource(_Label):
    """A manual and where it came from: `path` in `repo` at `commit`, told apart by `sha256`."""

    slug: str = Field(pattern=r"^[\w.-]+$")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    repo: str
    commit: str
    path: str

    @property
    def origin(self) -> str:
        """Where to get it, in words."""
        return f"{self.repo} at {self.commit}: {self.path}"


class LabelledManual(ManualSource):
    """A manual that questions are labelled on, and what it is."""

    title: str
    maker: str
    trade: str
    kind: str
    language: str
    pages: int = Field(ge=1)
    scanned: bool
    split: Split


class WordPlace(_Label):
    """Words of a page, which stand in the manual that the label is about."""

    page: int = Field(ge=0)
    words: tuple[tuple[int, int], ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ranges_run_forwards(self) -> WordPlace:
        for first, last in self.words:
            if not 0 <= first <= last:
                raise ValueError(f"words {first} to {last} are no range")
        return self

    @property
    def indices(self) -> frozenset[int]:
        """The words, one index each."""
        return frozenset(i for first, last in self.words for i in range(first, last + 1))


class AnswerPlace(WordPlace):
    """Words that answer a question. value: the bare answer where there is a short one."""

    value: str = ""


class QuestionPart(_Label):
    """One of the things that a question asks for."""

    question: str = Field(min_length=1)
    answerable: bool = True
    answers: tuple[AnswerPlace, ...] = ()
    also: tuple[WordPlace, ...] = ()

    @model_validator(mode="after")
    def _answers_where_answerable(self) -> QuestionPart:
        if self.answerable != bool(self.answers):
            raise ValueError("a question has answers exactly when it is answerable")
        return self

    @property
    def places(self) -> tuple[WordPlace, ...]:
        """Every acceptable place; any one of them is enough."""
        return (*self.answers, *self.also)


class LabelledQuestion(_Label):
    """A question to a manual (scope "manual") or to the whole library (scope "library").

    parts: what it asks for, where that is several things; then `answers` and `also` are empty.
    near_page, near: what almost answers an unanswerable question, and how it differs.
    history: the question before it, if it can only be understood after that one.
    """

    id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    lang: str
    style: str
    kind: str = ""
    scope: Scope
    answerable: bool = True
    answers: tuple[AnswerPlace, ...] = ()
    also: tuple[WordPlace, ...] = ()
    parts: tuple[QuestionPart, ...] = ()
    near_page: int | None = Field(None, ge=0)
    near: str = ""
    history: str = ""
    by: str = ""

    @model_validator(mode="after")
    def _answers_where_answerable(self) -> LabelledQuestion:
        if self.parts and (self.answers or self.also):
            raise ValueError("a question of several parts has its answers in the parts")
        if self.answerable != any(part.answerable for part in self.asked):
            raise ValueError("a question is answerable exactly when something of it is answered")
        return self

    @property
    def asked(self) -> tuple[QuestionPart, ...]:
        """What it asks for: its parts, or itself as the only one."""
        if self.parts:
            return self.parts
        answerable = bool(self.answers)
        return (
            QuestionPart(
                question=self.question,
                answerable=answerable,
                answers=self.answers,
                also=self.also if answerable else (),
            ),
        )

    @property
    def answered_parts(self) -> tuple[QuestionPart, ...]:
        """The parts that the manual answers."""
        return tuple(part for part in self.asked if part.answerable)

    @property
    def pages(self) -> frozenset[int]:
        """Every page that answers at least one part."""
        return frozenset(place.page for part in self.asked for place in part.places)


class StatementPair(WordPlace):
    """A statement of the manual (its words) and what somebody says about it (`b`)."""

    id: str = Field(min_length=1)
    b: str = Field(min_length=1)
    relation: Relation
    type: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of one split, or of all. questions, pairs: by the slug of their manual."""

    manuals: tuple[LabelledManual, ...]
    questions: dict[str, tuple[LabelledQuestion, ...]]
    pairs: dict[str, tuple[StatementPair, ...]]


@dataclass(frozen=True, slots=True)
class FoundManuals:
    """paths: the PDF of each manual that is there, by slug. missing: the others."""

    paths: dict[str, Path]
    missing: tuple[ManualSource, ...]


def read_labels(folder: Path, split: Split | None = None) -> Labels:
    """Read the labels of one split; of all three without one.

    Raises: LabelFileError, if a file is not of that form or an id stands there twice; OSError.
    """
    path = folder / "manuals.json"
    manuals = _validated(path, TypeAdapter(tuple[LabelledManual, ...]))
    _no_repeats(path.name, [manual.slug for manual in manuals])
    chosen = tuple(manual for manual in manuals if split in (None, manual.split))
    slugs = [manual.slug for manual in chosen]
    questions = {slug: _lines(folder / "questions", slug, LabelledQuestion) for slug in slugs}
    pairs = {slug: _lines(folder / "pairs", slug, StatementPair) for slug in slugs}
    _no_repeats("questions", [each.id for found in questions.values() for each in found])
    _no_repeats("pairs", [each.id for found in pairs.values() for each in found])
    return Labels(chosen, questions, pairs)


def read_sources(path: Path) -> tuple[ManualSource, ...]:
    """Read where manuals came from, without what they are. Raises: LabelFileError, OSError."""
    return _validated(path, TypeAdapter(tuple[ManualSource, ...]))


def find_manuals(manuals: Sequence[ManualSource], pdfs: Path) -> FoundManuals:
    """Look which manuals are among the PDFs of a folder and those below it, by their SHA-256."""
    by_hash = {_sha256(path): path for path in sorted(pdfs.rglob("*.pdf"))}
    return FoundManuals(
        {each.slug: by_hash[each.sha256] for each in manuals if each.sha256 in by_hash},
        tuple(each for each in manuals if each.sha256 not in by_hash),
    )


def _validated(path: Path, adapter: TypeAdapter[tuple[_Read, ...]]) -> tuple[_Read, ...]:
    try:
        return adapter.validate_json(path.read_bytes())
    except ValidationError as error:
        raise LabelFileError(f"{path.name}, at {_place_of(error)}") from error


def _lines(folder: Path, slug: str, model: type[_Read]) -> tuple[_Read, ...]:
    path = folder / f"{slug}.jsonl"
    if not path.exists():
        return ()
    found = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            found.append(model.model_validate_json(line))
        except ValidationError as error:
            raise LabelFileError(f"{path.name}, line {number}, at {_place_of(error)}") from error
    return tuple(found)


def _place_of(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc']) or 'the start'}: {first['msg']}"


def _no_repeats(what: str, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise LabelFileError(f"{what}: {name} stands there twice")
        seen.add(name)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
