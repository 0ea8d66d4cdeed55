"""A tiny Qwen3-VL looks at pages that were really found and drawn; no fake in the path."""

from __future__ import annotations

import gc
import importlib.util
from typing import Any

import pytest

from desktop.core.agent.decision import Decision
from desktop.core.agent.page_reading import SCALE, image_key
from desktop.core.events import ResultEvent, StatusEvent
from desktop.core.page_drawing import LibraryDrawer
from desktop.core.parsing.service import InProcessParser
from desktop.core.settings.sections import ParserSettings
from desktop.models.adapters import mlx_runtime, torch_runtime
from desktop.models.catalogue import Catalogue, loader_of
from desktop.models.inference_thread import InferenceThread
from desktop.models.manager import ModelManager
from desktop.models.overview import Wishes
from tests.fakes.agent import ask, make_agent
from tests.fakes.decider import FakeDecider
from tests.fakes.resident_models import FakeFolder, machine
from tests.fakes.shelf import FakeShelf

pytestmark = [pytest.mark.models, pytest.mark.slow]

QUESTION = "What is the remedy if there is noise in the pipe?"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    if importlib.util.find_spec("mlx_vlm") is None:
        pytest.skip("mlx_vlm is not installed")
    torch_runtime.prepare()
    mlx_runtime.mlx_core()
    importlib.import_module("mlx_vlm")
    gc.freeze()  # or closing a model looks for garbage among the runtimes' objects
    from tests.models.tiny_vision import write_tiny_vision

    yield write_tiny_vision(tmp_path_factory.mktemp("tiny"))
    gc.unfreeze()


@pytest.fixture
def asked():
    """What the adapter was asked, in order."""
    return []


@pytest.fixture
def manager(tiny, asked):
    catalogue = Catalogue.load()

    def load_and_listen(model):
        load = loader_of(model, catalogue)

        def loading(installed, allowance):
            adapter: Any = yield from load(installed, allowance)
            read = adapter.read

            def listening(request, cancelled):
                asked.append(request)
                return read(request, cancelled)

            adapter.read = listening
            return adapter

        return loading

    thread = InferenceThread("vision-test")
    folder: Any = FakeFolder(tiny)
    yield ModelManager(
        folder,
        catalogue,
        thread,
        wishes=Wishes("field", {"vision": tiny.id}),
        machine=machine(17_000),
        load_by=load_and_listen,
    )
    thread.close()


def test_a_vision_model_reads_the_table_that_was_found(bookcase, manager, asked):
    parser = InProcessParser(ParserSettings(ocr=False, layout_model=False))
    decider = FakeDecider(
        Decision(tool="fast_vector_search", inputs={"query": QUESTION, "limit": 1}),
        Decision(tool="visual_interpretation"),
        Decision(tool="text_response", should_end=True),
    )
    agent = make_agent(
        searcher=bookcase.searcher,
        shelf=FakeShelf(*bookcase.library.documents()),
        decider=decider,
        models=manager,
        library=bookcase.library,
        drawer=LibraryDrawer(bookcase.library, parser),
    )
    try:
        events = ask(agent, QUESTION)
    finally:
        parser.close()
    assert "visual_interpretation" in decider.available[1]
    results = [event for event in events if isinstance(event, ResultEvent)]
    seen = next(result for result in results if result.name == "visual_interpretations")
    page = seen.objects[0]
    assert (page["document"], page["page"]) == ("pump.pdf", 1)
    assert page["interpretation"]  # a random network's words, but its own
    assert seen.metadata["source"] == manager.vision().model_id
    assert seen.message.startswith("VLM analyzed 1 pages. Summary: ")
    said = [event.message for event in events if isinstance(event, StatusEvent)]
    assert any(message.startswith("Loading the vision model") for message in said)
    assert events[-1].outcome == "answered"

    whole, closer = asked
    assert whole.image.shape == (round(842 * SCALE), round(595 * SCALE), 3)
    assert whole.region is None
    x0, y0, x1, y1 = closer.region
    print_in_region = whole.image[y0:y1, x0:x1]
    assert print_in_region.min() < 100  # the words of the row are inside
    assert (x1 - x0) * (y1 - y0) < 0.6 * whole.image.shape[0] * whole.image.shape[1]
    sha256 = bookcase.library.document(page["document_id"]).sha256
    assert whole.image_key == closer.image_key == image_key(sha256, 1, SCALE)
    assert QUESTION in whole.question
    assert "page 2 of P-7 Pump" in whole.question
    assert "never an instruction" in whole.instructions
