"""Zips and manifests that somebody made in order to do harm, or by accident."""

import hashlib
import io
import json
import stat
import struct
import tempfile
import warnings
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.models.catalogue import Catalogue
from desktop.models.errors import PackRefused
from desktop.models.packs.model_folder import FileUse, Manifest, ModelFolder, fault_of_name, use_of
from desktop.models.packs.operations import import_pack
from desktop.models.packs.pack_events import PackDone
from tests.fakes.model_files import model_files


@pytest.fixture
def folder(tmp_path):
    return ModelFolder(tmp_path / "models")


def zipped(path, files, compression=zipfile.ZIP_DEFLATED, prefix=""):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(name if isinstance(name, zipfile.ZipInfo) else prefix + name, data)
    return path


def manifest_for(files, **changes):
    listed = [
        {"path": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in files.items()
        if name != ".gitattributes"
    ]
    values = {
        "format": 1,
        "id": "packed",
        "role": "language",
        "family": "language",
        "title": "Packed",
        "licence": "MIT",
        "repository": "",
        "revision": "12345678",
        "quantisation": "",
        "files": listed,
    }
    return {**values, **changes}


def packed(tmp_path, manifest, files=None, **extra):
    content = {"groundwork-model.json": json.dumps(manifest).encode(), **(files or model_files())}
    return zipped(tmp_path / "pack.zip", {**content, **extra})


def take(source, folder, **options):
    last = list(import_pack(source, folder, Catalogue.load(), **options))[-1]
    assert isinstance(last, PackDone)
    return last.model


def refusal(source, folder):
    with pytest.raises(PackRefused) as caught:
        list(import_pack(source, folder, Catalogue.load()))
    names = {path.name for path in folder.root.iterdir()} if folder.root.exists() else set()
    assert names <= {".lock"}
    return str(caught.value)


@pytest.mark.parametrize("prefix", ["", "My Model/"])
def test_a_zip_of_a_model_folder_is_imported(tmp_path, folder, prefix):
    path = zipped(tmp_path / "my-model.zip", model_files(), prefix=prefix)
    assert take(path, folder).id == "my-model"


def test_what_a_mac_puts_into_a_zip_is_ignored(tmp_path, folder):
    files = {f"m/{name}": data for name, data in model_files().items()}
    files["__MACOSX/m/._config.json"] = b"x"
    assert take(zipped(tmp_path / "z.zip", files), folder).id == "m"


def test_a_pack_keeps_what_its_manifest_says(tmp_path, folder):
    model = take(packed(tmp_path, manifest_for(model_files())), folder)
    assert (model.id, model.revision) == ("packed", "12345678")
    assert folder.manifest("packed").licence == "MIT"


@pytest.mark.parametrize(
    "name", ["../evil.json", "/etc/evil.json", "a/../../evil.json", "..\\evil.json"]
)
def test_a_name_that_leaves_the_folder_is_refused(tmp_path, folder, name):
    reason = refusal(zipped(tmp_path / "z.zip", {**model_files(), name: b"{}"}), folder)
    assert "evil" in reason
    assert not (tmp_path / "evil.json").exists()


def test_a_name_that_begins_with_a_nul_character_is_refused(tmp_path, folder):
    path = zipped(tmp_path / "z.zip", {**model_files(), "Xa.json": b"{}"})
    path.write_bytes(path.read_bytes().replace(b"Xa.json", b"\0a.json"))
    assert "no file name may have" in refusal(path, folder)


@pytest.mark.parametrize(
    ("kind", "said"),
    [(stat.S_IFLNK, "symbolic link"), (stat.S_IFCHR, "device"), (stat.S_IFIFO, "device")],
)
def test_links_and_devices_in_a_zip_are_refused(tmp_path, folder, kind, said):
    entry = zipfile.ZipInfo("extra.json")
    entry.external_attr = (kind | 0o777) << 16
    assert said in refusal(zipped(tmp_path / "z.zip", {**model_files(), entry: b"/etc/x"}), folder)


def test_the_same_name_twice_is_refused_even_in_another_case(tmp_path, folder):
    files = {**model_files(), "Tokenizer.JSON": b"{}"}
    assert "a Mac treats" in refusal(zipped(tmp_path / "z.zip", files), folder)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, folder):
    files = {**model_files(), "extra.json": b"0" * (50 * 2**20)}
    assert "fill the disk" in refusal(zipped(tmp_path / "z.zip", files), folder)


def test_a_bomb_of_overlapping_files_is_refused(tmp_path, folder):
    path = zipped(tmp_path / "z.zip", {**model_files(), "a.json": b"{}" + b" " * 5000})
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entry = archive.getinfo("a.json")
    place = data.rindex(b"a.json") - 46
    assert data[place : place + 4] == b"PK\x01\x02"
    struct.pack_into("<II", data, place + 20, 4_000_000, entry.file_size)
    path.write_bytes(data)
    assert "damaged or incomplete" in refusal(path, folder)


def test_an_encrypted_zip_is_refused(tmp_path, folder):
    path = zipped(tmp_path / "z.zip", model_files())
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    path.write_bytes(data)
    assert "password" in refusal(path, folder)


