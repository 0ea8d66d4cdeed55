"""Loading JSON: the good items are kept, the others named, and nothing is ever half written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from knowledge.base import memory_knowledge_base
from knowledge.errors import KnowledgeFileError
from knowledge.loader import KnowledgeDataLoader, exported
from knowledge.pieces import KnowledgePiece, KnowledgeType, PageLink
from tests.fakes.knowledge import BACKENDS, knowledge_base
from tests.fakes.les_knowledge import STRUCTURED

LINKED = {**STRUCTURED["graph"]["edges"][0], "properties": {"piece_id": "les-rans-init"}}
SEED = {**STRUCTURED, "graph": {**STRUCTURED["graph"], "edges": [LINKED]}}


@pytest.fixture(params=BACKENDS)
def base(request, tmp_path):
    with knowledge_base(request.param, tmp_path) as opened:
        yield opened


def load(base, path, data):
    path.write_text(json.dumps(data), "utf-8")
    return KnowledgeDataLoader(base).load_file(path)


def test_the_three_sections_are_loaded(base, tmp_path):
    summary = load(base, tmp_path / "in.json", SEED)
    assert (summary.metadata, summary.pieces, summary.nodes, summary.edges) == (1, 1, 2, 1)
    assert summary.problems == []
    piece = base.piece_store.get("les-rans-init")
    assert piece.knowledge_type is KnowledgeType.PROCEDURE
    assert piece.tags == ("les", "initialization", "rans")
    assert base.retrieve("", "user:alice").graph_context[0]["piece_id"] == "les-rans-init"


def test_loading_the_same_file_twice_changes_nothing(base, tmp_path):
    load(base, tmp_path / "in.json", SEED)
    before = exported(base)
    summary = load(base, tmp_path / "in.json", SEED)
    assert (summary.loaded, summary.changed) == (5, 0)
    assert exported(base) == before


def test_what_is_exported_can_be_loaded_again(base, tmp_path):
    load(base, tmp_path / "in.json", SEED)
    base.add_piece(KnowledgePiece(
        "note", "See the drawing.", author="fitter", created="2026-03-12",
        links=(PageLink("ab" * 32, 3, "drawing", ((1.0, 2.0, 3.0, 4.5),)),),
    ))  # fmt: skip
    other = memory_knowledge_base()
    assert load(other, tmp_path / "out.json", exported(base)).problems == []
    assert exported(other) == exported(base)
    assert other.piece_store.get("note") == base.piece_store.get("note")


def piece(**changes):
    return {"piece_id": "p", "content": "Some words."} | changes


@pytest.mark.parametrize(
    ("section", "item", "position", "said"),
    [
        ("pieces", piece(content=" "), "pieces[1]", "The content is empty"),
        ("pieces", {"piece_id": "p"}, "pieces[1]", "content is missing"),
        ("pieces", piece(knowledge_type="opinion"), "pieces[1]",
         "knowledge_type is wrong: it must be one of fact, instruction, preference"),
        ("pieces", piece(knowledge_type=None), "pieces[1]", "knowledge_type is wrong"),
        ("pieces", piece(content="password: Sesame42!"), "pieces[1]", "seems to contain"),
        ("pieces", piece(content="x" * 10_000_000), "pieces[1]", "10,000,000 characters"),
        ("pieces", piece(colour="red"), "pieces[1]", "colour is not known here"),
        ("pieces", piece(tags="les"), "pieces[1]", "tags is wrong"),
        ("pieces", piece(links=[{"document": "d", "page": -1}]), "pieces[1]", "links.0.page"),
        ("pieces", "just words", "pieces[1]", "This is not a JSON object"),
        ("pieces", piece(piece_id="good"), "pieces[1]", "the same piece_id"),
        ("nodes", {"node_id": "n"}, "graph.nodes[1]", "node_type is missing"),
        ("nodes", {"node_id": "", "node_type": "x"}, "graph.nodes[1]", "node_id is wrong"),
        ("edges", {"source_id": "good", "target_id": "gone", "edge_type": "X"}, "graph.edges[0]",
         "There is no entry 'gone'"),
        ("edges", {"source_id": "good", "target_id": "good", "edge_type": "X",
                   "properties": {"token": "tok-4711-0815"}}, "graph.edges[0]", "seems to contain"),
        ("metadata", {"properties": {}}, "metadata[1]", "entity_type is missing"),
        ("metadata", {"entity_type": "user", "entity_id": "bob"}, "metadata[1]",
         "entity_id is not the key"),
        ("metadata", {"entity_type": "user", "properties": {"api_key": "a1b2c3d4e5"}},
         "metadata[1]", "seems to contain"),
    ],
)  # fmt: skip
def test_a_bad_item_is_named_and_the_others_are_loaded(
    tmp_path, caplog, section, item, position, said
):
    data: dict[str, Any] = {
        "metadata": {"good": {"entity_type": "asset"}},
        "pieces": [piece(piece_id="good")],
        "graph": {"nodes": [{"node_id": "good", "node_type": "asset"}], "edges": []},
    }
    if section == "metadata":
        data["metadata"]["user:bad"] = item
    else:
        (data if section == "pieces" else data["graph"])[section].append(item)
    base = memory_knowledge_base()
    summary = load(base, tmp_path / "in.json", data)
    (problem,) = summary.problems
    assert problem.position == position
    assert said in problem.reason
    assert len(problem.reason) < 300
    assert position in caplog.text
    assert not any(secret in caplog.text for secret in ("Sesame42!", "tok-4711", "a1b2c3d4e5"))
    assert summary.loaded == 3
    assert base.piece_store.get("good") is not None


def test_an_edge_whose_piece_is_missing_is_kept_with_a_warning(base, tmp_path):
    summary = load(base, tmp_path / "in.json", SEED | {"pieces": []})
    assert [str(problem) for problem in summary.problems] == [
        "graph.edges[0]: The note 'les-rans-init' that this links to is not there yet."
    ]
    assert len(base.graph_store.edges()) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"pieces": [}', "is not valid JSON: Expecting value (line 1, column 13)"),
        (b"", "is not valid JSON"),
        (b"[1, 2]", "contains no object"),
        (b'{"pieces": {}}', "pieces is an object, not a list"),
        (b'{"metadata": []}', "metadata is a list, not an object"),
        (b'{"graph": {"nodes": {}}}', "graph.nodes is not a list"),
        (b"\xff\xfe\x00", "is not UTF-8 text"),
        (b'{"metadata": {"a": 1, "a": 2}}', "the same name twice"),
        (b'{"metadata": NaN}', "NaN is no number"),
        (b'{"pieces": ' + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_knowledge_changes_nothing_and_says_why(base, tmp_path, text, said):
    path = tmp_path / "in.json"
    path.write_bytes(text)
    with pytest.raises(KnowledgeFileError) as error:
        KnowledgeDataLoader(base).load_file(path)
    assert said in str(error.value)
    assert list(base.piece_store.all()) == []


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(KnowledgeFileError, match=r"in\.json cannot be read"):
        KnowledgeDataLoader(memory_knowledge_base()).load_file(tmp_path / "in.json")


def test_unknown_sections_are_reported(tmp_path):
    summary = load(memory_knowledge_base(), tmp_path / "in.json", {"facts": [], "pieces": []})
    assert "'facts' is not known" in summary.problems[0].reason


def test_a_failure_of_the_store_while_loading_leaves_nothing(base, tmp_path, monkeypatch):
    def fail(node):
        raise OSError("disk is gone")

    monkeypatch.setattr(base.graph_store, "add_node", fail)
    with pytest.raises(OSError, match="disk is gone"):
        load(base, tmp_path / "in.json", SEED)
    assert exported(base) == {"metadata": {}, "pieces": [], "graph": {"nodes": [], "edges": []}}


LOADING = """
import sys
from pathlib import Path
from knowledge.loader import KnowledgeDataLoader
from tests.fakes.knowledge import knowledge_base
backend, folder, source = sys.argv[1:]
base = knowledge_base(backend, Path(folder))
add = base.piece_store.add_all
base.piece_store.add_all = lambda pieces: (add(pieces), print("some", flush=True))[0]
KnowledgeDataLoader(base).load_file(Path(source))
print("done", flush=True)
"""


def test_a_loading_that_is_stopped_between_two_items_leaves_nothing(base):
    calls = 0

    def stop() -> None:
        nonlocal calls
        calls += 1
        if calls == 5:  # after the profile, the piece and a node
            raise InterruptedError

    with pytest.raises(InterruptedError):
        KnowledgeDataLoader(base, stop).load(SEED)
    assert exported(base) == {"metadata": {}, "pieces": [], "graph": {"nodes": [], "edges": []}}
    assert KnowledgeDataLoader(base).load(SEED).loaded == 5


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
@pytest.mark.parametrize("backend", ["file", "sqlite"])
@pytest.mark.parametrize("after", [1, 3, 5])
def test_killed_while_loading_it_has_all_or_nothing(tmp_path, backend, after):
    old = {"pieces": [piece(piece_id="old")]}
    new = {
        "metadata": SEED["metadata"],
        "pieces": [piece(piece_id=f"new{n}", content=f"Words {n}.") for n in range(3000)],
        "graph": SEED["graph"],
    }
    source = tmp_path / "in.json"
    with knowledge_base(backend, tmp_path) as base:
        load(base, source, old)
    source.write_text(json.dumps(new))
    child = subprocess.Popen(
        [sys.executable, "-c", LOADING, backend, str(tmp_path), str(source)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert child.stdout is not None
    for _ in range(after):
        assert child.stdout.readline() == b"some\n"
    time.sleep(0.002 * after)
    child.send_signal(signal.SIGKILL)
    finished = b"done" in child.stdout.read()
    child.wait()
    child.stdout.close()
    with knowledge_base(backend, tmp_path) as base:
        kept = exported(base)
        assert len(kept["pieces"]) in ((3001,) if finished else (1, 3001))
        assert bool(kept["metadata"]) == bool(kept["graph"]["nodes"]) == (len(kept["pieces"]) > 1)
        assert KnowledgeDataLoader(base).load(new).pieces == 3000
        assert len(exported(base)["pieces"]) == 3001
