"""Packs on a laptop: what is taken, what is refused, and what of people's own stays."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from desktop.core.errors import BelongsToPack, ManualPackRefused
from desktop.core.geometry import Box
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.library.annotations import Annotation, Annotations, Bookmarks
from desktop.core.library.values import SourceEdit
from desktop.core.manual_packs import manifest as manifest_module
from desktop.core.manual_packs.attached import ManualRefused
from desktop.core.manual_packs.manifest import PackFolder
from desktop.core.problems import explain
from desktop.core.signing import make_key, read_private_key, sign
from desktop.core.store.backups import hash_of
from desktop.core.upkeep.repair import check_library, repair
from tests.fakes.embedder import FakeEmbedder

PUMP = ["Close the valve.", "Torque of the pump is 25 Nm.", "Drain the pump."]


def test_an_attached_pack_is_searched_and_read_as_if_it_were_one_s_own(company, laptop):
    pack = company.release()
    done, _ = laptop.attach(company.pack)
    assert (done.taken, done.refused) == (2, 0)
    assert laptop.found("gearbox") == ["Mixer"]
    pump = laptop.manual("Pump")
    assert (pump.state, pump.pack, pump.done) == ("ready", "Plant", (3, 3, 3))
    assert laptop.library.original_path(pump.id).read_bytes().startswith(b"%PDF")
    assert [entry.title for entry in laptop.library.outline(pump.id)] == ["Safety"]
    (attached,) = laptop.packs.all()
    assert (attached.manuals, attached.pages, attached.release) == (2, 5, 1)
    assert attached.id == pack.id
    assert not attached.remark()
    assert laptop.problems() == []
    assert not laptop.ingestion.has_work()


def test_a_library_of_a_pack_holds_what_one_holds_that_read_the_files_itself(
    company, laptop, tmp_path
):
    company.release()
    laptop.attach(company.pack)
    with type(laptop.database).open(tmp_path / "other") as database:
        other = type(laptop)(tmp_path / "other", database, laptop.trusted)
        other.ingest(company.manuals)
        for sql in (
            "SELECT title, page, label, words FROM documents JOIN pages ON document_id ="
            " documents.id JOIN page_words ON page_id = pages.id ORDER BY title, page",
            "SELECT title, page, kind, text, context, boxes, header_boxes, block, embed FROM units"
            " JOIN documents ON document_id = documents.id ORDER BY title, page, units.id",
            "SELECT title, vector FROM unit_vectors JOIN documents ON documents.id = document_id"
            " ORDER BY title, unit_id",
            "SELECT pass, state, count(*) FROM page_passes GROUP BY 1, 2 ORDER BY 1, 2",
        ):
            assert laptop.rows(sql) == other.rows(sql)
            assert laptop.rows(sql)
        for term in ("mixer", "torqu", "pump", "valv"):
            assert laptop.found(term) == other.found(term)


def test_manuals_of_a_pack_cannot_be_removed_or_read_again_by_themselves(company, laptop):
    company.release()
    laptop.attach(company.pack)
    pump = laptop.manual("Pump").id
    for act in (laptop.library.delete, laptop.ingestion.read_anew):
        with pytest.raises(BelongsToPack) as refused:
            act(pump)
        problem = explain(refused.value)
        assert problem.title == "“Pump” belongs to the pack Plant"
        assert "detach the pack" in problem.advice
    assert laptop.found("valv") == ["Pump"]


class TestRefused:
    def _refused(self, laptop, pack, words):
        with pytest.raises(ManualPackRefused, match=words):
            laptop.attach(pack)
        assert laptop.packs.all() == []
        assert laptop.library.documents() == []

    def test_an_unsigned_pack(self, company, laptop):
        company.build()
        self._refused(laptop, company.pack, "signature is missing")

    def test_a_pack_of_a_stranger(self, company, laptop, tmp_path):
        company.build()
        make_key(tmp_path / "stranger.key")
        data = company.pack.manifest.read_bytes()
        key = read_private_key(tmp_path / "stranger.key")
        company.pack.signature.write_bytes(sign(data, key))
        self._refused(laptop, company.pack, "does not trust")

    def test_a_pack_that_was_changed_afterwards(self, company, laptop):
        company.release()
        values = json.loads(company.pack.manifest.read_bytes())
        values["shards"][0]["title"] = "Another"
        company.pack.manifest.write_text(json.dumps(values))
        self._refused(laptop, company.pack, "Changed after company signed it")

    def test_a_pack_past_its_date(self, company, laptop):
        company.release(expires_at=datetime.now(UTC) - timedelta(days=1))
        self._refused(laptop, company.pack, r"expired on \d{4}-.*newer release")

    def test_a_pack_of_a_newer_groundwork(self, company, laptop, monkeypatch):
        company.release()
        monkeypatch.setattr(manifest_module, "SCHEMA", 1)
        self._refused(laptop, company.pack, "Update Groundwork")

    def test_what_is_no_pack(self, company, laptop, tmp_path):
        self._refused(laptop, PackFolder(tmp_path / "nowhere"), "no pack of manuals in")

    def test_a_choice_that_fits_nothing(self, company, laptop):
        company.release()
        with pytest.raises(ManualPackRefused, match="No manual in the pack matches"):
            laptop.attach(company.pack, chosen=["turbine"])


def test_a_pack_that_expires_later_is_still_read_and_says_so(company, laptop):
    company.release(expires_at=datetime.now(UTC) + timedelta(days=1))
    laptop.attach(company.pack)
    (attached,) = laptop.packs.all()
    assert not attached.remark()
    later = datetime.now(UTC) + timedelta(days=2)
    assert "The pack expired on" in attached.remark(later)
    assert laptop.found("gearbox") == ["Mixer"]


def test_an_older_release_is_refused_and_so_is_another_one_of_the_same_number(
    company, laptop, tmp_path
):
    company.release()
    old = PackFolder(shutil.copytree(company.pack.root, tmp_path / "old"))
    company.write("valve.pdf", ["The valve."], title="Valve")
    company.release()
    laptop.attach(company.pack)
    with pytest.raises(ManualPackRefused, match=r"Release 1 .* older than release 2.*detach it"):
        laptop.attach(old)
    values = json.loads(company.pack.manifest.read_bytes())
    values["name"] = "Plant 2"
    company.pack.manifest.write_text(json.dumps(values))
    company.sign()
    with pytest.raises(ManualPackRefused, match="with different contents"):
        laptop.attach(company.pack)
    assert laptop.titles() == ["Mixer", "Pump", "Valve"]


def test_an_update_takes_only_what_changed_and_the_rest_need_not_be_there(company, laptop):
    first = company.release()
    laptop.attach(company.pack)
    ids = {each.title: each.id for each in laptop.library.documents()}
    company.write("pump.pdf", [*PUMP, "New: the seal."], title="Pump Rev B")
    (company.manuals / "hall 2/mixer.pdf").rename(company.manuals / "mixer.pdf")
    second = company.release()
    assert (second.release, second.id) == (2, first.id)
    for entry in first.shards:  # a stick with what is new
        company.pack.shard(entry.key).unlink()
        company.pack.manual(entry.manual).unlink()
    *_, done = laptop.packs.update("plant", CancelToken())
    assert (done.taken, done.unchanged, done.removed) == (1, 1, 1)
    assert laptop.titles() == ["Mixer", "Pump Rev B"]
    assert laptop.manual("Mixer").id == ids["Mixer"]
    assert laptop.found("seal") == ["Pump Rev B"]
    assert len(list(laptop.library.folder.originals.iterdir())) == 2
    assert laptop.problems() == []


def _mark_up(laptop):
    pump = laptop.manual("Pump")
    note = Annotation(pump.sha256, 1, (Box(1, 2, 3, 4),), "green", "25 Nm", "checked")
    Annotations(laptop.database).keep([note])
    Bookmarks(laptop.database).put(pump.id, 2, "Draining")
    laptop.library.set_place([pump.id], "SITE 12", "Pump P-200")
    laptop.library.set_source([pump.id], SourceEdit(tier=2, tags=("mine",)))
    laptop.library.rename(pump.id, "Our pump")
    return pump


def _assert_marked_up(laptop, pump):
    now = laptop.manual("Our pump")
    assert now.id == pump.id  # conversations point to it by that
    assert (now.site, now.asset, now.tier, now.tags) == ("SITE 12", "Pump P-200", 2, ("mine",))
    (note,) = Annotations(laptop.database).of(now.sha256)
    assert (note.quote, note.comment) == ("25 Nm", "checked")
    (mark,) = Bookmarks(laptop.database).of(now.id)
    assert (mark.page, mark.name) == (2, "Draining")


def test_what_people_said_of_a_manual_survives_the_pack_s_replacement(company, laptop):
    company.release()
    laptop.attach(company.pack)
    pump = _mark_up(laptop)
    company.embedder = FakeEmbedder("fake-embedder@2")  # every shard is another one
    company.release()
    done, _ = laptop.attach(company.pack)
    assert done.taken == 2
    _assert_marked_up(laptop, pump)
    assert laptop.problems() == []


def test_what_people_said_of_a_manual_comes_back_when_a_pack_is_attached_again(company, laptop):
    company.release()
    laptop.attach(company.pack)
    pump = _mark_up(laptop)
    *_, done = laptop.packs.detach("Plant", CancelToken())
    assert done.removed == 2
    assert laptop.titles() == []
    assert list(laptop.library.folder.originals.iterdir()) == []
    assert laptop.packs.all() == []
    laptop.attach(company.pack)
    _assert_marked_up(laptop, pump)
    assert laptop.problems() == []


def test_a_manual_of_one_s_own_is_not_doubled_and_stays_when_the_pack_goes(company, laptop):
    laptop.ingest(company.manuals / "pump.pdf")
    company.release()
    done, _ = laptop.attach(company.pack)
    assert (done.taken, done.own) == (1, 1)
    assert laptop.manual("Pump").pack == ""
    again, _ = laptop.attach(company.pack)
    assert (again.taken, again.unchanged) == (0, 2)
    list(laptop.packs.detach("Plant", CancelToken()))
    assert laptop.titles() == ["Pump"]
    laptop.library.delete(laptop.manual("Pump").id)


def test_a_manual_of_two_packs_stays_until_the_second_one_goes(company, laptop, tmp_path):
    company.release()
    second = PackFolder(tmp_path / "second")
    company.release(pack=second, name="Pumps", sources=[company.manuals / "pump.pdf"])
    laptop.attach(company.pack)
    done, _ = laptop.attach(second)
    assert (done.taken, done.own) == (0, 1)
    list(laptop.packs.detach("Plant", CancelToken()))
    assert laptop.titles() == ["Pump"]
    assert laptop.manual("Pump").pack == "Pumps"
    list(laptop.packs.detach("Pumps", CancelToken()))
    assert laptop.titles() == []


def test_a_damaged_file_is_refused_by_name_and_the_rest_goes_on(company, laptop):
    pack = company.release()
    mixer = next(each for each in pack.shards if each.title == "Mixer")
    whole = company.pack.shard(mixer.key).read_bytes()
    company.pack.shard(mixer.key).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    done, events = laptop.attach(company.pack)
    (refused,) = [each for each in events if isinstance(each, ManualRefused)]
    assert refused.title == "Mixer"
    assert "damaged or has been changed. Copy the pack again" in refused.reason
    assert (done.taken, done.refused) == (1, 1)
    assert "1 of its 2 manuals are missing" in laptop.packs.all()[0].remark()
    company.pack.shard(mixer.key).write_bytes(whole)
    company.pack.manual(mixer.manual).write_bytes(b"%PDF-another")
    done, _ = laptop.attach(company.pack)
    assert (done.taken, done.refused) == (0, 1)
    shutil.copy(company.manuals / "hall 2/mixer.pdf", company.pack.manual(mixer.manual))
    done, _ = laptop.attach(company.pack)
    assert (done.taken, done.unchanged, done.refused) == (1, 1, 0)
    assert not laptop.packs.all()[0].remark()


def test_a_shard_that_is_another_database_is_refused(company, laptop):
    pack = company.release()
    values = json.loads(company.pack.manifest.read_bytes())
    for number, entry in enumerate(pack.shards):
        path = company.pack.shard(entry.key)
        shutil.copy(laptop.library.folder.database, path)
        found = hash_of(path).sha256
        values["shards"][number]["sha256"] = found
    company.pack.manifest.write_text(json.dumps(values))
    company.sign()
    done, _ = laptop.attach(company.pack)
    assert (done.taken, done.refused) == (0, 2)


def test_a_site_takes_its_part_and_may_change_its_mind(company, laptop):
    company.release()
    done, _ = laptop.attach(company.pack, chosen=["hall 2/"])
    assert done.taken == 1
    assert laptop.titles() == ["Mixer"]
    assert laptop.packs.all()[0].chosen == ("hall 2/",)
    *_, done = laptop.packs.update("Plant", CancelToken())
    assert laptop.titles() == ["Mixer"]
    done, _ = laptop.attach(company.pack, chosen=["p?mp*", "turbine"])
    assert (done.taken, done.removed) == (1, 1)
    assert laptop.titles() == ["Pump"]


def test_manuals_can_stay_on_a_share(company, laptop):
    company.release()
    laptop.attach(company.pack, in_place=True)
    path = laptop.library.original_path(laptop.manual("Pump").id)
    assert path.resolve().parent == company.pack.manuals.resolve()
    away = company.pack.root.rename(company.root / "away")
    laptop.database.close()
    found = [each.remedy for each in check_library(laptop.folder)]
    assert found == ["connect the share of its pack, or attach the pack again"] * 2
    away.rename(company.pack.root)
    assert not list(check_library(laptop.folder))


def test_detaching_leaves_the_files_of_a_share_alone(company, laptop):
    company.release()
    laptop.attach(company.pack, in_place=True)
    list(laptop.packs.detach("Plant", CancelToken()))
    assert len(list(company.pack.manuals.iterdir())) == 2  # the share's files are not ours
    assert list(laptop.library.folder.originals.iterdir()) == []


def test_it_stops_between_two_manuals_and_goes_on_from_there(company, laptop):
    company.release()
    cancel = CancelToken()
    running = laptop.packs.attach(company.pack.root, cancel)
    next(running)
    next(running)  # the first one is in
    cancel.cancel()
    with pytest.raises(Cancelled):
        next(running)
    assert len(laptop.titles()) == 1
    assert laptop.packs.all()[0].remark()
    done, _ = laptop.attach(company.pack)
    assert (done.taken, done.unchanged) == (1, 1)
    assert laptop.problems() == []


_ATTACH_AND_DIE = """
import os, signal, sys
from pathlib import Path
from desktop.core.jobs import CancelToken
from desktop.core.library.library import Library
from desktop.core.manual_packs import attached
from desktop.core.signing import TrustedKeys
from desktop.core.store.database import Database
what, pack, folder, trusted = sys.argv[1], *map(Path, sys.argv[2:])
calls, real = [], getattr(attached, what)
def second(*arguments):
    calls.append(arguments)
    if len(calls) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments)
