"""The SQLite file: vectors of other models, other programs' files, readers beside the writer."""

from __future__ import annotations

import threading
from contextlib import closing

import apsw
import pytest

from desktop.core.notes.desk import connect_notes
from knowledge.errors import KnowledgeStoreError, KnowledgeTooNew
from knowledge.services.retrieval import Document
from knowledge.services.sqlite import KnowledgeDatabase
from knowledge.services.sqlite_retrieval import SQLiteFTS5RetrievalService
from tests.fakes.embedder import FakeEmbedder


@pytest.fixture
def path(tmp_path):
    return tmp_path / "knowledge.db"


def opened(path, vectors=None):
    return SQLiteFTS5RetrievalService(KnowledgeDatabase(lambda: connect_notes(path)), vectors)


def documents(count):
    return [Document(f"d{n}", f"valve number {n}") for n in range(count)]


def test_vectors_are_made_afterwards_for_what_was_kept_without_a_model(path):
    with closing(opened(path)) as service:
        service.put_all(documents(100))
    embedder = FakeEmbedder(dimension=64)
    with closing(opened(path, embedder)) as service:
        before = service.search("valve number 7")
        assert list(service.embed_missing()) == [36, 0]
        assert list(service.embed_missing()) == []
        after = service.search("valve number 7")
    assert len(embedder.embedded) == 100 + 2  # and two questions
    assert before[0][0] == after[0][0] == Document("d7", "valve number 7")


def test_vectors_of_another_model_are_not_compared_with_but_made_again(path):
    with closing(opened(path, FakeEmbedder("old@1", 64))) as service:
        service.put_all(documents(3))
    with closing(opened(path, FakeEmbedder("new@1", 128))) as service:
        assert service.search("number 2")[0][0].document_id == "d2"
        assert list(service.embed_missing()) == [0]
        assert service.search("number 2")[0][0].document_id == "d2"


def test_without_a_model_the_vectors_of_what_changed_are_forgotten(path):
    with closing(opened(path, FakeEmbedder(dimension=64))) as service:
        service.put_all(documents(3))
    with closing(opened(path)) as service:
        service.put(Document("d1", "A pump."))
        service.delete("d2")
    with closing(opened(path, FakeEmbedder(dimension=64))) as service:
        assert list(service.embed_missing()) == [0]
        assert service.search("pump")[0][0].document_id == "d1"


def test_a_file_of_a_newer_version_is_refused_and_left_alone(path):
    opened(path).close()
    connection = connect_notes(path)
    connection.pragma("user_version", 99)
    connection.close()
    with pytest.raises(KnowledgeTooNew, match="version 99"):
        opened(path)


def test_a_database_of_another_program_is_refused_and_left_alone(path):
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE theirs(x)")
    connection.close()
    with pytest.raises(KnowledgeStoreError, match="another program"):
        opened(path)
    connection = apsw.Connection(str(path))
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]
    connection.close()


def test_a_question_does_not_wait_for_a_load_and_sees_nothing_of_it_before_it_is_done(path):
    with closing(opened(path)) as service:
        service.put_all(documents(1))
        found = []
        with service.transaction():
            service.put_all(documents(50))
            reader = threading.Thread(target=lambda: found.append(service.search("valve")))
            reader.start()
            reader.join(10)
            assert len(service.search("valve", top_k=99)) == 50
        assert [len(hits) for hits in found] == [1]
        assert len(service.search("valve", top_k=99)) == 50
