"""A question about the sample manuals and the spots that answer it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "spec",
    "table",
    "procedure",
    "troubleshooting",
    "figure",
    "where",
    "paraphrase",
    "cross",
    "unanswerable",
]
Book = Literal["installation", "operation"]


@dataclass(frozen=True, slots=True)
class Spot:
    """Words on one page, found again by `gold`; a figure's frame is added when it is named."""

    book: Book
    label: str
    text: str
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question; without spots it has no answer in either manual."""

    kind: Kind
    question: str
    answer: str
    spots: tuple[Spot, ...] = field(default=())
    lang: Literal["en", "de"] = "en"
    notes: str = ""


def installation(label: str, text: str, figure: str = "") -> Spot:
    """Name words in the installation manual."""
    return Spot("installation", label, text, figure)


def operation(label: str, text: str, figure: str = "") -> Spot:
    """Name words in the operator manual."""
    return Spot("operation", label, text, figure)
