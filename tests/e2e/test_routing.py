"""Which manual comes first: manuals of one product, and products in one library."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from desktop.app import make_embedders, make_manager, make_text_model
from desktop.core.evaluation.gold import read_gold
from desktop.core.jobs import CancelToken
from desktop.core.library.domains import DomainProposals
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.parsing.service import InProcessParser
from desktop.core.paths import LibraryFolder
from desktop.core.question.query import Query
from desktop.core.retrieval.routing import FIRST_PAGES
from desktop.core.retrieval.search import Searcher
from desktop.core.settings.sections import (
    IngestionSettings,
    ParserSettings,
    RetrievalSettings,
    Settings,
)
from desktop.core.store.database import Database
from desktop.models.inference_thread import InferenceThread
from knowledge.domain_shelf import DomainShelf
from tests.e2e.real_library import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from desktop.core.reader.evidence import Evidence

    Search = Callable[[str], list[Evidence]]
    Found = dict[str, list[Evidence]]

LEAST_RIGHT = 0.9

INSTALLATION = "hx200_installation_manual.pdf"
OPERATOR = "hx200_operator_manual.pdf"
BOTH = ""
SAMPLE_QUESTIONS = (
    ("How do I wire the external battery G2?", INSTALLATION),
    ("Where do I connect the float switch S-130?", INSTALLATION),
    ("How is the RS-485 bus terminated?", INSTALLATION),
    ("Which jumper is set for the external battery?", INSTALLATION),
    ("How is the station lifted?", INSTALLATION),
    ("What must be checked before the pumps are commissioned?", INSTALLATION),
    ("Which cable does the pressure transmitter need?", INSTALLATION),
    ("What pre-charge does the vessel need when it is installed?", INSTALLATION),
    ("How do I change the setpoint?", OPERATOR),
    ("Which menu shows the state of the battery?", OPERATOR),
    ("What does the red light mean?", OPERATOR),
    ("How do I acknowledge an alarm?", OPERATOR),
    ("How do I run a pump by hand?", OPERATOR),
    ("What can be set in Menu 53?", OPERATOR),
    ("Which key starts a test run of pump P2?", OPERATOR),
    ("Wie quittiere ich eine Störung?", OPERATOR),
    ("What is the control unit CU-20?", BOTH),
    ("What is the battery G1 for?", BOTH),
    ("What do the manuals say about the float switch S-130?", BOTH),
    ("Tell me about the diaphragm vessel V1.", BOTH),
)

BENCH = ROOT.parent / "shared" / "bench"
READY_LIBRARY = os.environ.get("GROUNDWORK_BENCH_LIBRARY", "")
"""A library with all manuals and their vectors; without one the bench goes by words alone."""
# A question names or implies a product if one of these stands in it.
PRODUCT_WORDS = re.compile(
    r"beaglebone|\bcape\b|expansion header P9"
    r"|mppt 1210|solar|charge controller|sun-power regulator"
    r"|lime2|allwinner|olinuxino|imx233"
    r"|\bzoe\b|ladesäule|säule|fahrzeug|wagen|reifendruck|can pid decoder"
    r"|voron|klipper|skr mini|hotend|hot end"
    r"|\bcfe\b|flight software|telemetry"
    r"|thorguard|intrusion|menu \d\d|event log|branch test|soak test|duress|user profile"
    r"|pin code|system programming menus|battery test",
    re.IGNORECASE,
)


@contextmanager
def searching(folder: Path, *, model: bool, domains: bool = True) -> Iterator[Search]:
    """Search a library as the program does, or by words alone, or without its domains."""
    inference = InferenceThread()
    with Database.open(folder, read_only=True) as database, closing(inference):
        built_in = make_text_model(inference)
        embedder = make_embedders(built_in, make_manager(inference, Settings()))[0]
        shelf = DomainShelf(LibraryFolder(folder).domains, Library(database, folder).documents)
        searcher = Searcher(
            database,
            embedder if model else None,
            RetrievalSettings(),
            shelf if domains else None,
        )
        yield lambda question: searcher.search(Query(question, limit=40))


@pytest.fixture(scope="module", params=[True, False], ids=["with the text model", "words alone"])
def found(request, sample_library) -> Found:
    """The pages that each question finds, best first."""
    with searching(sample_library, model=request.param) as search:
        return {question: search(question) for question, _ in SAMPLE_QUESTIONS}


def right(found: list[Evidence], manual: str) -> bool:
    if manual == BOTH:
        return {page.document for page in found[:FIRST_PAGES]} == {INSTALLATION, OPERATOR}
    return found[0].document == manual


def test_success_criterion_1_questions_go_to_the_installers_or_the_operators_manual_first(found):
    wrong = [q for q, manual in SAMPLE_QUESTIONS if not right(found[q], manual)]
    assert len(SAMPLE_QUESTIONS) == 20
    assert len(wrong) <= (1 - LEAST_RIGHT) * len(SAMPLE_QUESTIONS), wrong


@pytest.mark.parametrize("question", [q for q, manual in SAMPLE_QUESTIONS if manual == BOTH])
def test_a_question_about_a_component_shows_both_manuals(found, question):
    assert right(found[question], BOTH)


def test_the_other_manual_is_never_hidden(found, sample_library):
    with searching(sample_library, model=False, domains=False) as search:
        for question, pages in found.items():
            expected = {page.document for page in search(question)}
            assert {page.document for page in pages} >= expected, question


@pytest.fixture(scope="module")
def bench_library(tmp_path_factory) -> Path:
    """All manuals of the bench in one library, with the domains that are proposed for them."""
    folder: Path = tmp_path_factory.mktemp("bench") / "library"
    if READY_LIBRARY:
        shutil.copytree(READY_LIBRARY, folder)
    with Database.open(folder) as database:
        library = Library(database, folder)
        if not READY_LIBRARY:
            take_in_words(database, library, tmp_path_factory.mktemp("manuals"))
        DomainProposals(library, LibraryFolder(folder).domains).update()
    return folder


def take_in_words(database: Database, library: Library, copies: Path) -> None:
    """Read the words of every manual; of the scan those that its original has, without OCR."""
    for path in (BENCH / "manuals").glob("*.pdf"):
        shutil.copy(path, copies)
    shutil.copy(BENCH / "scan_original_with_text.pdf", copies / "scan_imx233_olinuxino_micro.pdf")
    parser = InProcessParser(ParserSettings(ocr=False, layout_model=False))
    ingestion = Ingestion(database, library, parser, None, IngestionSettings(free_space_mib=0))
    ingestion.enqueue([copies])
    list(ingestion.run(CancelToken()))
    parser.close()


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.skipif(not BENCH.exists(), reason="the bench is not there")
@pytest.mark.timeout(900)
def test_a_question_that_names_or_implies_a_product_gets_its_manual_first(bench_library):
    gold = read_gold(BENCH / "gold.json").questions
    asked = [q for q in gold if q.answerable and PRODUCT_WORDS.search(q.question)]
    assert len(asked) > 80
    with searching(bench_library, model=bool(READY_LIBRARY)) as search:
        wrong = [
            question.id
            for question in asked
            if search(question.question)[0].document
            not in {document for document, _ in question.gold_pages()}
        ]
    share = 1 - len(wrong) / len(asked)
    assert share >= LEAST_RIGHT, f"{share:.3f} of {len(asked)}; wrong: {wrong}"
