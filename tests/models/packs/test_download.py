"""Downloading from a hub on this machine: resumed, verified, installed, and nothing else asked."""

import json
import os
import subprocess
import threading

import pytest

from desktop.models.catalogue import Catalogue
from desktop.models.errors import DownloadFailed, PackRefused
from desktop.models.packs import download as downloads
from desktop.models.packs.download import arrived_bytes, discard, download, offer
from desktop.models.packs.model_folder import ModelFolder
from desktop.models.packs.operations import verify
from desktop.models.packs.pack_events import PackDone, PackProgress, PackVerified
from desktop.process_environment import own_command, own_environment
from tests.fakes.hub import COMMIT, FakeHub
from tests.fakes.model_files import model_files, shard

ENTRY = (
    Catalogue.load()
    .entries[0]
    .model_copy(update={"disk_gb": 0.026, "repository": "someone/Small-Model"})
)
LARGE = {
    "config__json": {"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"]},
    "model-00001-of-00002__safetensors": shard("a", 5_500_000),
    "model-00002-of-00002__safetensors": shard("b", 1_000_000),
}

# the library writes in pieces of 10 MiB
BROKEN_AT, SURELY_KEPT = 21_500_000, 20 * 2**20


@pytest.fixture
def hub(monkeypatch):
    files = {**model_files(**LARGE), "pytorch_model.bin": b"\x80\x04pickle", "run.py": b"1/0"}
    with FakeHub(ENTRY.repository, files) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
        yield running


@pytest.fixture
def folder(tmp_path):
    return ModelFolder(tmp_path / "models")


def run(folder, **options):
    return list(download(ENTRY, folder, Catalogue.load(), **options))


def damage(folder):
    last = list(verify(ENTRY.id, folder))[-1]
    assert isinstance(last, PackVerified)
    return last.damage


def test_a_downloaded_model_is_installed_with_its_origin_and_every_hash(hub, folder):
    events = run(folder)
    assert isinstance(events[-1], PackDone)
    manifest = folder.manifest(ENTRY.id)
    assert (manifest.repository, manifest.revision) == (ENTRY.repository, COMMIT)
    assert (manifest.title, manifest.licence) == (ENTRY.title, ENTRY.licence)
    assert {file.path for file in manifest.files} == {
        "README.md",
        "config.json",
        "model-00001-of-00002.safetensors",
        "model-00002-of-00002.safetensors",
        "model.safetensors.index.json",
        "tokenizer.json",
        "tokenizer_config.json",
    }
    assert damage(folder) == ()
    assert [name for name in os.listdir(folder.root) if name.startswith(".importing")] == []
    assert arrived_bytes(ENTRY.id, folder) == 0


def test_the_progress_reaches_the_size_that_the_hub_lists(hub, folder):
    steps = [e for e in run(folder) if isinstance(e, PackProgress) and e.stage == "downloading"]
    assert steps[-1].done_bytes == steps[-1].total_bytes
    assert steps[-1].total_bytes == folder.manifest(ENTRY.id).size_bytes
    assert [s.done_bytes for s in steps] == sorted(s.done_bytes for s in steps)


def test_only_the_listing_and_the_models_own_files_are_asked_for(hub, folder):
    run(folder)
    assert hub.requests[0].startswith(f"/api/models/{ENTRY.repository}")
    prefix = f"/{ENTRY.repository}/resolve/{COMMIT}/"
    asked = {path.removeprefix(prefix) for path in hub.requests[1:]}
    assert asked == {file.path for file in folder.manifest(ENTRY.id).files}


def test_a_broken_download_says_so_and_the_next_one_goes_on_from_there(hub, folder):
    hub.break_after = BROKEN_AT
    with pytest.raises(DownloadFailed, match="What has arrived is kept"):
        run(folder)
    assert folder.installed() == []
    kept = arrived_bytes(ENTRY.id, folder)
    assert kept >= SURELY_KEPT

    hub.status = None
    sent = hub.sent_bytes
    assert isinstance(run(folder)[-1], PackDone)
    assert hub.sent_bytes - sent <= sum(map(len, hub.files.values())) - SURELY_KEPT
    assert any(start >= SURELY_KEPT for _, start in hub.ranges)
    assert damage(folder) == ()


def test_a_hub_that_cannot_resume_sends_the_file_again_and_it_is_right(hub, folder):
    hub.break_after = BROKEN_AT
    with pytest.raises(DownloadFailed):
        run(folder)
    hub.status, hub.ignore_ranges = None, True
    assert isinstance(run(folder)[-1], PackDone)
    assert damage(folder) == ()


