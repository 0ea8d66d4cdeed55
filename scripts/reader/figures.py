"""How well the reader orders units and knows when it is right, in lines for a terminal."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from scripts.bench.uncertainty import calibration_error
from scripts.reader.fit import ANSWERS, scored

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.reader.ranker import Ranker
    from scripts.reader.observed import Example

_MOST_REFUSED = 0.05


def figures(ranker: Ranker, examples: Sequence[Example], *, with_model: bool) -> Iterator[str]:
    """Yield what the ranker gets right, overall and by group, each with its n."""
    right: dict[str, list[bool]] = defaultdict(list)
    first: list[bool] = []
    before: list[bool] = []
    chances, there, came_true, answerable = [], [], [], []
    for example in examples:
        scores = scored(ranker, example, with_model=with_model)
        best = int(scores.argmax())
        is_right = bool(example.facts["answerable"] and example.right[best] >= ANSWERS)
        seen = ranker.list_inputs(example.observed, scores, with_model=with_model)
        chances.append(ranker.chance(seen, with_model=with_model))
        there.append(ranker.there(seen, with_model=with_model))
        came_true.append(is_right)
        answerable.append(bool(example.facts["answerable"]))
        if example.facts["answerable"]:
            page = example.observed.units[best].page
            answering = {
                unit.page
                for unit, share in zip(example.observed.units, example.right, strict=True)
                if share > 0
            }
            first.append(page in answering or page == example.gold_place)
            before.append(example.gold_place == 0)
            for name in ("all", *(f"{k}: {example.facts.get(k)}" for k in ("kind", "style"))):
                right[name].append(is_right)
    sure, told = np.array(there), np.array(answerable)
    yield f"right page first {np.mean(first):.3f}, by the first stage {np.mean(before):.3f}"
    for name, found in sorted(right.items(), key=lambda item: -len(item[1])):
        yield f"right unit first, {name}: {np.mean(found):.3f} of {len(found)}"
    least = np.quantile(sure[told], _MOST_REFUSED)
    refused = (sure[~told] < least).mean() if (~told).any() else float("nan")
    yield f"refused {refused:.3f} of what is not answered, with {_MOST_REFUSED:.2f} of what is"
    yield f"calibration error {calibration_error(chances, came_true):.3f}"
