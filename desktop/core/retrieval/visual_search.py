"""Question to pages by how they look, with the regions where each of them matches."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from desktop.core.geometry import Box
from desktop.core.late_interaction.page_search import PageScore, PageSearch
from desktop.core.late_interaction.page_vectors import read_pages, stored_model
from desktop.core.library.units import Passage, StoredUnit, units_of_pages
from desktop.core.problems import explain
from desktop.core.question.tokens import STOPWORDS
from desktop.core.reader.evidence import Evidence
from desktop.models.errors import ModelError, ModelStopped
from desktop.sentences import said, template

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import apsw
    from numpy.typing import NDArray

    from desktop.core.late_interaction.page_vectors import StoredPage
    from desktop.core.question.query import Query
    from desktop.core.store.database import Database
    from desktop.models.roles import LateInteractionScorer, PageEmbedder


_WARM = 0.5  # of the hottest patch: what belongs to a region
_MOST_BOXES = 3
_LEAST_SHARE = 0.25  # of the best region's heat


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """How well each patch of a page matches a question, for the viewer to lay over the page.

    values: float32, shape (rows, columns), 0 to 1, row by row from the top-left corner of the
    page as displayed. The patches divide the page evenly.
    """

    values: NDArray[np.float32]


def token_maps(
    question: NDArray[np.float32], patches: NDArray[np.float32], rows: int, columns: int
) -> NDArray[np.float32]:
    """Return the similarity of each question vector with each patch.

    Args:
        question: shape (n_tokens, dimension).
        patches: shape (rows * columns, dimension).
        rows: of the patch grid.
        columns: of the patch grid.

    Returns: float32, shape (n_tokens, rows, columns).
    """
    return np.asarray(question @ patches.T, np.float32).reshape(len(question), rows, columns)


def heat_map(maps: NDArray[np.float32]) -> HeatMap:
    """Combine the maps of all question vectors, float32, shape (n_tokens, rows, columns).

    A vector counts by how far its best patch stands out from the page: one that is equally
    near to everything, like those of filler words, says nothing about the place.
    """
    _, rows, columns = maps.shape
    if not maps.size:
        return HeatMap(np.zeros((rows, columns), np.float32))
    middle = np.median(maps, axis=(1, 2), keepdims=True)
    above = np.maximum(maps - middle, 0)
    stands_out = above.max(axis=(1, 2), keepdims=True)
    # squared, so that the ground between the median and a peak stays cold
    sharp = (above / np.maximum(stands_out, 1e-9)) ** 2
    heat = (sharp * stands_out).sum(axis=0)
    return HeatMap(np.asarray(heat / max(float(heat.max()), 1e-9), np.float32))


def heat_boxes(heat: HeatMap, page_size: tuple[float, float]) -> tuple[Box, ...]:
    """Return the warm regions of a map as boxes in points, the one of the best patch first."""
    values = heat.values
    rows, columns = values.shape
    found = []
    for patches in _regions(values >= _WARM):
        row, column = np.array(patches).T
        heats = values[row, column]
        found.append((float(heats.max()), float(heats.sum()), row, column))
    if not found or values.max() <= 0:
        return ()
    most = max(heat for _, heat, _, _ in found)
    hottest = max(range(len(found)), key=lambda place: found[place][0])
    kept = [found.pop(hottest)]
    found.sort(key=lambda region: -region[1])
    kept += [region for region in found if region[1] >= _LEAST_SHARE * most]
    width, height = page_size[0] / columns, page_size[1] / rows
    return tuple(
        Box(
            float(column.min()) * width,
            float(row.min()) * height,
            float(column.max() + 1) * width,
            float(row.max() + 1) * height,
        )
        for _, _, row, column in kept[:_MOST_BOXES]
    )


def _regions(warm: NDArray[np.bool_]) -> Iterator[list[tuple[int, int]]]:
    """Yield the patches of each connected region; corners connect."""
    left = {(int(row), int(column)) for row, column in np.argwhere(warm)}
    while left:
        region = [left.pop()]
        for row, column in region:  # grows while it is walked through
            around = {(row + y, column + x) for y in (-1, 0, 1) for x in (-1, 0, 1)} & left
            left -= around
            region += around
        yield region


PICTURES = template("pictures")
"""The name of this searcher in `Evidence.found_by`."""

PICTURE = "picture"
"""Kind of the passage that is the region itself; it has no text to quote."""

_PASSAGES_PER_PAGE = 80
_LEFT_OUT = template("The page pictures were left out of the search: {reason}.")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PictureScores:
    """Page id -> MaxSim score of the best pages. left_out: why there are none, "" if that is so."""

    scores: Mapping[int, float]
    left_out: str = ""


class VisualSearcher:
    """Satisfies `VisualSearch` of the agent's tools; may be used from any thread but the UI's."""

    def __init__(
        self,
        database: Database,
        embedder: Callable[[], PageEmbedder | None],
        scorer: LateInteractionScorer,
        is_loaded: Callable[[], bool] = lambda: True,
        load: Callable[[], bool] = lambda: False,
    ) -> None:
        """Keep the parts. embedder: asked for each question, because models come and go.

        is_loaded: whether that model is in memory, so that it answers at once. load: begins to load
        it in the background, and says whether it comes.
        """
        self._database = database
        self._embedder = embedder
        self._is_loaded = is_loaded
        self._load = load
        self._pages = PageSearch(database, scorer)

    def readiness(self) -> Literal["ready", "no_model", "no_pages"]:
        """Say whether there are heat maps, or what they lack."""
        if self._embedder() is None:
            return "no_model"
        return "ready" if self.has_pages() else "no_pages"

    def terms(self, question: str) -> tuple[str, ...]:
        """Return the words of a question that can have a heat map of their own."""
        words = (word.strip("?.,;:!()\"'") for word in question.split())
        kept = (word for word in words if word and word.casefold() not in STOPWORDS)
        return tuple(dict.fromkeys(kept))

    def has_pages(self) -> bool:
        """Whether there are vectors of pages and a model that can search them."""
        embedder = self._embedder()
        if embedder is None:
            return False
        return self._database.read(_model_of_pages) == embedder.model_id

    def search(self, query: Query) -> list[Evidence]:
        """Return the pages that look most like the answer, best first.

        The first passage of each is the region that matches, without text; the others are what
        the page says, that in the region first.

        Raises: LibraryError, ModelError.
        """
        embedder = self._embedder()
        if embedder is None:
            return []
        (question,) = embedder.embed_queries([query.text])
        query.check()
        found = self._pages.search(
            question, embedder.model_id, query.document_ids, query.limit, check=query.check
        )
        return self._database.read(lambda connection: _evidence(connection, question, found))

    def page_scores(self, query: Query, limit: int) -> PictureScores:
        """Score the pages that look most like the answer, for a search that must not wait.

        It does not wait for their model, which takes seconds to load: that comes in the
        background, where there is room, and the next search has it. Anything that goes
        wrong leaves pictures out of the search, and says so. Raises: LibraryError,
        Cancelled.
        """
        stored = self._database.read(_model_of_pages)
        if stored is None:
            return PictureScores({})
        embedder = self._embedder()
        if embedder is None:
            return PictureScores({}, said(_LEFT_OUT, reason=said("their model is not installed")))
        if embedder.model_id != stored:
            return PictureScores({}, said(_LEFT_OUT, reason=said("another model has read them")))
        if not self._is_loaded():
            coming = said("their model is being loaded")
            why = coming if self._load() else said("there is no room for their model")
            return PictureScores({}, said(_LEFT_OUT, reason=why))
        query.check()
        try:
            (question,) = embedder.embed_queries([query.text])
            found = self._pages.search(
                question, stored, query.document_ids, limit, check=query.check
            )
        except ModelStopped:
            raise
        except ModelError as error:
            logger.info("pictures are left out of a search: %s", type(error).__name__)
            return PictureScores({}, said(_LEFT_OUT, reason=explain(error).title))
        return PictureScores({each.page_id: each.score for each in found})

    def heat_map(self, document_id: int, page: int, text: str) -> HeatMap | None:
        """Return where a page matches a question, for the viewer to show; None without vectors.

        Raises: LibraryError, ModelError.
        """
        embedder = self._embedder()
        if embedder is None or not self.has_pages():
            return None

        def read(connection: apsw.Connection) -> list[StoredPage]:
            row = connection.execute(
                "SELECT id FROM pages WHERE document_id = ? AND page = ?", (document_id, page)
            ).fetchone()
            return [] if row is None else read_pages(connection, [int(row[0])])

        stored = self._database.read(read)
        if not stored:
            return None
        (question,) = embedder.embed_queries([text])
        return _heat(question, stored[0])


def _model_of_pages(connection: apsw.Connection) -> str | None:
    """Return which model's vectors the pages have, None without any."""
    model = stored_model(connection)
    any_page = connection.execute("SELECT EXISTS (SELECT 1 FROM page_codes)").get
    return model[0] if model is not None and any_page else None


