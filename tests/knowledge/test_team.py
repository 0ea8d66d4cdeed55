"""What a team shares: `groundwork knowledge connect` and `sync`, with real servers as well."""

from __future__ import annotations

import json

import pytest

from desktop.cli import main
from desktop.core.store.database import Database
from knowledge.base import memory_knowledge_base
from knowledge.errors import TeamAddressUnknown
from knowledge.pieces import KnowledgePiece
from knowledge.team import kept_by, shown, synchronise, team_base
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.les_knowledge import STRUCTURED
from tests.knowledge.servers import chroma_port, redis_url


def _file(folder):
    return [f"file://{folder}/team.json"]


def _servers(folder):
    pytest.importorskip("redis")
    pytest.importorskip("chromadb")
    return [redis_url(), f"chroma://127.0.0.1:{chroma_port()}"]


def _embedded(folder):
    pytest.importorskip("lancedb")
    return [f"lancedb://{folder}/notes"]


@pytest.fixture
def colleague(tmp_path, capsys):
    """Runs `groundwork knowledge` in the library of one of several colleagues."""

    def run(name: str, *arguments: str, code: int = 0) -> str:
        folder = tmp_path / name
        if not folder.exists():
            Database.open(folder).close()
        assert main(["--library", str(folder), "knowledge", *arguments]) == code
        said = capsys.readouterr()
        return str(said.out + said.err)

    return run


def test_two_colleagues_know_the_same_after_a_sync(colleague, tmp_path):
    file = tmp_path / "les.json"
    file.write_text(json.dumps(STRUCTURED), "utf-8")
    colleague("one", "import", str(file))
    (url,) = _file(tmp_path)
    said = colleague("one", "connect", url)
    assert said == f"profiles, notes, relations: {url}\n"
    assert colleague("one", "sync") == "Taken: 0. Given: 5.\n"
    assert colleague("two", "sync") == "Taken: 5. Given: 0.\n"
    assert "les-rans-init" in colleague("two", "list")
    assert colleague("two", "relations") == "Alice > specializes in > LES\n"
    assert colleague("two", "sync") == "Taken: 0. Given: 0.\n"
    assert "Nothing is shared" in colleague("two", "connect")
    assert "knowledge connect URL" in colleague("two", "sync", code=1)


def test_what_cannot_be_reached_is_not_connected(colleague):
    assert "is not a shared knowledge address" in colleague("one", "connect", "ftp://host", code=1)
    assert "knowledge connect URL" in colleague("one", "sync", code=1)


@pytest.mark.parametrize("services", [_file, _servers, _embedded])
def test_notes_go_over_every_service_and_the_newer_version_wins(services, tmp_path):
    urls = services(tmp_path)
    parts = [part for url in urls for part in kept_by(url)]
    one, two = memory_knowledge_base(), memory_knowledge_base()
    old = KnowledgePiece("torque", "Seal bolts: 10 Nm.", created="2026-01-01")
    new = KnowledgePiece("torque", "Seal bolts: 12 Nm.", created="2026-02-02")
    one.add_piece(old)
    two.add_piece(new)
    for own in (one, two, one):
        with team_base(urls, FakeEmbedder(dimension=64)) as team:
            synchronise(own, team, parts)
    assert one.piece_store.get("torque") == two.piece_store.get("torque") == new


def test_a_secret_in_what_a_team_shares_is_not_taken_over(tmp_path):
    urls = _file(tmp_path)
    with team_base(urls, None) as team:
        team.piece_store.add(KnowledgePiece("p", "password: Sesame42!x"))
        own = memory_knowledge_base()
        exchanged = synchronise(own, team, kept_by(urls[0]))
    assert own.piece_store.get("p") is None
    assert len(exchanged.refused) == 1
    assert "Sesame" not in exchanged.refused[0]


def test_an_address_is_shown_without_its_password_and_an_unknown_one_refused():
    assert shown("redis://me:secret@host:1/0") == "redis://me:…@host:1/0"
    with pytest.raises(TeamAddressUnknown, match="redis"):
        kept_by("http://host")
