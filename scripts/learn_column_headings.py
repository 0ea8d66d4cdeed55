"""Learn which first rows of tables say what the columns are, and say how well that carries.

    python -m scripts.learn_column_headings PDFS

PDFS holds the manuals that `scripts/labels/column_headings.json` names, with where each is from.
Of each labelled table it says the page, where its first row begins (points from the left and from
the top) and whether that row heads the columns, as somebody saw it in a picture. Put what is
printed into `desktop/core/structure/column_headings.py`. It takes a quarter of an hour.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from desktop.core.parsing.messages import Limits
from desktop.core.parsing.service import ParsingService
from desktop.core.settings.sections import ParserSettings
from desktop.core.structure import header_rows
from desktop.core.structure.column_headings import OBSERVATIONS, heads_columns, observed
from desktop.models.built_in import load_text_recognizer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.table_rows import TableRow

Floats = NDArray[np.float64]
Place = tuple[int, int, int]
"""Page, and where a table's first row begins: points from the left and from the top."""

LABELS: Final = Path(__file__).parent / "labels" / "column_headings.json"
_NOT_ON_SCANS: Final = ("bold", "bolder", "line_below")
_AS_SCANNED = 0.1
"""So much counts each table once more as a scan shows it, without bold text and lines.

Of 753 tables, their manuals left out, it changes nothing as they are; as scanned 0.90 are told
rightly, not 0.87.
"""
_KEPT_SMALL = 10.0  # penalty of the squares of weights, of scaled observations
_FOLDS, _STEPS = 10, 25


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pdfs", type=Path)
    options = parser.parse_args(arguments)
    seen, right, manuals = _labelled(options.pdfs)
    print(f"{len(right)} tables of {len(set(manuals))} manuals, {sum(right):.0f} with headings")
    folds = np.array([int(hashlib.sha256(m.encode()).hexdigest(), 16) % _FOLDS for m in manuals])
    told = np.zeros(len(right))
    for fold in range(_FOLDS):
        weights, bias = _learn(seen[folds != fold], right[folds != fold])
        told[folds == fold] = seen[folds == fold] @ weights + bias
    print(f"of manuals left out: {np.mean((told > 0) == (right > 0)):.3f} right")
    weights, bias = _learn(seen, right)
    for name, weight in zip(OBSERVATIONS, weights, strict=True):
        print(f"{weight:8.2f}  {name}")
    print(f"{bias:8.2f}  bias")
    return 0


def _labelled(pdfs: Path) -> tuple[Floats, Floats, list[str]]:
    """Return what is observed of each labelled table, whether it has headings, and its manual."""
    told: dict[str, Any] = json.loads(LABELS.read_text("utf-8"))
    files = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in pdfs.rglob("*.pdf")}
    seen, right, manuals = [], [], []
    for slug, facts in told["manuals"].items():
        labels = {(t[0], t[1], t[2]): t[3] for t in facts["tables"]}
        path = files.get(facts["sha256"])
        if path is None:
            print(f"missing: {slug} ({facts['repo']}: {facts['path']})")
            continue
        found = _tables(path, {page for page, _, _ in labels})
        for place in labels.keys() & found.keys():
            seen.append(found[place])
            right.append(float(labels[place]))
            manuals.append(slug)
        if lost := labels.keys() - found.keys():
            print(f"{slug}: {len(lost)} of {len(labels)} tables are read otherwise now")
    return np.array(seen), np.array(right), manuals


def _tables(path: Path, pages: set[int]) -> dict[Place, list[float]]:
    """Return what is observed of the tables on some pages of a manual."""
    found: dict[Place, list[float]] = {}
    reading = -1

    def watched(rows: Sequence[TableRow], rules: Sequence[float], *, drawn: bool) -> bool:
        left, top, *_ = rows[0].boxes[0]
        found[reading, round(left), round(top)] = observed(rows, rules, drawn=drawn)
        return heads_columns(rows, rules, drawn=drawn)

    service = ParsingService(Limits.of(ParserSettings()), load_text_recognizer)
    with mock.patch.object(header_rows, "heads_columns", watched), closing(service):
        for page in sorted(pages):
            reading = -1
            before = service.read_layout(path, page - 1, None).end if page else b""
            reading = page
            service.read_layout(path, page, None, before=before)
    return found


def _learn(seen: Floats, right: Floats) -> tuple[Floats, float]:
    """Return the weights and the bias of a logistic regression, by Newton's method."""
    scanned = seen.copy()
    scanned[:, [OBSERVATIONS.index(name) for name in _NOT_ON_SCANS]] = 0.0
    rows = np.concatenate([seen, scanned])
    counts = np.repeat([1.0, _AS_SCANNED], len(seen))
    wanted = np.concatenate([right, right])
    mean, scale = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-6)
    scaled = np.column_stack([(rows - mean) / scale, np.ones(len(rows))])
    small = np.full(scaled.shape[1], _KEPT_SMALL)
    small[-1] = 1e-9
    found = np.zeros(scaled.shape[1])
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-scaled @ found))
        gradient = scaled.T @ (counts * (chances - wanted)) + small * found
        curve = (scaled.T * (counts * chances * (1 - chances))) @ scaled + np.diag(small)
        found -= np.linalg.solve(curve, gradient)
    weights = found[:-1] / scale
    return weights, float(found[-1] - weights @ mean)


if __name__ == "__main__":
    sys.exit(main())
