"""The warnings that govern what an answer quotes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from desktop.core.agent.answer import SafetyBlock, Statement
from desktop.core.events import PageRegion
from desktop.core.geometry import Box

if TYPE_CHECKING:
    import apsw

_MOST_BLOCKS = 3


def safety_blocks(
    connection: apsw.Connection, statements: Sequence[Statement]
) -> tuple[SafetyBlock, ...]:
    """Return the warnings of the sections that the statements stand in, the gravest first."""
    quoted = {statement.text for statement in statements}
    found: dict[tuple[int, int, str], SafetyBlock] = {}
    for statement in statements:
        for block in _of_section(connection, statement.source):
            if not any(text in block.text or block.text in text for text in quoted):
                found.setdefault((block.source.document_id, block.source.page, block.text), block)
    order = ("DANGER", "WARNING", "CAUTION", "NOTE")
    return tuple(sorted(found.values(), key=lambda b: order.index(b.level)))[:_MOST_BLOCKS]


def _of_section(connection: apsw.Connection, source: PageRegion) -> Iterator[SafetyBlock]:
    rows = connection.execute(
        "SELECT b.kind, b.text, b.x0, b.y0, b.x1, b.y1, b.section, b.warning FROM blocks b"
        " JOIN pages p ON p.id = b.page_id WHERE p.document_id = ? AND p.page = ?"
        " ORDER BY b.position",
        (source.document_id, source.page),
    ).fetchall()
    section = _section_at(rows, source.regions[0]) if source.regions else []
    for kind, text, x0, y0, x1, y1, path, level in rows:
        if kind == "warning" and _governs(json.loads(path), section):
            region = PageRegion(
                source.document_id,
                source.document,
                source.page,
                source.label,
                (Box(x0, y0, x1, y1),),
            )
            yield SafetyBlock(level, text, region)


def _section_at(rows: Sequence[tuple[Any, ...]], box: Box) -> list[str]:
    """Return the section path of the block that holds a box, [] if none does."""
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    for _, _, x0, y0, x1, y1, path, _ in rows:
        if x0 - 1 <= x <= x1 + 1 and y0 - 1 <= y <= y1 + 1:
            return list(json.loads(path))
    return []


def _governs(warning: Sequence[str], section: Sequence[str]) -> bool:
    """Whether a warning's section is the quoted one or one around it."""
    return list(section[: len(warning)]) == list(warning)
