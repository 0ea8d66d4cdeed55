"""Packs built by several workers of a Ray on this computer: `make test-cluster`.

Starting Ray costs a quarter of a minute of processor time: .ci/run runs what must always hold.
A manual that says "poison" does to its worker what its test asks for.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest

import desktop
from desktop.app import models
from desktop.cli.application import main
from desktop.core.errors import ManualPackRefused
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.manual_packs.building import (
    PackTools,
    build_pack,
    one_after_the_other,
    read_quarantine,
)
from desktop.core.manual_packs.cluster import ENDS_ALLOWED, RayWorkers
from desktop.core.manual_packs.manifest import PackFolder, read_manifest
from desktop.core.parsing.process import ParserProcess
from desktop.core.paths import sample_manuals
from desktop.core.settings.sections import Settings
from tests.core.manual_packs.conftest import Company
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.page_embedder import FakePageEmbedder
from tests.fakes.parser import FakeParser

pytestmark = pytest.mark.slow
# found, not imported: Ray looks at its environment when it is imported
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="no Ray here: make test-cluster")

ROOT = Path(desktop.__file__).resolve().parents[1]

HARMFUL_READER = """
import os, signal, sys, time
from pathlib import Path
from desktop.core.parsing.messages import claim_standard_streams
incoming, outgoing = claim_standard_streams()
from desktop.core.parsing.service import ParsingService
from desktop.core.parsing.worker import serve
sound = ParsingService.open

def harm(self, path, *args, **kwargs):
    told = Path(path).read_bytes()
    if b"% hang" in told:
        time.sleep(600)
    if b"% crash" in told:
        os.kill(os.getpid(), signal.SIGSEGV)
    hoard = []
    while b"% hoard" in told:
        hoard.append(b"x" * (8 << 20))
    return sound(self, path, *args, **kwargs)

ParsingService.open = harm
serve(incoming, outgoing, None)
"""


class Poisoned(FakeEmbedder):
    """Does what a word stands for where a text says it."""

    def __init__(self, harms):
        super().__init__()
        self._harms = harms

    def embed(self, texts):
        for word, harm in self._harms.items():
            if any(word in text for text in texts):
                harm()
        return super().embed(texts)


def end_process():
    os.kill(os.getpid(), signal.SIGKILL)


def end_process_once(mark):
    if not mark.exists():
        mark.touch()
        end_process()


def run_out_of_memory():
    """Ask for more than this process may have from now on, as under a container's limit."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    most = psutil.Process().memory_info().vms + (1 << 30)  # Ray's own threads go on
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        bytearray(4 << 30)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def scripted(harms=None, pages=False, text_model="fake-embedder@1"):
    text = Poisoned(harms) if harms else FakeEmbedder(text_model)
    yield PackTools(FakeParser(), text, FakePageEmbedder() if pages else None, Settings())


@contextmanager
def reading():
    """The parser process of the application, which files that say so hang, crash and fill."""
    settings = Settings()
    settings.parser.document_seconds = 30  # a busy machine reads the sample in ten
    settings.parser.memory_gib = 1.5  # a page of the sample takes up to 0.5
    how = [sys.executable, "-c", HARMFUL_READER]
    with closing(ParserProcess(settings.parser, how)) as parser:
        yield PackTools(parser, FakeEmbedder(), None, settings)


def building(sources, pack, tools, shards, cancel=None):
    """Yield what becomes of the files."""
    with tools() as made:
        yield from build_pack(
            sources,
            pack,
            made,
            cancel or CancelToken(),
            name="Plant",
            expires_at=None,
            build_shards=shards,
        )


def build(sources, root, tools, *, workers=2, cancel=None):
    """Build with workers, 0: without Ray. Returns: the pack, and what became of the files."""
    pack = PackFolder(root)
    shards = RayWorkers(tools, workers) if workers else one_after_the_other
    return pack, list(building(sources, pack, tools, shards, cancel))


def manifest_of(pack):
    manifest = read_manifest(pack)
    assert manifest is not None
    return manifest


def contents(pack):
    """Return all that is in a pack, but what says when it was made and by which id."""
    files = {
        path.relative_to(pack.root).as_posix(): path.read_bytes()
        for folder in ("shards", "manuals")
        for path in (pack.root / folder).iterdir()
    }
    told = manifest_of(pack).model_dump(mode="json") | {"id": "", "created_at": ""}
    return files, told, json.loads(pack.quarantine.read_text())


def quarantined(pack):
    return {Path(each.path).name: each.reason for each in read_quarantine(pack)}


