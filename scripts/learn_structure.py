"""Learn what structure a page has from labelled pages, and say how well that carries.

    python -m scripts.learn_structure headings|columns PDFS

headings: which short blocks of a page are headings. columns: which first rows of tables say what
the columns are. PDFS holds the manuals that `scripts/labels/headings.json` or
`column_headings.json` names, with where each is from. Of each labelled block or row it says the
page, its box or where it begins (points from the left and from the top), and what somebody saw in a
picture.
Put what is printed into `desktop/core/structure/headings.py` or `column_headings.py`. It takes a
quarter of an hour.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from desktop.core.parsing.messages import Limits
from desktop.core.parsing.service import ParsingService
from desktop.core.settings.sections import ParserSettings
from desktop.core.structure import column_headings, header_rows, headings, page_blocks
from desktop.core.structure import page as structure_page
from desktop.models.built_in import load_text_recognizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.core.structure.blocks import DraftBlock
    from desktop.core.structure.raw import DocumentStyle, RawPage, Segment
    from desktop.core.structure.table_rows import TableRow

Floats = NDArray[np.float64]
Place = tuple[int, ...]
"""The box of a block, or where a row begins: points from the left and from the top."""

LABELS: Final = Path(__file__).parent / "labels"
_NOT_ON_SCANS: Final = ("bold", "bolder", "line_below")
_AS_SCANNED = 0.1
"""So much counts each table once more as a scan shows it, without bold text and lines.

Of 753 tables, their manuals left out, it changes nothing as they are; as scanned 0.90 are told
rightly, not 0.87.
"""
_KEPT_SMALL = 10.0  # penalty of the squares of weights, of scaled observations
_FOLDS, _STEPS = 10, 25


@dataclass
class Page:
    """What is observed on a labelled page, by place, and what was seen there.

    blocks: of the page; at: which of them begins at a place; both are for headings alone.
    reading: how it is read; of a page that the layout model was not asked about, "bare".
    """

    manual: str
    labels: dict[Place, float]
    seen: dict[Place, list[float]] = field(default_factory=dict)
    blocks: Sequence[DraftBlock] = ()
    at: dict[Place, int] = field(default_factory=dict)
    reading: str = ""

    @property
    def known(self) -> list[Place]:
        """The places that are labelled and still read as they were."""
        return sorted(self.labels.keys() & self.seen.keys())

    @property
    def fold(self) -> int:
        """One of ten parts that its manual is in."""
        return int(hashlib.sha256(self.manual.encode()).hexdigest(), 16) % _FOLDS


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("headings", "columns"))
    parser.add_argument("pdfs", type=Path)
    options = parser.parse_args(arguments)
    if options.what == "columns":
        _learn_columns(list(_pages("column_headings", options.pdfs, _watch_columns)))
    else:
        _learn_headings(list(_pages("headings", options.pdfs, _watch_headings, ("", "bare"))))
    return 0


def _learn_columns(pages: Sequence[Page]) -> None:
    def learn(seen: Floats, right: Floats) -> tuple[Floats, float]:
        scanned = seen.copy()
        dropped = [column_headings.OBSERVATIONS.index(name) for name in _NOT_ON_SCANS]
        scanned[:, dropped] = 0.0
        counts = np.repeat([1.0, _AS_SCANNED], len(seen))
        return _learn(np.concatenate([seen, scanned]), np.concatenate([right, right]), counts)

    seen, right, folds = _arrays(pages)
    told = _left_out(seen, right, folds, learn)
    print(f"of manuals left out: {np.mean((told > 0) == (right > 0)):.3f} right")
    _print(column_headings.OBSERVATIONS, *learn(seen, right))


def _learn_headings(pages: Sequence[Page]) -> None:
    seen, right, folds = _arrays(pages)
    bare = np.array([bool(page.reading) for page in pages for _ in page.known])
    own, others = np.zeros(len(right)), np.zeros((len(right), 2))
    for fold in sorted(set(folds.tolist())):
        weights, bias = _learn(seen[folds != fold], right[folds != fold])
        told = [_told_of(page, weights, bias) for page in pages if page.fold == fold and page.known]
        own[folds == fold] = np.concatenate([each for each, _ in told])
        others[folds == fold] = np.concatenate([each for _, each in told])
    both = np.column_stack([own, others])
    is_right = (_left_out(both, right, folds, _learn) > 0) == (right > 0)
    print(f"of manuals left out: {is_right[~bare].mean():.3f} right", end=", ")
    print(f"where the layout model was not asked: {is_right[bare].mean():.3f}")
    _print(headings.OBSERVATIONS, *_learn(seen, right))
    (scale, *weights_of_others), bias = _learn(both, right)
    of_others = np.array(weights_of_others) / scale
    print(f"of others: {np.round(of_others, 2).tolist()}, more: {bias / scale:.2f}")


def _told_of(page: Page, weights: Floats, bias: float) -> tuple[Floats, Floats]:
    """Return how sure each known block is a heading by itself, and what others say."""
    sure = {page.at[place]: float(weights @ seen + bias) for place, seen in page.seen.items()}
    at = [page.at[place] for place in page.known]
    others = headings.of_others(sure, page.blocks)
    return np.array([sure[each] for each in at]), np.array([others[each] for each in at])


def _pages(
    name: str, pdfs: Path, watch: Callable[..., Any], readings: Sequence[str] = ("",)
) -> Iterator[Page]:
    """Yield the labelled pages of a kind as they are read now, in each of some ways."""
    told: dict[str, Any] = json.loads((LABELS / f"{name}.json").read_text("utf-8"))
    files = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in pdfs.rglob("*.pdf")}
    for slug, facts in told["manuals"].items():
        path = files.get(facts["sha256"])
        if path is None:
            print(f"missing: {slug} ({facts['repo']}: {facts['path']})")
            continue
        labels: dict[int, dict[Place, float]] = {}
        for number, *place, seen in facts["labels"]:
            labels.setdefault(number, {})[tuple(place)] = float(seen)
        with closing(ParsingService(Limits.of(ParserSettings()), load_text_recognizer)) as service:
            for number in sorted(labels):
                pages = [Page(slug, labels[number], reading=reading) for reading in readings]
                before = service.read_layout(path, number - 1, None).end if number else b""
                with watch(*pages):
                    service.read_layout(path, number, None, before=before)
                if lost := pages[0].labels.keys() - pages[0].seen.keys():
                    print(f"{slug}, page {number + 1}: {len(lost)} are read otherwise now")
                yield from pages


def _watch_columns(page: Page) -> Any:
    def watched(rows: Sequence[TableRow], rules: Sequence[float], *, drawn: bool) -> bool:
        left, top, *_ = rows[0].boxes[0]
        page.seen[round(left), round(top)] = column_headings.observed(rows, rules, drawn=drawn)
        return column_headings.heads_columns(rows, rules, drawn=drawn)

    return mock.patch.object(header_rows, "heads_columns", watched)


def _watch_headings(page: Page, bare: Page) -> Any:
    drafted, told = page_blocks.draft_blocks, headings.with_headings

    def watched(raw: RawPage, segments: Sequence[Segment], style: DocumentStyle) -> Any:
        with mock.patch.object(page_blocks, "with_headings", partial(observe, bare)):
            drafted(replace(raw, regions=()), segments, style)
        with mock.patch.object(page_blocks, "with_headings", partial(observe, page)):
            return drafted(raw, segments, style)

    def observe(
        seen: Page, blocks: Sequence[DraftBlock], raw: RawPage, style: DocumentStyle
    ) -> list[DraftBlock]:
        seen.blocks = blocks
        for at, each in headings.observed(blocks, raw, style).items():
            place = tuple(map(round, blocks[at].box))
            seen.at[place], seen.seen[place] = at, each
        return told(blocks, raw, style)

    return mock.patch.object(structure_page, "draft_blocks", watched)


def _arrays(pages: Sequence[Page]) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Return what is observed at each known place, what is right, and the part it is in."""
    seen = [page.seen[place] for page in pages for place in page.known]
    right = [page.labels[place] for page in pages for place in page.known]
    folds = [page.fold for page in pages for _ in page.known]
    print(f"{len(right)} of {len({page.manual for page in pages})} manuals, {sum(right):.0f} so")
    return np.array(seen), np.array(right), np.array(folds, np.intp)


