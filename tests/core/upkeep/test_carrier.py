"""One file that carries a library: everything arrives, and nothing else gets in."""

from __future__ import annotations

import hashlib
import json
import stat
import zipfile
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from desktop.core.errors import CarrierRefused, LibraryTooNew
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.paths import LibraryFolder
from desktop.core.store.database import Database
from desktop.core.upkeep.carrier import MANIFEST, export_library, import_library, may_carry
from tests.core.upkeep.conftest import counts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def carrier(library: Path, tmp_path: Path) -> Path:
    folder = LibraryFolder(library)
    folder.domains.mkdir()
    (folder.domains / "pump.toml").write_text("name = 'pump'")
    (folder.reports / "one").mkdir(parents=True)
    (folder.reports / "one" / "report.md").write_text("# report")
    (folder.root / "logs").mkdir()
    (folder.root / "logs" / "groundwork.log").write_text("secret")
    target = tmp_path / "plant.groundwork"
    export_library(library, target, CancelToken())
    return target


def _take(carrier: Path, folder: Path) -> None:
    import_library(carrier, folder, CancelToken())


def _rewritten(
    carrier: Path, change: Callable[[dict[str, bytes], dict[str, Any]], None], fix: bool = True
) -> Path:
    """Write a carrier of which an attacker changed files and the manifest with them."""
    with zipfile.ZipFile(carrier) as old:
        files = {name: old.read(name) for name in old.namelist()}
    manifest = json.loads(files.pop(MANIFEST))
    change(files, manifest)
    if fix:
        manifest["files"] = {
            name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in files.items()
        }
    target = carrier.with_name("attack.groundwork")
    with zipfile.ZipFile(target, "w") as new:
        for name, data in files.items():
            new.writestr(name, data)
        new.writestr(MANIFEST, json.dumps(manifest))
    return target


def _is_refused(carrier: Path, folder: Path, said: str = "") -> None:
    beside = set(folder.parent.iterdir())
    with pytest.raises(CarrierRefused, match=said or None):
        _take(carrier, folder)
    assert set(folder.parent.iterdir()) == beside, "it left something behind"


def test_everything_of_a_library_arrives_on_another_computer(carrier, library, tmp_path):
    there = tmp_path / "there" / "library"
    _take(carrier, there)
    assert counts(there) == counts(library)
    for folder in ("originals", "domains", "reports"):
        ours = {p.relative_to(library): p.read_bytes() for p in (library / folder).rglob("*.*")}
        theirs = {p.relative_to(there): p.read_bytes() for p in (there / folder).rglob("*.*")}
        assert ours == theirs
    assert not (there / "logs").exists()
    assert [path.name for path in there.parent.iterdir()] == ["library"]


def test_a_library_can_be_exported_while_it_is_open(library, tmp_path):
    with Database.open(library):
        export_library(library, tmp_path / "a.groundwork", CancelToken())
    _take(tmp_path / "a.groundwork", tmp_path / "there")
    assert counts(tmp_path / "there") == counts(library)


def test_an_export_that_is_cancelled_leaves_nothing(library, tmp_path):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        export_library(library, tmp_path / "a.groundwork", cancel)
    assert [path.name for path in tmp_path.iterdir()] == ["library"]


def test_an_import_that_is_cancelled_leaves_nothing(carrier, tmp_path):
    cancel = CancelToken()
    before = set(tmp_path.iterdir())
    cancel.cancel()
    with pytest.raises(Cancelled):
        import_library(carrier, tmp_path / "there", cancel)
    assert set(tmp_path.iterdir()) == before


def test_a_manual_that_changed_on_the_disk_is_not_exported(library, tmp_path):
    next(LibraryFolder(library).originals.glob("*.pdf")).write_bytes(b"%PDF- changed")
    with pytest.raises(CarrierRefused, match="damaged"):
        export_library(library, tmp_path / "a.groundwork", CancelToken())
    assert [path.name for path in tmp_path.iterdir()] == ["library"]


def test_nothing_is_written_over_a_library_or_a_file(carrier, library):
    with pytest.raises(CarrierRefused, match="not empty"):
        _take(carrier, library)
    with pytest.raises(CarrierRefused, match="already"):
        export_library(library, carrier, CancelToken())