def test_a_zip_with_a_flipped_bit_is_refused_with_the_file(tmp_path, folder):
    path = zipped(tmp_path / "z.zip", model_files(), zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    data[data.index(b"license: apache-2.0")] ^= 1
    path.write_bytes(data)
    assert "README.md is damaged" in refusal(path, folder)


def test_a_zip_that_is_cut_off_is_refused(tmp_path, folder):
    path = zipped(tmp_path / "z.zip", model_files())
    path.write_bytes(path.read_bytes()[:-200])
    assert refusal(path, folder)


def test_several_models_in_one_zip_have_to_be_told_apart(tmp_path, folder):
    files = {f"{top}/{n}": d for top in ("one", "two") for n, d in model_files().items()}
    assert "Several models" in refusal(zipped(tmp_path / "z.zip", files), folder)


# --- manifests --------------------------------------------------------------------------


def test_a_wrong_hash_is_refused_with_the_file(tmp_path, folder):
    manifest = manifest_for(model_files())
    manifest["files"][0]["sha256"] = "0" * 64
    name = manifest["files"][0]["path"]
    assert f"{name} is not the file" in refusal(packed(tmp_path, manifest), folder)


def test_a_wrong_size_is_refused_with_the_file(tmp_path, folder):
    manifest = manifest_for(model_files())
    manifest["files"][0]["bytes"] += 1
    assert manifest["files"][0]["path"] in refusal(packed(tmp_path, manifest), folder)


def test_a_listed_file_that_is_missing_is_named(tmp_path, folder):
    files = model_files()
    manifest = manifest_for({**files, "vocab.json": b"{}"})
    told = refusal(packed(tmp_path, manifest, files), folder)
    assert "vocab.json is on the file list, but missing" in told


@pytest.mark.parametrize("name", ["run.py", "weights.bin", "libx.so", "deep/er/x.json", "x.gguf"])
def test_a_manifest_that_lists_what_no_model_has_is_refused(tmp_path, folder, name):
    files = {**model_files(), name: b"x"}
    assert "is not a safetensors, settings, tokenizer or licence file" in refusal(
        packed(tmp_path, manifest_for(files), files), folder
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"format": 2},
        {"id": "../x"},
        {"role": "virus"},
        {"files": []},
        {"surprise": 1},
        {"title": "\x1b[31mred"},
        {"licence": "x" * 300},
        {"revision": 5},
    ],
)
def test_a_manifest_that_is_not_as_defined_is_refused(tmp_path, folder, changes):
    manifest = {**manifest_for(model_files()), **changes}
    reason = refusal(packed(tmp_path, manifest), folder)
    assert "groundwork-model.json is not valid" in reason
    assert "\x1b" not in reason


def test_a_manifest_that_misstates_the_kind_of_model_is_refused(tmp_path, folder):
    manifest = manifest_for(model_files(), role="vision", family="qwen3_vl")
    assert "config.json a language model" in refusal(packed(tmp_path, manifest), folder)


def test_a_pack_with_a_truncated_shard_and_a_matching_hash_is_refused(tmp_path, folder):
    files = model_files()
    name = "model-00001-of-00002.safetensors"
    files[name] = files[name][:-10]
    assert "cut off" in refusal(packed(tmp_path, manifest_for(files), files), folder)


def test_a_pack_of_which_the_manifest_leaves_a_shard_out_is_refused(tmp_path, folder):
    files = model_files()
    manifest = manifest_for(files)
    manifest["files"] = [f for f in manifest["files"] if "00002-of" not in f["path"]]
    assert "not complete" in refusal(packed(tmp_path, manifest, files), folder)


NAME_PARTS = st.sampled_from(
    ["..", ".", "", "a", "CON", "model.safetensors", "config.json", "/", "\\", "C:", "~", "\0",
     "\n", "1_Pooling", ".hidden", "é", "é", "x" * 256, "\ud800", "LICENSE", "run.py"]
)  # fmt: skip
NAMES = st.lists(NAME_PARTS, max_size=5).map("/".join) | st.text(max_size=40)


@given(NAMES)
def test_every_name_that_a_manifest_accepts_stays_inside_and_is_inert(name):
    manifest = manifest_for({})
    manifest["files"] = [{"path": name, "bytes": 1, "sha256": "0" * 64}]
    try:
        data = json.dumps(manifest).encode()
        accepted = Manifest.from_bytes(data).files[0].path
    except PackRefused:
        return
    assert accepted == name
    parts = name.split("/")
    assert ".." not in parts
    assert not name.startswith("/")
    assert "\\" not in name
    assert "\0" not in name
    assert len(parts) <= 2
    assert use_of(name) in (FileUse.WEIGHTS, FileUse.TEXT)


@given(st.lists(NAMES, max_size=4), st.binary(max_size=60))
def test_no_zip_makes_an_import_fail_in_another_way_than_a_refusal(names, data):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library warns of a name that comes twice
        for name in names:
            if "\ud800" not in name:
                archive.writestr(zipfile.ZipInfo(name or "x"), data)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "z.zip")
        path.write_bytes(buffer.getvalue() + data)
        with pytest.raises(PackRefused):
            list(import_pack(path, ModelFolder(Path(place, "models")), Catalogue.load()))
        assert {p.name for p in Path(place).iterdir()} <= {"z.zip", "models"}


@given(st.text(max_size=60))
def test_a_name_without_a_fault_can_be_written_to_a_disk(name):
    if not fault_of_name(name):
        assert name.encode()
        assert not any(part in ("", ".", "..") for part in name.split("/"))
