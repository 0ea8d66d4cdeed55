"""A ColQwen model the whole way: installed, the sample manuals ingested, a page found by it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from desktop.app import open_workspace
from desktop.core.agent.tool_output import Result
from desktop.core.agent.tools.colqwen_visual_search import create_tool
from desktop.core.agent.tree_data import TreeData
from desktop.core.evaluation.bench import gather
from desktop.core.events import ResultEvent
from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.question.query import Query
from desktop.core.settings.sections import IngestionSettings, Settings
from desktop.core.store.database import Database
from desktop.models.catalogue import Catalogue
from desktop.models.packs.model_folder import ModelFolder
from desktop.models.packs.operations import import_pack
from tests.fakes.page_embedder import FakePageEmbedder
from tests.fakes.parser import FakeParser, write_manual
from tests.fakes.searcher import FakeSearcher
from tests.models import tiny_colqwen

PICTURES = ["A pump.", "A valve.", "A motor."]

_KILLED = """
import os, signal, sys
from pathlib import Path
from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.settings.sections import IngestionSettings
from desktop.core.store.database import Database
from tests.fakes.page_embedder import FakePageEmbedder
from tests.fakes.parser import FakeParser

folder, manual = map(Path, sys.argv[1:])
embedder = FakePageEmbedder()
def before():
    if embedder.embedded == 3:
        os.kill(os.getpid(), signal.SIGKILL)
embedder.before_each = before
database = Database.open(folder)
ingestion = Ingestion(
    database, Library(database, folder), FakeParser(), None,
    IngestionSettings(free_space_mib=0), page_embedder=lambda: embedder,
)
ingestion.enqueue([manual])
for _ in ingestion.run(CancelToken()):
    pass
"""


def test_kill_minus_nine_loses_no_page_that_was_done(tmp_path):
    manual = write_manual(tmp_path / "pump.pdf", [f"Page {n}" for n in range(6)])
    folder = tmp_path / "library"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_KILLED), str(folder), str(manual)],
        env=environment,
        check=False,
        timeout=120,
    )
    assert killed.returncode == -signal.SIGKILL
    embedder = FakePageEmbedder()
    with Database.open(folder) as database:
        library = Library(database, folder)
        ingestion = Ingestion(
            database,
            library,
            FakeParser(),
            None,
            IngestionSettings(free_space_mib=0),
            page_embedder=lambda: embedder,
        )
        (document,) = library.documents()
        assert document.pictures_done == 3
        list(ingestion.run(CancelToken()))
        assert embedder.embedded == 3
        assert library.documents()[0].pictures_done == 6
        assert database.check() == []


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    tiny_colqwen.need_engine()
    pytest.importorskip("mlx_vlm")
    source = tmp_path_factory.mktemp("stick") / "tiny-pages"
    source.mkdir()
    tiny_colqwen.build("colqwen2_5", source)
    folder = ModelFolder(tmp_path_factory.mktemp("models"))
    list(import_pack(source, folder, Catalogue.load()))
    return folder


@pytest.mark.models
def test_with_colqwen_installed_pages_are_embedded_and_found(installed, tmp_path, monkeypatch):
    monkeypatch.setenv("GROUNDWORK_MODELS", str(installed.root))
    settings = Settings()
    settings.models.profile = "lite"
    settings.models.pages = "tiny-pages"
    settings.parser.in_process = True
    settings.parser.ocr = False
    settings.parser.layout_model = False
    workspace = open_workspace(tmp_path / "library", settings=settings)
    try:
        search = workspace.visual_search
        assert search is not None
        assert not search.has_pages()
        manual = _drawn_manual(tmp_path / "drawn.pdf")
        workspace.ingestion.enqueue([manual])
        list(workspace.ingestion.run(CancelToken()))
        (document,) = workspace.library.documents()
        assert (document.state, document.pictures_done) == ("ready", document.page_count)
        assert search.has_pages()
        found = search.search(Query("Where is the blue box?", frozenset(), 5))
        assert {page.page for page in found} == set(range(document.page_count))
        _are_in_the_order_of_the_model(workspace, manual, found)
        for page in found:
            for box in page.region().regions:
                assert 0 <= box.x0 < box.x1 <= 595.5
                assert 0 <= box.y0 < box.y1 <= 842.5
        heat = search.heat_map(document.id, 0, "box")
        assert heat is not None
        assert heat.values.max() == pytest.approx(1)
        _is_offered_by_the_tool(search)
        assert workspace.database.check() == []
    finally:
        workspace.close()
    _counts_in_every_search(tmp_path / "library", settings)


def _counts_in_every_search(library, settings):
    """After a start the model is loaded with the first question; the next one searches pictures."""
    with closing(open_workspace(library, read_only=True, settings=settings)) as workspace:
        loaded = threading.Event()
        workspace.models.subscribe(
            lambda: loaded.set() if workspace.models.is_loaded("pages") else None
        )
        assert "their model is being loaded" in _found(workspace)
        assert loaded.wait(120)
        assert "left out" not in _found(workspace)


def _found(workspace):
    events = gather(workspace, "Where is the blue box?")
    return " ".join(event.message for event in events if isinstance(event, ResultEvent))


def _drawn_manual(path):
    import pymupdf

    document = pymupdf.open()
    for number, colour in enumerate([(0.1, 0.2, 0.9), (0.9, 0.1, 0.1), (0.1, 0.7, 0.2)]):
        page = document.new_page(width=595, height=842)
        page.insert_text((72, 60), PICTURES[number], fontsize=14)
        page.draw_rect(pymupdf.Rect(100, 200, 400, 500), color=colour, fill=colour)
    document.save(path)
    document.close()
    return path


def _are_in_the_order_of_the_model(workspace, manual, found):
    """As if each page were drawn and compared by hand, but for the eight bits of the store."""
    from desktop.core.library.vector_passes import drawing_scale

    embedder = workspace.models.pages()
    (question,) = embedder.embed_queries(["Where is the blue box?"])
    for page in found:
        image = workspace.parser.draw(manual, page.page, drawing_scale(595, 842))
        pixels = np.frombuffer(image.rgb, np.uint8).reshape(image.height, image.width, 3)
        (vectors,) = embedder.embed_pages([pixels])
        by_hand = float((question @ vectors.vectors.T).max(axis=1).sum()) / len(question)
        assert page.score == pytest.approx(by_hand, abs=0.01)


def _is_offered_by_the_tool(search):
    services: Any = SimpleNamespace(visual_search=search, searcher=FakeSearcher())
    tool = create_tool(services)
    tree = TreeData("Where is the blue box?", collection_names=("drawn.pdf",))

    async def run():
        assert await tool.is_tool_available(tree)
        return [step async for step in tool(tree, {"query": "the blue box", "limit": 2})]

    (result,) = [step for step in asyncio.run(run()) if isinstance(step, Result)]
    assert len(result.objects) == 2
