"""Page furniture: running headers and footers, and the page number printed in them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.structure.raw import DocumentStyle, RawPage
    from desktop.core.structure.segments import Segment

# The part of the page height at top and bottom where furniture stands.
_MARGIN_SHARE = 0.12
_ENOUGH_PAGES = 3
_MOST_PATTERNS = 5_000
_LABEL = re.compile(
    r"^(?:(?:page|seite|p\.?|sheet|blatt)\s*)?"
    r"((?:[A-Za-z]{1,2}|\d{1,3})[-–.]\d{1,4}|\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*(?:/|of|von)\s*\d{1,5})?$",
    re.IGNORECASE,
)
_IN_LINE = re.compile(
    r"(?:page|seite|sheet|blatt)\s+(\d{1,4}(?:[-–]\d{1,4})?)(?:\s*(?:/|of|von)\s*\d+)?", re.I
)


def in_margin(segment: Segment, page_height: float) -> bool:
    """Whether a segment stands where headers and footers do."""
    middle = segment.centre[1]
    return middle < _MARGIN_SHARE * page_height or middle > (1 - _MARGIN_SHARE) * page_height


def pattern(text: str) -> str:
    """Return a margin line with its numbers replaced, equal on every page.

    Without spaces, which OCR does not see alike on every page.
    """
    return re.sub(r"\d+", "#", "".join(text.casefold().split()))


def is_furniture(segment: Segment, raw: RawPage, style: DocumentStyle) -> bool:
    """Whether a segment is a running header, footer or page number."""
    if not in_margin(segment, raw.height):
        return False
    if pattern(segment.text) in style.repeated:
        return True
    x, y = segment.centre
    return any(
        region.kind in ("page-header", "page-footer")
        and region.box[0] - 1 <= x <= region.box[2] + 1
        and region.box[1] - 1 <= y <= region.box[3] + 1
        for region in raw.regions
    )


class RunningLines:
    """Margin lines of pages read by OCR, of which no sample says beforehand what they repeat."""

    def __init__(self) -> None:
        """Begin without pages."""
        self._pages: Counter[str] = Counter()

    def after(self, raw: RawPage, segments: Iterable[Segment]) -> frozenset[str]:
        """Take in a page; return the margin lines that were seen on enough pages by now."""
        patterns = {pattern(s.text) for s in segments if in_margin(s, raw.height)}
        if len(self._pages) < _MOST_PATTERNS:
            self._pages.update(patterns)
        return frozenset(line for line in patterns if self._pages[line] >= _ENOUGH_PAGES)


def margin_label(segments: Sequence[Segment], page_height: float) -> str:
    """Return the page number printed in the margins, "" if there is none."""
    margins = [segment for segment in segments if in_margin(segment, page_height)]
    for segment in sorted(margins, key=lambda s: -s.centre[1]):
        match = _LABEL.match(segment.text.strip()) or _IN_LINE.search(segment.text)
        if match:
            return match.group(1).replace("–", "-")
    return ""


def document_style(
    pages: Iterable[tuple[RawPage, Sequence[Segment]]],
) -> tuple[float, frozenset[str]]:
    """Return the body font size and the repeated margin patterns of sampled pages."""
    sizes: Counter[float] = Counter()
    patterns: Counter[str] = Counter()
    count = 0
    for raw, segments in pages:
        count += 1
        for segment in segments:
            sizes[round(segment.size * 2) / 2] += len(segment.text)
        patterns.update({pattern(s.text) for s in segments if in_margin(s, raw.height)})
    enough = max(3, round(0.2 * count))
    repeated = frozenset(text for text, times in patterns.items() if times >= enough and text)
    body = max(sizes, key=lambda size: sizes[size]) if sizes else 0.0
    return body, repeated
