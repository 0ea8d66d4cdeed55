"""Pass 4: pictures of pages become vectors; with a model, without, and with trouble."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.values import PageFailed, PassProgress
from desktop.core.library.vector_passes import PIXELS, WAITING, drawing_scale
from desktop.core.settings.sections import IngestionSettings
from desktop.models.errors import ModelDamaged, ModelOutOfBudget
from tests.fakes.page_embedder import FakePageEmbedder
from tests.fakes.parser import write_manual

pytestmark = pytest.mark.slow

NO_ROOM = ModelOutOfBudget("ColQwen needs 8 GB, and 2 GB can be had", 8, 2)


@pytest.fixture
def looked(bench, tmp_path):
    """Ingest with a page embedder: `looked(embedder)` is a bench whose ingestion has it."""

    def with_embedder(embedder):
        bench.settings = IngestionSettings(free_space_mib=0)
        bench.ingestion = Ingestion(
            bench.database,
            bench.library,
            bench.parser,
            bench.embedder,
            bench.settings,
            page_embedder=lambda: embedder,
        )
        return bench

    return with_embedder


def stored_pages(bench):
    return bench.rows(
        "SELECT p.page FROM page_codes AS c JOIN pages AS p ON p.id = c.page_id ORDER BY p.page"
    )


def pictures(events):
    return [e for e in events if isinstance(e, PassProgress) and e.pass_name == "pictures"]


def test_every_page_gets_vectors_after_the_manual_is_ready(looked, tmp_path):
    bench = looked(FakePageEmbedder())
    events = bench.run(write_manual(tmp_path / "pump.pdf", ["One", "Two", "Three"]))
    assert stored_pages(bench) == [(0,), (1,), (2,)]
    document = bench.only_document()
    assert (document.state, document.reason, document.pictures_done) == ("ready", "", 3)
    assert (pictures(events)[-1].done, pictures(events)[-1].total) == (3, 3)
    assert not bench.ingestion.has_work()
    assert bench.database.check() == []


def test_without_a_model_the_pass_does_not_exist(looked, tmp_path):
    bench = looked(None)
    events = bench.run(write_manual(tmp_path / "pump.pdf", ["One"]))
    assert pictures(events) == []
    assert not bench.ingestion.has_work()
    assert bench.only_document().pictures_done == 0
    (page,) = bench.library.pages(bench.only_document().id)
    assert "pending" not in page.passes


def test_a_model_that_is_installed_later_finds_the_manuals_that_are_there(looked, tmp_path):
    bench = looked(None)
    bench.run(write_manual(tmp_path / "pump.pdf", ["One", "Two"]))
    bench = looked(FakePageEmbedder())
    assert bench.ingestion.has_work()
    bench.run()
    assert len(stored_pages(bench)) == 2


def test_pages_are_drawn_in_the_size_that_the_model_reads(looked, tmp_path):
    embedder = FakePageEmbedder()
    looked(embedder).run(write_manual(tmp_path / "pump.pdf", ["One"]))
    ((height, width, _),) = embedder.sizes
    assert height * width == pytest.approx(PIXELS, rel=0.01)
    assert height / width == pytest.approx(792 / 612, rel=0.01)
    assert drawing_scale(10, 10) == 4.0  # a stamp is not blown up
    assert drawing_scale(4000, 3000) ** 2 * 4000 * 3000 == pytest.approx(PIXELS)


def test_work_goes_on_where_it_was_stopped(looked, tmp_path):
    embedder, cancel = FakePageEmbedder(), CancelToken()
    bench = looked(embedder)
    embedder.before_each = lambda: cancel.cancel() if embedder.embedded == 2 else None
    bench.run(write_manual(tmp_path / "pump.pdf", ["1", "2", "3", "4", "5"]), cancel=cancel)
    assert stored_pages(bench) == [(0,), (1,), (2,)]  # the page in hand is kept
    embedder.before_each = None
    bench = looked(embedder)
    assert bench.ingestion.has_work()
    bench.run()
    assert len(stored_pages(bench)) == 5
    assert embedder.embedded == 5  # none twice


def test_a_page_that_fails_is_recorded_and_the_others_go_on(looked, tmp_path, monkeypatch):
    bench = looked(FakePageEmbedder())
    draw = bench.parser.draw

    def damaged(path, page, scale, clip=None, password=None):
        if page == 1:
            from desktop.core.errors import UnreadablePdf

            raise UnreadablePdf("The picture is damaged")
        return draw(path, page, scale, clip, password)

    monkeypatch.setattr(bench.parser, "draw", damaged)
    events = bench.run(write_manual(tmp_path / "pump.pdf", ["1", "2", "3"]))
    (failed,) = [e for e in events if isinstance(e, PageFailed)]
    assert (failed.page, failed.pass_name) == (1, "pictures")
    assert stored_pages(bench) == [(0,), (2,)]
    document = bench.only_document()
    assert (document.state, document.failed_pages, document.pictures_done) == ("ready", 0, 3)
    assert not bench.ingestion.has_work()
    monkeypatch.undo()
    bench.ingestion.retry(document.id)  # tries failed pages again
    bench.run()
    assert len(stored_pages(bench)) == 3


def test_without_memory_the_pass_waits_says_why_and_goes_on_later(looked, tmp_path, monkeypatch):
    embedder = FakePageEmbedder()
    bench = looked(embedder)
    now = 1000.0
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("desktop.core.library.vector_passes.time", clock)
    embedder.failure = NO_ROOM
    bench.run(write_manual(tmp_path / "pump.pdf", ["1", "2"]))
    document = bench.only_document()
    assert document.state == "ready"
    assert document.reason == WAITING.format(reason="ColQwen needs 8 GB, and 2 GB can be had.")
    assert not bench.ingestion.has_work()  # the memory is left to others for a while
    now += 61
    assert bench.ingestion.has_work()
    embedder.failure = None
    bench.run()
    assert len(stored_pages(bench)) == 2
    assert bench.only_document().reason == ""


def test_a_damaged_model_ends_the_pass_and_nothing_else(looked, tmp_path):
    embedder = FakePageEmbedder()
    embedder.failure = ModelDamaged("model.safetensors is cut off")
    bench = looked(embedder)
    bench.run(write_manual(tmp_path / "pump.pdf", ["1", "2"]))
    assert bench.only_document().state == "ready"
    assert not bench.ingestion.has_work()
    assert stored_pages(bench) == []


def test_another_model_makes_all_vectors_again(looked, tmp_path):
    bench = looked(FakePageEmbedder())
    bench.run(write_manual(tmp_path / "pump.pdf", ["1", "2"]))
    other = FakePageEmbedder("other-pages@2", dimension=64)
    bench = looked(other)
    assert bench.ingestion.has_work()
    bench.run()
    assert other.embedded == 2
    assert bench.rows("SELECT model_id, dimension FROM page_vector_models") == [
        ("other-pages@2", 64)
    ]
    assert len(stored_pages(bench)) == 2
    assert {len(row[0]) % 64 for row in bench.rows("SELECT vectors FROM page_patches")} == {0}
    assert not bench.ingestion.has_work()
    assert bench.database.check() == []


def test_a_deleted_manual_leaves_no_vectors(looked, tmp_path):
    bench = looked(FakePageEmbedder())
    bench.run(write_manual(tmp_path / "pump.pdf", ["1", "2"]))
    bench.library.delete(bench.only_document().id)
    for table in ("page_codes", "page_patches"):
        assert bench.rows(f"SELECT count(*) FROM {table}") == [(0,)]
    assert bench.database.check() == []


def test_a_manual_deleted_while_it_is_looked_at_ends_quietly(looked, tmp_path):
    embedder = FakePageEmbedder()
    bench = looked(embedder)
    path = write_manual(tmp_path / "pump.pdf", ["1", "2", "3"])
    embedder.before_each = lambda: (
        bench.library.delete(bench.only_document().id) if embedder.embedded == 1 else None
    )
    bench.run(path)
    assert bench.library.documents() == []
    assert bench.database.check() == []


def test_a_locked_manual_stays_ready_when_its_password_is_gone(looked, tmp_path):
    bench = looked(None)
    path = write_manual(tmp_path / "secret.pdf", ["1"], password="1234")
    bench.run(path)
    bench.ingestion.unlock(bench.only_document().id, "1234")
    bench.run()
    assert bench.only_document().state == "ready"
    bench.restart()  # passwords are never written down
    bench = looked(FakePageEmbedder())
    bench.run()
    assert bench.only_document().state == "ready"
    assert stored_pages(bench) == []
    assert not bench.ingestion.has_work()


def test_a_new_manual_is_read_before_more_pages_are_looked_at(looked, tmp_path):
    embedder = FakePageEmbedder()
    bench = looked(embedder)
    second = write_manual(tmp_path / "second.pdf", ["A new one"])

    def drop():
        if embedder.embedded == 1:
            bench.ingestion.enqueue([second])

    embedder.before_each = drop
    bench.run(write_manual(tmp_path / "first.pdf", ["1", "2", "3", "4"]))
    order = bench.rows(
        "SELECT d.name FROM page_codes AS c JOIN pages AS p ON p.id = c.page_id"
        " JOIN documents AS d ON d.id = p.document_id ORDER BY c.id"
    )
    assert [name for (name,) in order] == [
        "first.pdf",
        "first.pdf",
        "second.pdf",
        "first.pdf",
        "first.pdf",
    ]