def test_a_download_follows_the_hub_to_where_the_files_are_and_resumes_there(hub, folder):
    hub.redirect, hub.break_after = True, BROKEN_AT
    with pytest.raises(DownloadFailed):
        run(folder)
    hub.status = None
    assert isinstance(run(folder)[-1], PackDone)
    assert any(start >= SURELY_KEPT for _, start in hub.ranges)
    assert damage(folder) == ()


@pytest.mark.parametrize("name", ["model-00002-of-00002.safetensors", "tokenizer.json"])
def test_a_file_that_arrives_with_another_hash_is_refused_and_deleted(hub, folder, name):
    hub.altered = {name}
    with pytest.raises(DownloadFailed, match=f"{name} arrived damaged"):
        run(folder)
    assert folder.installed() == []
    hub.altered = set()
    assert isinstance(run(folder)[-1], PackDone)


def test_cancelling_keeps_what_arrived_and_ends_the_child(hub, folder):
    hub.chunk_pause = 0.02
    stop = threading.Event()
    seen = []
    for event in download(ENTRY, folder, Catalogue.load(), cancelled=stop.is_set):
        seen.append(event)
        if isinstance(event, PackProgress) and event.done_bytes > 0:
            stop.set()
    assert not any(isinstance(event, PackDone) for event in seen)
    assert folder.installed() == []
    assert arrived_bytes(ENTRY.id, folder) > 0
    assert discard(ENTRY.id, folder)
    assert arrived_bytes(ENTRY.id, folder) == 0


def test_a_hub_that_cannot_be_reached_is_named(folder, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(DownloadFailed, match=r"127\.0\.0\.1:9 cannot be reached"):
        run(folder)


def test_a_model_that_the_hub_does_not_have_is_refused(hub, folder):
    hub.status = 404
    with pytest.raises(PackRefused, match="does not have someone/Small-Model"):
        run(folder)


def test_an_error_of_the_hub_is_no_fault_of_the_model(hub, folder):
    hub.status = 503
    with pytest.raises(DownloadFailed, match="returned error 503"):
        run(folder)


def test_a_repository_of_another_kind_is_refused_and_nothing_is_kept(hub, folder):
    hub.files["config.json"] = b'{"model_type": "brand_new"}'
    with pytest.raises(PackRefused, match="cannot run this kind of model, brand_new"):
        run(folder)
    assert folder.installed() == []
    assert arrived_bytes(ENTRY.id, folder) == 0


def test_a_model_that_is_there_is_not_downloaded_again(hub, folder):
    run(folder)
    asked = len(hub.requests)
    with pytest.raises(PackRefused, match="already installed"):
        run(folder)
    assert len(hub.requests) == asked


def test_the_offer_names_host_size_and_licence_without_a_network(monkeypatch):
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    made = offer(ENTRY)
    assert (made.host, made.licence) == ("huggingface.co", "Apache-2.0")
    assert made.source == "https://huggingface.co/someone/Small-Model"
    assert made.size_bytes == 26_000_000


def test_this_process_stays_offline(hub, folder):
    run(folder)
    assert os.environ["HF_HUB_OFFLINE"] == "1"


def test_a_second_download_of_the_same_model_is_refused_while_one_runs(hub, folder):
    hub.chunk_pause = 0.01
    first = download(ENTRY, folder, Catalogue.load())
    next(first)
    next(first)
    with pytest.raises(PackRefused, match="already being downloaded"):
        run(folder)
    first.close()


def test_the_child_ends_with_the_program_that_started_it(hub, tmp_path):
    hub.chunk_pause = 0.1
    request = {"repository": ENTRY.repository, "revision": "main", "folder": str(tmp_path)}
    child = subprocess.Popen(
        own_command("--model-download", "desktop.models.packs.download_worker"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=own_environment(),
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(json.dumps(request).encode() + b"\n")
    child.stdin.flush()
    assert b'"plan"' in child.stdout.readline()
    child.stdin.close()  # as the system does for a program that was killed
    assert child.wait(timeout=30) == 1
    child.stdout.close()


def test_a_child_that_dies_is_an_interruption_that_can_be_resumed(hub, folder, monkeypatch):
    monkeypatch.setattr(downloads, "own_command", lambda *_: ["/bin/false"])
    with pytest.raises(DownloadFailed, match="stopped unexpectedly"):
        run(folder)