@pytest.fixture
def company(tmp_path):
    company = Company(tmp_path / "company")
    for number in range(6):
        company.write(f"hall {number % 2}/m{number}.pdf", [f"Pump {number}.", "Close the valve."])
    return company


@needs_ray
def test_a_pack_of_many_workers_equals_one_of_a_single_process_and_nobody_reaches_them(
    company, tmp_path
):
    (company.manuals / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    shutil.copy(company.manuals / "hall 0" / "m0.pdf", company.manuals / "copy.pdf")
    tools = partial(scripted, pages=True)
    many, done = PackFolder(tmp_path / "many"), []
    heard: set[str] = set()
    telling: set[str | None] = set()
    for event in building([company.manuals], many, tools, RayWorkers(tools, 2)):
        done.append(event.done)
        heard |= reached()
        telling |= telling_its_makers()
    one, _ = build([company.manuals], tmp_path / "one", tools, workers=0)
    assert contents(many) == contents(one)
    assert done == list(range(1, 9))
    assert telling == {"0"}
    assert heard == {"127.0.0.1"}


def reached():
    """Return the addresses at which this process and all that it started listen or talk."""
    mine = {os.getpid(), *(each.pid for each in psutil.Process().children(recursive=True))}
    ends = [
        end
        for each in psutil.net_connections("inet")
        if each.pid in mine
        for end in (each.laddr, each.raddr)
    ]
    return {end[0].removeprefix("::ffff:") for end in ends if end}


def telling_its_makers():
    """Return what Ray's own processes are told about telling its makers how it is used."""
    told = set()
    for each in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # it has ended since it was listed
            if each.name() in ("raylet", "gcs_server"):
                told.add(each.environ().get("RAY_USAGE_STATS_ENABLED"))
    return told


@needs_ray
def test_the_parser_process_is_held_to_its_limits_and_its_culprits_are_set_aside(tmp_path):
    manuals = tmp_path / "manuals"
    manuals.mkdir()
    sample = min(sample_manuals(), key=lambda path: path.stat().st_size)
    shutil.copy(sample, manuals)
    for harm in ("hang", "crash", "hoard"):
        told = sample.read_bytes() + f"\n% {harm}\n".encode()
        (manuals / f"{harm}.pdf").write_bytes(told)
    many, _ = build([manuals], tmp_path / "many", reading)
    one, _ = build([manuals], tmp_path / "one", reading, workers=0)
    assert contents(many) == contents(one)
    assert set(quarantined(many)) == {"hang.pdf", "crash.pdf", "hoard.pdf"}
    assert all(quarantined(many).values())
    assert {each.name for each in manifest_of(many).shards} == {sample.name}


@needs_ray
def test_a_killed_worker_loses_nothing_and_who_kills_every_worker_is_set_aside_alone(
    company, tmp_path
):
    company.write("hall 1/last.pdf", ["This is poison."])
    undisturbed, _ = build([company.manuals], tmp_path / "one", scripted, workers=0)
    company.write("hall 1/culprit.pdf", ["This is a deadly valve."])
    company.write("hall 0/large.pdf", ["This is a boundless valve."])
    harms = {
        "poison": partial(end_process_once, tmp_path / "killed"),
        "deadly": end_process,
        "boundless": run_out_of_memory,
    }
    many, events = build([company.manuals], tmp_path / "many", partial(scripted, harms))
    assert (tmp_path / "killed").exists()
    aside = quarantined(many)
    assert set(aside) == {"culprit.pdf", "large.pdf"}
    assert f"stopped {ENDS_ALLOWED} times" in aside["culprit.pdf"]
    assert "more memory" in aside["large.pdf"]
    read = {"last.pdf", *(f"m{number}.pdf" for number in range(6))}
    assert sorted(event.path.name for event in events) == sorted(read | set(aside))
    assert contents(many)[:2] == contents(undisturbed)[:2]
    assert len(contents(many)[0]) == 3 * len(read)
    _, again = build([company.manuals], tmp_path / "many", scripted, workers=0)
    assert not any(event.built for event in again)  # they are left alone, until --retry
    assert not many.work.exists()


DRIVER = """
import sys, time
from functools import partial
from pathlib import Path
from tests.core.manual_packs.test_cluster import build, scripted
root = Path(sys.argv[1])
build([root / "manuals"], root / "pack", partial(scripted, {"poison": partial(time.sleep, 600)}))
"""


@needs_ray
def test_a_build_that_is_killed_goes_on_where_it_was(company):
    company.write("zz.pdf", ["This is poison."])  # whoever reads it waits until the kill
    (company.root / "driver.py").write_text(DRIVER)
    driver = subprocess.Popen(
        [sys.executable, company.root / "driver.py", company.root],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )
    pack = company.pack
    deadline = time.monotonic() + 300
    while len(list(pack.entry("").parent.glob("*.json"))) < 6:
        assert driver.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)
    started = psutil.Process(driver.pid).children(recursive=True)
    theirs = [each for each in started if "Agent" not in each.name()]  # Ray's, which end later
    driver.kill()
    driver.wait()
    _, alive = psutil.wait_procs(theirs, timeout=60)
    assert not alive  # no worker stays behind
    written = {path: path.stat().st_mtime_ns for path in pack.entry("").parent.iterdir()}
    _, events = build([company.manuals], pack.root, scripted)
    assert [event.path.name for event in events if event.built] == ["zz.pdf"]
    assert (
        written.items()
        <= {path: path.stat().st_mtime_ns for path in pack.entry("").parent.iterdir()}.items()
    )
    assert manifest_of(pack).manuals == 7


