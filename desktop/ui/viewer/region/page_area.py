"""A part of a page that a person framed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.geometry import Box


@dataclass(frozen=True, slots=True)
class PageArea:
    """page: from 0. box: PDF points, top-left origin, page as displayed."""

    document_id: int
    page: int
    box: Box
