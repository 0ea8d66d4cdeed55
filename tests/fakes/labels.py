"""A small folder of labels, about manuals that nobody ever printed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

PUMP_QUESTION: dict[str, Any] = {
    "id": "q1",
    "question": "Which fuse?",
    "lang": "en",
    "style": "plain",
    "kind": "value",
    "scope": "manual",
    "answers": [{"page": 4, "words": [[0, 3]], "value": "5 A"}],
}


def label_manual(slug: str, **changes: Any) -> dict[str, Any]:
    return {
        "slug": slug,
        "sha256": f"{1 if slug == 'pump' else 2:064x}",
        "repo": "makers/manuals",
        "commit": "abc",
        "path": f"docs/{slug}.pdf",
        "title": slug.title(),
        "maker": "Acme",
        "trade": "pumps",
        "kind": "user manual",
        "language": "en",
        "pages": 10,
        "scanned": False,
        "split": "choose",
        **changes,
    }


def write_labels(
    folder: Path,
    manuals: Sequence[Mapping[str, Any]],
    questions: Mapping[str, Sequence[Mapping[str, Any]]],
) -> None:
    (folder / "manuals.json").write_text(json.dumps(manuals))
    (folder / "questions").mkdir()
    for slug, asked in questions.items():
        lines = "".join(json.dumps(each) + "\n" for each in asked)
        (folder / "questions" / f"{slug}.jsonl").write_text(lines)
