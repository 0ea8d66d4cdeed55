"""Questions with known pages and regions, as a JSON file holds them.

Boxes are PDF points, top-left origin, page as displayed; pages count from zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from desktop.core.geometry import Box

if TYPE_CHECKING:
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
    """Words or a figure that carry the answer; row_bbox is the whole table row."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    page: int
    bbox: tuple[float, float, float, float]
    row_bbox: tuple[float, float, float, float] | None = None
    document: str | None = None

    def boxes(self) -> list[Box]:
        """Return the boxes that count as the region: the words, and their row."""
        return [Box(*box) for box in (self.bbox, self.row_bbox) if box is not None]


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

    def regions_on(self, document: str, page: int) -> list[GoldRegion]:
        """Return the gold regions on one page."""
        return [
            region
            for region in self.regions
            if region.page == page and (region.document or self.document) == document
        ]


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