def _left_out(
    seen: Floats,
    right: Floats,
    folds: NDArray[np.intp],
    learn: Callable[[Floats, Floats], tuple[Floats, float]],
) -> Floats:
    """Return what is told of each row by what was learnt without its manual."""
    told = np.zeros(len(right))
    for fold in sorted(set(folds.tolist())):
        weights, bias = learn(seen[folds != fold], right[folds != fold])
        told[folds == fold] = seen[folds == fold] @ weights + bias
    return told


def _learn(seen: Floats, right: Floats, counts: Floats | None = None) -> tuple[Floats, float]:
    """Return the weights and the bias of a logistic regression, by Newton's method."""
    counted = np.ones(len(seen)) if counts is None else counts
    mean, scale = seen.mean(axis=0), np.maximum(seen.std(axis=0), 1e-6)
    scaled = np.column_stack([(seen - mean) / scale, np.ones(len(seen))])
    small = np.full(scaled.shape[1], _KEPT_SMALL)
    small[-1] = 1e-9
    found = np.zeros(scaled.shape[1])
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-scaled @ found))
        gradient = scaled.T @ (counted * (chances - right)) + small * found
        curve = (scaled.T * (counted * chances * (1 - chances))) @ scaled + np.diag(small)
        found -= np.linalg.solve(curve, gradient)
    weights = found[:-1] / scale
    return weights, float(found[-1] - weights @ mean)


def _print(names: Sequence[str], weights: Floats, bias: float) -> None:
    for name, weight in zip(names, weights, strict=True):
        print(f"{weight:8.2f}  {name}")
    print(f"{bias:8.2f}  bias")


if __name__ == "__main__":
    sys.exit(main())
