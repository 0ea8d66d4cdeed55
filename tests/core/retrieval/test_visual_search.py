"""From a drawn manual to the page, and the place on it, whose picture is asked for."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import Any

import pymupdf
import pytest

from desktop.core.geometry import Box
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.late_interaction.page_search import NumpyScorer
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.parsing.service import InProcessParser
from desktop.core.question.query import Query
from desktop.core.retrieval.search import Searcher
from desktop.core.retrieval.visual_search import VisualSearcher
from desktop.core.settings.sections import (
    IngestionSettings,
    ParserSettings,
    RetrievalSettings,
)
from desktop.core.store.database import Database
from desktop.models.errors import ModelOutOfBudget
from tests.fakes.page_embedder import COLOURS, FakePageEmbedder

pytestmark = pytest.mark.slow

# page -> colour and where its square stands, in points as the page is displayed
SQUARES = [
    ("red", Box(60, 100, 200, 240)),
    ("blue", Box(350, 560, 520, 740)),
    ("green", Box(300, 200, 420, 320)),
    ("yellow", Box(80, 600, 220, 760)),
]


def draw_manual(path, squares=SQUARES, *, rotated=()):
    document = pymupdf.open()
    for number, (colour, box) in enumerate(squares):
        page = document.new_page(width=595, height=842)
        page.insert_text((72, 60), f"Chapter {number + 1}", fontsize=14)
        page.insert_text((box.x0, box.y1 + 20), f"Unit {number + 1}", fontsize=11)
        rgb = [part / 255 for part in COLOURS[colour]]
        page.draw_rect(pymupdf.Rect(*box.as_tuple()), color=rgb, fill=rgb)
        if number in rotated:
            page.set_rotation(90)
    document.save(path)
    document.close()
    return path


class Shelf:
    def __init__(self, folder, database, embedder):
        self.database = database
        self.embedder = embedder
        self.library = Library(database, folder)
        parser = InProcessParser(ParserSettings(ocr=False, layout_model=False))
        self.ingestion = Ingestion(
            database,
            self.library,
            parser,
            None,
            IngestionSettings(free_space_mib=0),
            page_embedder=lambda: self.embedder,
        )
        self.search = VisualSearcher(database, lambda: self.embedder, NumpyScorer())

    def add(self, path):
        self.ingestion.enqueue([path])
        list(self.ingestion.run(CancelToken()))
        return next(d.id for d in self.library.documents() if d.name == path.name)

    def ask(self, text, *only):
        return self.search.search(Query(text, frozenset(only), 3))


@pytest.fixture
def shelf(tmp_path):
    with Database.open(tmp_path / "library") as database:
        yield Shelf(tmp_path / "library", database, FakePageEmbedder())


@pytest.mark.parametrize(("page", "colour", "box"), [(n, *s) for n, s in enumerate(SQUARES)])
def test_the_page_whose_picture_is_asked_comes_first_with_its_region(
    shelf, tmp_path, page, colour, box
):
    shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    found = shelf.ask(f"Where is the {colour} unit?")
    assert found[0].page == page
    assert found[0].found_by == ("pictures",)
    region = found[0].passages[0].boxes
    assert len(region) == 1
    assert box.overlap_share(region[0]) > 0.9
    assert region[0].area < 2.2 * box.area


def test_regions_are_on_the_page_as_it_is_displayed(shelf, tmp_path):
    shelf.add(draw_manual(tmp_path / "turned.pdf", rotated=(0,)))
    (first, *_) = shelf.ask("the red one")
    box = SQUARES[0][1]
    shown = Box(842 - box.y1, box.x0, 842 - box.y0, box.x1)  # turned clockwise by 90 degrees
    assert shown.overlap_share(first.passages[0].boxes[0]) > 0.9


def test_what_the_region_says_comes_before_the_rest_of_the_page(shelf, tmp_path):
    shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    first = shelf.ask("green")[0]
    assert first.passages[0].text == ""  # the picture itself has nothing to quote
    assert first.passages[1].text == "Unit 3"
    assert first.to_object()["content"] == "Unit 3"
    assert first.to_object()["regions"] == [box.as_tuple() for box in first.region().regions]


def test_only_the_chosen_manuals_are_searched(shelf, tmp_path):
    one = shelf.add(draw_manual(tmp_path / "one.pdf"))
    two = shelf.add(draw_manual(tmp_path / "two.pdf", SQUARES[1:3]))
    assert {found.document_id for found in shelf.ask("red", two)} == {two}
    assert shelf.ask("red")[0].document_id == one


def test_there_is_nothing_to_search_without_a_model_or_without_pages(shelf, tmp_path):
    assert not shelf.search.has_pages()
    shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    assert shelf.search.has_pages()
    shelf.embedder = None
    assert not shelf.search.has_pages()
    assert shelf.ask("red") == []
    assert shelf.search.heat_map(1, 0, "red") is None


def test_it_says_what_a_heat_map_lacks_and_which_words_have_one(shelf, tmp_path):
    assert shelf.search.readiness() == "no_pages"
    shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    assert shelf.search.readiness() == "ready"
    shelf.embedder = None
    assert shelf.search.readiness() == "no_model"
    assert shelf.search.terms("Where is the pump, and the (red) pump?") == ("pump", "red")


def test_pages_of_another_model_wait_until_they_are_embedded_again(shelf, tmp_path):
    shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    shelf.embedder = FakePageEmbedder("other@2")
    assert not shelf.search.has_pages()
    assert shelf.ask("red") == []
    list(shelf.ingestion.run(CancelToken()))
    assert shelf.search.has_pages()
    assert shelf.ask("red")[0].page == 0


def test_a_deleted_manual_is_not_found(shelf, tmp_path):
    one = shelf.add(draw_manual(tmp_path / "one.pdf"))
    shelf.add(draw_manual(tmp_path / "two.pdf", SQUARES[1:3]))
    assert shelf.ask("red")[0].document_id == one
    shelf.library.delete(one)
    assert {found.document for found in shelf.ask("red")} == {"two.pdf"}


def test_the_viewer_gets_a_heat_map_of_a_page(shelf, tmp_path):
    document = shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    heat = shelf.search.heat_map(document, 0, "red")
    rows, columns = heat.values.shape
    row, column = divmod(int(heat.values.argmax()), columns)
    box = SQUARES[0][1]
    assert box.y0 <= (row + 0.5) * 842 / rows <= box.y1
    assert box.x0 <= (column + 0.5) * 595 / columns <= box.x1
    assert heat.values.max() == pytest.approx(1)
    assert shelf.search.heat_map(document, 99, "red") is None


def by_words_and_pictures(shelf, pictures=None):
    settings = RetrievalSettings()
    return Searcher(shelf.database, None, settings, pictures=pictures or shelf.search)


def test_the_search_by_words_finds_pages_by_their_pictures_too(shelf, tmp_path):
    shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    searcher = by_words_and_pictures(shelf)
    found = searcher.retrieve(Query("Which unit is blue?")).pages
    best = found[0].evidence
    assert (best.page, "pictures" in best.found_by) == (1, True)  # no word says so
    assert best.left_out == ""
    plain = Searcher(shelf.database, None, RetrievalSettings())
    assert plain.retrieve(Query("Which unit is blue?")).pages[0].evidence.page != 1


@pytest.mark.parametrize(
    ("lacking", "because"),
    [
        ("model", "their model is not installed"),
        ("memory", "there is no room for their model"),
        ("same", "another model has read them"),
        ("room", "memory"),
    ],
)
def test_pictures_that_would_keep_a_search_waiting_are_left_out_and_it_says_why(
    shelf, tmp_path, lacking, because
):
    shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    embedder = None if lacking == "model" else FakePageEmbedder()
    if lacking == "same":
        embedder = FakePageEmbedder("other@1")
    if lacking == "room":
        assert embedder is not None
        embedder.failure = ModelOutOfBudget("no room", 2, 1)
    pictures = VisualSearcher(
        shelf.database, lambda: embedder, NumpyScorer(), lambda: lacking != "memory"
    )
    found = by_words_and_pictures(shelf, pictures).search(Query("Which unit is blue?"))
    assert found
    assert because in found[0].left_out
    assert all("pictures" not in page.found_by for page in found)


def test_their_model_is_loaded_with_the_first_search_and_the_next_one_has_them(shelf, tmp_path):
    shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    loaded = []

    def load() -> bool:
        loaded.append(True)
        return True

    pictures = VisualSearcher(
        shelf.database, FakePageEmbedder, NumpyScorer(), lambda: bool(loaded), load
    )
    searcher = by_words_and_pictures(shelf, pictures)
    first = searcher.search(Query("Which unit is blue?"))
    assert "their model is being loaded" in first[0].left_out
    again = searcher.search(Query("Which unit is blue?"))
    assert again[0].left_out == ""
    assert "pictures" in again[0].found_by
    assert len(loaded) == 1


def test_a_library_without_page_vectors_says_nothing_of_pictures(shelf, tmp_path):
    shelf.embedder = None
    shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    found = by_words_and_pictures(shelf).search(Query("Which unit is blue?"))
    assert found[0].left_out == ""


def test_a_search_that_nobody_waits_for_ends_before_pictures_are_compared(shelf, tmp_path):
    shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    stop = threading.Event()
    embed = shelf.embedder.embed_queries

    def stopping(queries):
        stop.set()
        return embed(queries)

    shelf.embedder.embed_queries = stopping
    with pytest.raises(Cancelled):
        by_words_and_pictures(shelf).search(Query("blue", cancelled=stop.is_set))


def test_too_little_memory_for_the_question_is_told(shelf, tmp_path):
    shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    shelf.embedder.failure = ModelOutOfBudget("no room", 2, 1)
    with pytest.raises(ModelOutOfBudget):
        shelf.ask("red")


def result_boxes(result):
    return tuple(Box(*corners) for corners in result.objects[0]["regions"])


def test_the_agents_tool_finds_the_page(shelf, tmp_path):
    from desktop.core.agent.gathering import kept_evidence
    from desktop.core.agent.tool_output import Result
    from desktop.core.agent.tools.colqwen_visual_search import create_tool
    from desktop.core.agent.tree_data import TreeData

    shelf.add(draw_manual(tmp_path / "drawn.pdf"))
    services: Any = SimpleNamespace(
        visual_search=shelf.search, searcher=by_words_and_pictures(shelf)
    )
    tool = create_tool(services)
    tree = TreeData("What is yellow?", collection_names=("drawn.pdf",))

    async def run():
        assert await tool.is_tool_available(tree)
        return [step async for step in tool(tree, {"query": "the yellow block"})]

    steps = asyncio.run(run())
    (result,) = [step for step in steps if isinstance(step, Result)]
    assert result.objects[0]["page"] == 3
    kept = next(page for page in kept_evidence(tree.environment) if page.page == 3)
    assert kept.passages[0].boxes == result_boxes(result)  # the region stays with its page
