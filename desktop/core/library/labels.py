"""Printed page numbers: which of a page's possible labels is shown and looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def own_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels a PDF carries, or () when they only count from 1.

    Many programs write "1, 2, 3, ..." as labels although other numbers are printed on the
    pages; then the margins know better.
    """
    trivial = all(label in ("", str(number)) for number, label in enumerate(labels, 1))
    return () if trivial else tuple(label.strip() for label in labels)


def label_from_pdf(labels: Sequence[str], page: int) -> str:
    """Return the PDF's own label of a zero-based page, "" if it has none."""
    return labels[page] if page < len(labels) else ""


def fallback_label(page: int) -> str:
    """Return the label of a page that has none: its number counted from 1."""
    return str(page + 1)