@needs_ray
def test_a_build_that_a_person_stops_says_so_and_leaves_no_list(company):
    company.write("zz.pdf", ["This is poison."])  # whoever reads it waits until the end
    cancel = CancelToken()

    def stop():
        while len(list(company.pack.root.glob("shards/*.json"))) < 6:
            time.sleep(0.1)
        cancel.cancel()

    stopping = threading.Thread(target=stop)
    stopping.start()
    with pytest.raises(Cancelled):
        build(
            [company.manuals],
            company.pack.root,
            partial(scripted, {"poison": partial(time.sleep, 600)}),
            cancel=cancel,
        )
    stopping.join()
    assert not company.pack.manifest.exists()
    assert len(list(company.pack.root.glob("shards/*.json"))) == 6


# a process of its own, as a token for one Ray is none for the next
LOST_COMPUTER = """
import sys
from functools import partial
from pathlib import Path
from ray.cluster_utils import Cluster
from desktop.core.manual_packs.cluster import RayWorkers
from desktop.core.manual_packs.manifest import PackFolder
from tests.core.manual_packs.test_cluster import building, scripted
root = Path(sys.argv[1])
node = {"num_cpus": 4, "object_store_memory": 128 << 20}
head = node | {"num_gpus": 1, "include_dashboard": False}  # a GPU is a number to Ray
cluster = Cluster(initialize_head=True, head_node_args=head)
lost = cluster.add_node(**node)
tools = partial(scripted, pages=True)
shards = RayWorkers(tools, workers=4, address=cluster.address)
built = []
for event in building([root / "manuals"], PackFolder(root / "pack"), tools, shards):
    if not built:
        cluster.remove_node(lost, allow_graceful=False)
    built.append(event.path.name)
cluster.shutdown()
(root / "built").write_text(" ".join(sorted(built)))
"""


@needs_ray
def test_a_computer_that_is_lost_takes_nothing_with_it(company, tmp_path):
    """Two nodes of a cluster on this computer: pages are looked at on one, the other is killed."""
    one, _ = build([company.manuals], tmp_path / "one", partial(scripted, pages=True), workers=0)
    (company.root / "driver.py").write_text(LOST_COMPUTER)
    ended = subprocess.run(
        [sys.executable, company.root / "driver.py", company.root],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert (company.root / "built").read_text() == "m0.pdf m1.pdf m2.pdf m3.pdf m4.pdf m5.pdf"
    assert contents(company.pack) == contents(one)


@needs_ray
def test_a_worker_with_other_models_builds_nothing(company):
    others = RayWorkers(partial(scripted, text_model="other-embedder@1"), workers=1)
    with pytest.raises(ManualPackRefused, match="different models or a different Groundwork"):
        list(building([company.manuals], company.pack, scripted, others))
    assert not company.pack.manifest.exists()
    assert not list(company.pack.root.glob("shards/*"))


def _scripted_for(_settings):
    return scripted()


@needs_ray
def test_the_command_builds_with_workers(company, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(models, "open_pack_tools", _scripted_for)
    told = ["pack", "build", str(company.manuals), "--out", str(tmp_path / "p"), "--workers", "2"]
    assert main(told) == 0
    assert "6 manuals, 12 pages. 6 built now" in capsys.readouterr().out


def test_without_ray_the_command_says_what_to_install(company, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(models, "open_pack_tools", _scripted_for)
    monkeypatch.setitem(sys.modules, "ray", None)
    told = ["pack", "build", str(company.manuals), "--out", str(tmp_path / "pack")]
    assert main([*told, "--workers", "2"]) == 1
    assert "pip install 'groundwork[cluster]'" in capsys.readouterr().err
    assert main(told) == 0
