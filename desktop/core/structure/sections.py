"""Section paths: which headings a block stands under."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.blocks import DraftBlock
    from desktop.core.structure.values import OutlineEntry

_NUMBERING = re.compile(r"^[\W\d_]*(?:\d+(?:\.\d+)*)?[\s.:)-]*")


def section_paths(
    blocks: Sequence[DraftBlock],
    page: int,
    outline: Sequence[OutlineEntry],
    continued: tuple[str, ...],
) -> list[tuple[str, ...]]:
    """Return the section path of each block (outermost first), headings include themselves.

    continued: the path at the end of the page before, used where there is no outline.
    """
    path = outline_path(outline, page) or continued
    on_page = [entry for entry in outline if entry.page == page]
    paths: list[tuple[str, ...]] = []
    base = path
    side: list[tuple[DraftBlock, tuple[str, ...]]] = []
    for block in blocks:
        if block.kind == "heading":
            entry = next((e for e in on_page if same_title(e.title, block.text)), None)
            if entry is not None:
                base = _chain(outline, entry)
                path = base
            else:
                path = (*base[:4], block.text) if outline else _replace(path, block, side)
            side.append((block, path))
        paths.append(path)
    return paths


def outline_path(outline: Sequence[OutlineEntry], page: int) -> tuple[str, ...]:
    """Return the outline titles open at the top of a page."""
    before = [entry for entry in outline if 0 <= entry.page < page]
    return _chain(outline, before[-1]) if before else ()


def same_title(one: str, other: str) -> bool:
    """Whether two headings are the same but for numbering, case and spaces."""
    first, second = _plain(one), _plain(other)
    return bool(first) and bool(second) and (first == second or first.endswith(second))


def _plain(title: str) -> str:
    return re.sub(r"\W+", "", _NUMBERING.sub("", title.casefold()))


def _chain(outline: Sequence[OutlineEntry], entry: OutlineEntry) -> tuple[str, ...]:
    titles = [entry.title]
    level = entry.level
    for candidate in reversed(outline[: outline.index(entry)]):
        if candidate.level < level:
            titles.append(candidate.title)
            level = candidate.level
    return tuple(" ".join(title.split()) for title in reversed(titles))


def _replace(
    path: tuple[str, ...],
    block: DraftBlock,
    seen: Sequence[tuple[DraftBlock, tuple[str, ...]]],
) -> tuple[str, ...]:
    """Without an outline: by its number, else below the last heading that is set larger."""
    number = _number(block.text)
    if number:
        return (
            *(t for t in path if _number(t) and number.startswith(_number(t) + ".")),
            block.text,
        )
    size = max(s.size for s in block.segments)
    for other, other_path in reversed(seen):
        if max(s.size for s in other.segments) > size + 0.4:
            return (*other_path[:3], block.text)
    return (block.text,) if seen else (*path[:-1], block.text)


def _number(title: str) -> str:
    """Return the chapter number a heading starts with ("6.1.8"), "" if there is none."""
    match = re.match(r"\s*(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s", title)
    return match.group(1) if match else ""