def _evidence(
    connection: apsw.Connection, question: NDArray[np.float32], found: Sequence[PageScore]
) -> list[Evidence]:
    ids = [each.page_id for each in found]
    vectors = {page.page_id: page for page in read_pages(connection, ids)}
    places = _places(connection, {each.page_id: each.score / len(question) for each in found})
    units = units_of_pages(connection, ids)
    return [
        _page_evidence(
            *places[each.page_id], _heat(question, vectors[each.page_id]), units[each.page_id]
        )
        for each in found
        if each.page_id in vectors and each.page_id in places  # else deleted meanwhile
    ]


def _page_evidence(
    page: Evidence, size: tuple[float, float], heat: HeatMap, units: Sequence[StoredUnit]
) -> Evidence:
    """Return a page with its passages. size: of the page as displayed, in points."""
    boxes = heat_boxes(heat, size)
    said = [(_warmth(unit.boxes, heat, size), unit) for unit in units if unit.kind != "window"]
    said.sort(key=lambda pair: -pair[0])
    context = said[0][1].context if said else ""
    region = Passage(0, PICTURE, "", context, boxes, (), 1.0)
    passages = [
        Passage(u.id, u.kind, u.text, u.context, u.boxes, u.header_boxes, warmth)
        for warmth, u in said[:_PASSAGES_PER_PAGE]
    ]
    return replace(page, passages=(region, *passages) if boxes else tuple(passages))