setattr(attached, what, second)
with Database.open(folder) as database:
    packs = attached.ManualPacks(database, Library(database, folder), TrustedKeys(trusted))
    if what == "take_out_manual":
        list(packs.detach("Plant", CancelToken()))
    else:
        list(packs.attach(pack, CancelToken()))
"""


@pytest.mark.slow
@pytest.mark.parametrize("what", ["opened_shard", "put_in_place", "put_manual", "take_out_manual"])
def test_a_kill_while_attaching_or_detaching_leaves_whole_manuals(company, laptop, tmp_path, what):
    company.release()
    if what == "take_out_manual":
        laptop.attach(company.pack)
    laptop.database.close()
    where = (company.pack.root, laptop.folder, tmp_path / "trusted")
    command = [sys.executable, "-c", _ATTACH_AND_DIE, what, *map(str, where)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    with type(laptop.database).open(laptop.folder) as database:
        again = type(laptop)(laptop.folder, database, laptop.trusted)
        assert [each.state for each in again.library.documents()] == ["ready"]
        assert again.problems() == []
        assert "1 of its 2 manuals are missing" in again.packs.all()[0].remark()
        done, _ = again.attach(company.pack)
        assert (done.taken, done.unchanged) == (1, 1)
        assert again.titles() == ["Mixer", "Pump"]
        assert len(list(again.library.folder.originals.iterdir())) == 2
        assert not (laptop.folder / ".attaching").exists()
        assert again.problems() == []


def test_vectors_of_another_model_are_left_out_and_made_on_the_laptop(company, laptop, tmp_path):
    own = company.write("own.pdf", ["The own manual."], title="Own")
    laptop.ingest(own)
    own.unlink()
    company.embedder = FakeEmbedder("another@1")
    company.release()
    laptop.attach(company.pack)
    assert laptop.manual("Pump").done == (3, 3, 0)
    assert laptop.found("gearbox") == ["Mixer"]
    assert laptop.problems() == []
    laptop.ingest()
    assert laptop.manual("Pump").done == (3, 3, 3)
    assert laptop.manual("Pump").pack == "Plant"


def test_a_repaired_library_still_knows_its_packs(company, laptop):
    company.release()
    laptop.attach(company.pack)
    laptop.database.close()
    repair(laptop.folder)
    with type(laptop.database).open(laptop.folder) as database:
        again = type(laptop)(laptop.folder, database, laptop.trusted)
        assert again.manual("Pump").pack == "Plant"
        assert [each.manuals for each in again.packs.all()] == [2]