@pytest.mark.parametrize(
    "name",
    [
        *("../escaped.pdf", "/etc/passwd", "originals/../../x.pdf", "originals\\x.pdf"),
        *("run.py", "domains/../x.toml", "library.db-wal", "knowledge.db-shm", "library.lock"),
        *("programs/a.pkl", "programs/.hidden.json", "originals/manual.pdf", "C:/x.pdf", ""),
        *("reports/one/run.sh", "check-ins/a.exe", "domains/a\x00.toml"),
    ],
)
def test_a_name_that_does_not_belong_into_a_library_is_refused(carrier, tmp_path, name):
    assert not may_carry(name)
    if name:

        def add(files: dict[str, bytes], _: dict[str, Any]) -> None:
            files[name] = b"x"

        _is_refused(_rewritten(carrier, add), tmp_path / "there")


def test_a_link_is_refused(carrier, tmp_path):
    entry = zipfile.ZipInfo("domains/link.toml")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(carrier, "a") as changed:
        changed.writestr(entry, "/etc/passwd")
    _is_refused(carrier, tmp_path / "there", "link")


def test_a_bomb_is_refused_before_it_fills_the_disk(carrier, tmp_path):
    """Two kinds: one that says its size, which no disk has, and one that lies about it."""

    def huge(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
        manifest["files"]["library.db"]["bytes"] = 1 << 50

    _is_refused(_rewritten(carrier, huge, fix=False), tmp_path / "there")

    def short(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
        files["library.db"] = bytes(1 << 24)

    _is_refused(_rewritten(carrier, short, fix=False), tmp_path / "there")


def test_a_wrong_hash_is_refused_with_the_file(carrier, tmp_path):
    def change(files: dict[str, bytes], _: dict[str, Any]) -> None:
        data = files["domains/pump.toml"]
        files["domains/pump.toml"] = b"X" + data[1:]

    _is_refused(_rewritten(carrier, change, fix=False), tmp_path / "there", r"pump\.toml")


def test_a_manual_under_the_name_of_another_is_refused(carrier, tmp_path):
    def change(files: dict[str, bytes], _: dict[str, Any]) -> None:
        name = next(name for name in files if name.startswith("originals/"))
        files[name] = b"%PDF- something else"

    _is_refused(_rewritten(carrier, change), tmp_path / "there", "its name")


def test_a_flipped_bit_or_a_lost_end_is_refused(carrier, tmp_path):
    data = bytearray(carrier.read_bytes())
    with zipfile.ZipFile(carrier) as opened:
        entry = opened.getinfo("library.db")
    at = entry.header_offset + 30 + len("library.db") + entry.compress_size // 2
    data[at] ^= 1
    broken = tmp_path / "broken.groundwork"
    broken.write_bytes(data)
    _is_refused(broken, tmp_path / "there")
    broken.write_bytes(carrier.read_bytes()[:-1000])
    _is_refused(broken, tmp_path / "there")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER evil AFTER INSERT ON turns BEGIN DELETE FROM documents; END",
        "CREATE VIEW evil AS SELECT load_extension('x')",
        "CREATE VIRTUAL TABLE evil USING fts4(x)",
    ],
)
def test_a_database_with_something_that_runs_is_refused(carrier, tmp_path, statement):
    def change(files: dict[str, bytes], _: dict[str, Any]) -> None:
        path = tmp_path / "evil.db"
        path.write_bytes(files["library.db"])
        connection = apsw.Connection(str(path))
        connection.execute(statement)
        connection.close()
        files["library.db"] = path.read_bytes()
        path.unlink()

    _is_refused(_rewritten(carrier, change), tmp_path / "there", "evil")


def test_a_database_of_another_program_is_refused(carrier, tmp_path):
    def change(files: dict[str, bytes], _: dict[str, Any]) -> None:
        files["library.db"] = b"not a database" * 4000

    _is_refused(_rewritten(carrier, change), tmp_path / "there")


def test_a_library_of_a_newer_program_is_refused_as_such(carrier, tmp_path):
    def change(_: dict[str, bytes], manifest: dict[str, Any]) -> None:
        manifest["schema_version"] = 999

    with pytest.raises(LibraryTooNew):
        _take(_rewritten(carrier, change), tmp_path / "there")
    assert not (tmp_path / "there").exists()


def test_a_file_that_is_no_library_is_refused(tmp_path):
    other = tmp_path / "other.groundwork"
    with zipfile.ZipFile(other, "w") as written:
        written.writestr("readme.txt", "hello")
    _is_refused(other, tmp_path / "there")
    other.write_bytes(b"no zip at all")
    _is_refused(other, tmp_path / "there")