def _heat(question: NDArray[np.float32], page: StoredPage) -> HeatMap:
    rows, columns = page.grid_rows, page.grid_columns
    return heat_map(token_maps(question, page.patches(), rows, columns))


def _warmth(boxes: Sequence[Box], heat: HeatMap, size: tuple[float, float]) -> float:
    """Return the greatest heat in the middle of any of these boxes, 0 to 1."""
    rows, columns = heat.values.shape
    found = 0.0
    for box in boxes:
        row = int((box.y0 + box.y1) / 2 / size[1] * rows)
        first = int(box.x0 / size[0] * columns)
        last = int(box.x1 / size[0] * columns)
        if 0 <= row < rows:
            found = max(found, float(heat.values[row, max(first, 0) : last + 1].max(initial=0)))
    return found


def _places(
    connection: apsw.Connection, scores: Mapping[int, float]
) -> dict[int, tuple[Evidence, tuple[float, float]]]:
    """Return the pages of these ids without passages, and their sizes."""
    marks = ",".join("?" * len(scores))
    rows = connection.execute(
        "SELECT p.id, d.id, d.name, d.title, p.page, p.label, p.width, p.height FROM pages AS p"
        f" JOIN documents AS d ON d.id = p.document_id WHERE p.id IN ({marks})",
        tuple(scores),
    )
    return {
        id_: (Evidence(manual, name, title, page, label, scores[id_], (PICTURES,), ()), (x, y))
        for id_, manual, name, title, page, label, x, y in rows
    }
