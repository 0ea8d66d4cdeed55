"""Importing models from folders and zips: what is taken, what is refused, what is left behind."""

import errno
import io
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import desktop
from desktop.models.catalogue import Catalogue
from desktop.models.errors import ModelDamaged, ModelNotInstalled, PackRefused
from desktop.models.packs import installing
from desktop.models.packs.model_folder import FolderBusy, ModelFolder
from desktop.models.packs.operations import import_pack, remove, verify, write_pack
from desktop.models.packs.pack_events import PackDone, PackProgress, PackVerified, PackWritten
from tests.fakes.model_files import model_files, shard, write_model

SHARD = "model-00002-of-00002.safetensors"


@pytest.fixture
def folder(tmp_path):
    return ModelFolder(tmp_path / "models")


@pytest.fixture
def stick(tmp_path):
    """A model as it lies on a USB stick."""
    return write_model(tmp_path / "stick" / "Tiny-Qwen")


def take(source, folder, **options):
    last = list(import_pack(source, folder, Catalogue.load(), **options))[-1]
    assert isinstance(last, PackDone)
    return last


def damage_of(model_id, folder):
    last = list(verify(model_id, folder))[-1]
    assert isinstance(last, PackVerified)
    return last.damage


def until_copying(job):
    """Advance an import to the first file's copy."""
    for event in job:
        if isinstance(event, PackProgress) and event.stage == "copying":
            return


def refusal(source, folder, **options):
    """Return why an import is refused, after looking that nothing of it stayed."""
    before = sorted(os.listdir(folder.root)) if folder.root.exists() else []
    with pytest.raises(PackRefused) as caught:
        list(import_pack(source, folder, Catalogue.load(), **options))
    after = sorted(os.listdir(folder.root)) if folder.root.exists() else []
    assert [name for name in after if name != ".lock"] == [n for n in before if n != ".lock"]
    reason = str(caught.value)
    assert reason.endswith(".")
    return reason


# --- what can be imported ---------------------------------------------------------------


def test_a_folder_without_a_manifest_is_enough(stick, folder):
    done = take(stick, folder)
    assert (done.model.id, done.model.role, done.model.family) == (
        "tiny-qwen",
        "language",
        "language",
    )
    assert folder.installed() == [done.model]
    assert folder.problems() == {}
    manifest = folder.manifest("tiny-qwen")
    assert (manifest.licence, manifest.title) == ("apache-2.0", "Tiny-Qwen")
    assert (done.model.folder / SHARD).read_bytes() == (stick / SHARD).read_bytes()
    assert manifest.weight_bytes == sum(p.stat().st_size for p in stick.glob("*.safetensors"))


def test_the_only_model_below_a_named_folder_is_found(stick, folder):
    assert take(stick.parent, folder).model.id == "tiny-qwen"


def test_of_several_models_one_has_to_be_named(stick, folder):
    write_model(stick.parent / "Another")
    reason = refusal(stick.parent, folder)
    assert "Another" in reason
    assert "Tiny-Qwen" in reason


def test_a_model_of_the_catalogue_gets_its_id_and_title_by_the_repository_name(tmp_path, folder):
    files = model_files(config__json={"model_type": "qwen3"}, README__md=None)
    model = take(write_model(tmp_path / "Qwen3-8B-4bit", files), folder).model
    manifest = folder.manifest("qwen3-8b-4bit")
    assert model.id == "qwen3-8b-4bit"
    assert (manifest.title, manifest.licence) == ("Qwen3 8B (4-bit)", "Apache-2.0")


def test_an_id_of_the_catalogue_is_not_given_to_another_kind_of_model(stick, folder):
    assert "another kind of model" in refusal(stick, folder, model_id="colqwen2-v1.0")


def test_a_licence_that_nobody_states_is_unknown(tmp_path, folder):
    take(write_model(tmp_path / "m", model_files(README__md=b"# no front matter")), folder)
    assert folder.manifest("m").licence == "unknown"


@pytest.mark.parametrize(
    ("files", "licence"),
    [
        ({"README__md": b"---\r\nlicense: other\r\nlicense_name: gemma\r\n---\r\n"}, "gemma"),
        ({"README__md": None, "LICENSE__txt": b"  Apache License\n Version 2.0"}, "Apache-2.0"),
        ({"README__md": None, "LICENSE": b"You may do this and that."}, "see LICENSE"),
        ({"README__md": b"\xff\xfe---\nlicense: \x1b[31mred\n---\n"}, "unknown"),
    ],
)
def test_the_licence_is_read_from_what_lies_in_the_folder(tmp_path, folder, files, licence):
    take(write_model(tmp_path / "m", model_files(**files)), folder)
    assert folder.manifest("m").licence == licence


def test_code_pickles_and_other_formats_are_left_out_and_named(stick, folder):
    for name in ("modeling.py", "pytorch_model.bin", "model.gguf", "libx.so", "picture.png"):
        (stick / name).write_bytes(b"x")
    (stick / "original").mkdir()
    (stick / "original" / "big.safetensors").write_bytes(shard())
    done = take(stick, folder)
    assert set(done.left_out) == {"modeling.py", "pytorch_model.bin", "model.gguf", "libx.so"}
    there = {p.name for p in done.model.folder.rglob("*") if p.is_file()}
    assert there == {*model_files(), "groundwork-model.json"} - {".gitattributes"}


def test_what_a_mac_writes_beside_files_on_a_stick_is_ignored(stick, folder):
    (stick / "._model-00001-of-00002.safetensors").write_bytes(b"resource fork")
    (stick / ".DS_Store").write_bytes(b"x")
    assert take(stick, folder).left_out == ()


def test_weights_in_a_second_layout_are_not_copied(tmp_path, folder):
    files = model_files()
    files["consolidated.safetensors"] = shard()
    model = take(write_model(tmp_path / "m", files), folder).model
    assert not (model.folder / "consolidated.safetensors").exists()


def test_the_folders_of_sentence_transformers_come_along_and_decide_the_role(tmp_path, folder):
    files = {
        "config.json": b'{"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"]}',
        "model.safetensors": shard(),
        "modules.json": b"[]",
        "1_Pooling/config.json": b"{}",
        "onnx/model.onnx": b"x",
    }
    done = take(write_model(tmp_path / "embedder", files), folder)
    assert (done.model.role, done.model.family) == ("text", "qwen3_embedding")
    assert (done.model.folder / "1_Pooling" / "config.json").exists()


def test_an_import_reports_every_stage_and_reaches_its_total(stick, folder):
    steps = [
        event
        for event in import_pack(stick, folder, Catalogue.load())
        if isinstance(event, PackProgress)
    ]
    assert {step.stage for step in steps} == {"checking", "copying"}
    assert steps[-1].done_bytes == steps[-1].total_bytes > 0


# --- what is refused --------------------------------------------------------------------


def test_a_folder_of_pickles_is_refused_with_the_reason(tmp_path, folder):
    files = {"config.json": b'{"model_type": "llama"}', "pytorch_model.bin": b"x"}
    reason = refusal(write_model(tmp_path / "m", files), folder)
    assert "pytorch_model.bin is a pickle" in reason
    assert "safetensors" in reason


def test_an_unknown_kind_of_model_is_refused_with_what_can_run(tmp_path, folder):
    config = {"model_type": "moondream", "auto_map": {"AutoModel": "x.Y"}}
    reason = refusal(write_model(tmp_path / "m", model_files(config__json=config)), folder)
    assert "moondream" in reason
    assert "code of its own" in reason
    assert "qwen3" in reason


@pytest.mark.parametrize(
    "config",
    [
        b"{",
        b"[]",
        b"{}",
        b'{"model_type": 3}',
        b"[" * 100_000,
        b'{"model_type":"bert","architectures":[{}]}',
    ],
)
def test_a_broken_config_is_refused(tmp_path, folder, config):
    assert "config.json" in refusal(
        write_model(tmp_path / "m", model_files(config__json=config)), folder
    )


def test_a_missing_shard_is_named(tmp_path, folder):
    (stick := write_model(tmp_path / "m")).joinpath(SHARD).unlink()
    assert SHARD in refusal(stick, folder)


def test_a_missing_shard_is_named_without_an_index_too(tmp_path, folder):
    files = model_files(**{"model__safetensors__index__json": None, SHARD.replace(".", "__"): None})
    assert SHARD in refusal(write_model(tmp_path / "m", files), folder)


@pytest.mark.parametrize("keep", [0, 5, 60, 500, 8000])
def test_a_shard_that_is_cut_off_is_named(stick, folder, keep):
    data = (stick / SHARD).read_bytes()
    (stick / SHARD).write_bytes(data[:keep])
    reason = refusal(stick, folder)
    assert SHARD in reason
    assert "cut off" in reason


def _header(entries, size=100):
    text = json.dumps(entries).encode()
    return len(text).to_bytes(8, "little") + text + bytes(size)


TENSOR = {"dtype": "U8", "shape": [100], "data_offsets": [0, 100]}


@pytest.mark.parametrize(
    "data",
    [
        b"\xff" * 200,
        (50).to_bytes(8, "little") + b"{" * 50,
        (10**12).to_bytes(8, "little") + b"{}",
        _header({}),
        _header([]),
        _header({"a": {**TENSOR, "dtype": "PICKLE"}}),
        _header({"a": {**TENSOR, "shape": [99]}}),
        _header({"a": {**TENSOR, "shape": [-100]}}),
        _header({"a": {**TENSOR, "shape": [1] * 50 + [100]}}),
        _header({"a": {**TENSOR, "shape": "100"}}),
        _header({"a": {**TENSOR, "data_offsets": [True, 100]}}),
        _header({"a": {**TENSOR, "data_offsets": [100, 0]}}),
        _header({"a": TENSOR, "b": TENSOR}),
        _header({"a": {"dtype": "U8", "shape": [90], "data_offsets": [10, 100]}}),
        _header({"a": TENSOR}, size=200),
        _header({"a": 3}),
    ],
)
def test_weights_that_do_not_hold_together_are_refused(stick, folder, data):
    (stick / SHARD).write_bytes(data)
    assert SHARD in refusal(stick, folder)


def test_broken_json_beside_the_weights_is_named(stick, folder):
    (stick / "tokenizer.json").write_bytes(b'{"version": ')
    assert "tokenizer.json is damaged" in refusal(stick, folder)


def test_a_huge_settings_file_is_not_read(stick, folder):
    with (stick / "tokenizer.json").open("r+b") as file:
        file.truncate(65 * 2**20)
    assert "tokenizer.json is 65 MB" in refusal(stick, folder)


def test_symbolic_links_are_refused_with_how_to_get_rid_of_them(stick, folder, tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text("{}")
    (stick / "extra.json").symlink_to(secret)
    assert "extra.json is a symbolic link" in refusal(stick, folder)


def test_a_pipe_is_refused(stick, folder):
    os.mkfifo(stick / "extra.json")
    assert "extra.json is a device or a pipe" in refusal(stick, folder)


def test_names_that_are_one_file_on_a_mac_are_refused(stick, folder):
    (stick / "Config.json").write_bytes(b"{}")
    if len(list(stick.glob("[cC]onfig.json"))) == 1:
        pytest.skip("this disk does not tell them apart either")
    assert "a Mac treats" in refusal(stick, folder)


def test_a_source_that_is_no_folder_and_no_zip_is_refused(stick, folder, tmp_path):
    assert "neither a folder nor a zip" in refusal(stick / "config.json", folder)
    assert "There is no file or folder" in refusal(tmp_path / "nowhere", folder)
    (tmp_path / "empty").mkdir()
    assert "no config.json" in refusal(tmp_path / "empty", folder)


def test_a_name_that_makes_no_id_asks_for_one(tmp_path, folder):
    source = write_model(tmp_path / "模型")
    assert "--id" in refusal(source, folder)
    assert take(source, folder, model_id="model").model.id == "model"


@pytest.mark.parametrize("name", ["../x", "A", "", ".hidden", "a/b", "x" * 65, "a\n"])
def test_an_id_that_is_no_folder_name_is_refused(stick, folder, name):
    if name:
        assert "cannot be a model id" in refusal(stick, folder, model_id=name)
    with pytest.raises((PackRefused, ModelNotInstalled)):
        remove(name, folder)


def test_an_adapter_without_its_base_is_refused_with_the_hint(tmp_path, folder):
    files = {"adapter_config.json": b"{}", "adapter_model.safetensors": shard()}
    reason = refusal(write_model(tmp_path / "m", files), folder)
    assert "LoRA adapter" in reason
    assert "--base" in reason


# --- what is there already --------------------------------------------------------------


def test_an_installed_id_is_refused_unless_it_shall_be_replaced(stick, folder):
    take(stick, folder)
    assert "already installed" in refusal(stick, folder)
    (stick / SHARD).write_bytes(shard("b", 10))
    model = take(stick, folder, replace=True).model
    assert (model.folder / SHARD).read_bytes() == (stick / SHARD).read_bytes()
    assert sorted(os.listdir(folder.root)) == [".lock", "tiny-qwen"]


def test_a_refused_replacement_leaves_the_former_model(stick, folder):
    former = take(stick, folder).model
    (stick / SHARD).write_bytes(b"short")
    refusal(stick, folder, replace=True)
    assert folder.installed() == [former]


def test_a_damaged_model_is_replaced_without_asking(stick, folder):
    model = take(stick, folder).model
    (model.folder / SHARD).unlink()
    assert folder.installed() == []
    assert take(stick, folder).model == model
    assert folder.problems() == {}


def test_two_imports_at_once_are_refused_and_the_first_one_ends_well(stick, folder):
    first = import_pack(stick, folder, Catalogue.load())
    next(first)
    with pytest.raises(FolderBusy, match="Wait until that is done"):
        next(import_pack(stick, folder, Catalogue.load(), model_id="second"))
    assert isinstance(list(first)[-1], PackDone)


# --- interruptions ----------------------------------------------------------------------


def test_a_cancelled_import_leaves_nothing(stick, folder):
    events = list(import_pack(stick, folder, Catalogue.load(), cancelled=lambda: True))
    assert not any(isinstance(event, PackDone) for event in events)
    assert os.listdir(folder.root) == [".lock"]


def test_an_import_that_nobody_waits_for_leaves_nothing(stick, folder):
    job = import_pack(stick, folder, Catalogue.load())
    until_copying(job)
    assert any(name.startswith(".importing-") for name in os.listdir(folder.root))
    job.close()
    assert os.listdir(folder.root) == [".lock"]


IMPORT_SLOWLY = """
import sys, time
from pathlib import Path
from desktop.models.packs import installing
from desktop.models.catalogue import Catalogue
from desktop.models.packs.model_folder import ModelFolder
from desktop.models.packs.operations import import_pack
installing.STEP_BYTES = 1000
for event in import_pack(Path(sys.argv[1]), ModelFolder(Path(sys.argv[2])), Catalogue.load(),
                         replace=True):
    if event.stage == "copying" and event.done_bytes > 3000:
        print("half way", flush=True)
        time.sleep(60)
"""


def _kill_half_way(stick, folder, while_running=lambda: None):
    root = str(Path(desktop.__file__).parents[1])
    child = subprocess.Popen(
        [sys.executable, "-c", IMPORT_SLOWLY, str(stick), str(folder.root)],
        stdout=subprocess.PIPE,
        cwd=root,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "half way\n"
    while_running()
    child.kill()
    child.wait()
    child.stdout.close()


def test_what_a_killed_import_leaves_is_removed_at_the_next_start_and_not_before(stick, folder):
    def running():
        folder.sweep()
        assert any(name.startswith(".importing-") for name in os.listdir(folder.root))

    _kill_half_way(stick, folder, running)
    assert folder.installed() == []
    folder.sweep()
    assert os.listdir(folder.root) == [".lock"]
    assert take(stick, folder).model.id == "tiny-qwen"


def test_a_second_import_works_right_after_a_killed_one(stick, folder):
    _kill_half_way(stick, folder)
    take(stick, folder)
    assert sorted(os.listdir(folder.root)) == [".lock", "tiny-qwen"]


def test_a_killed_replacement_leaves_the_former_model(stick, folder):
    former = take(stick, folder).model
    _kill_half_way(stick, folder)
    folder.sweep()
    assert folder.installed() == [former]


def test_a_model_is_back_if_the_program_was_killed_between_the_two_renames(stick, folder):
    former = take(stick, folder).model
    os.rename(former.folder, folder.root / ".replaced-tiny-qwen")
    folder.sweep()
    assert folder.installed() == [former]


def test_a_full_disk_is_said_before_the_first_byte_is_written(stick, folder, monkeypatch):
    usage = shutil.disk_usage(stick)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    reason = refusal(stick, folder)
    assert "not enough room for tiny-qwen" in reason
    assert "Free up 20" in reason


def test_a_disk_that_fills_up_half_way_leaves_nothing(stick, folder, monkeypatch):
    def no_space(target, chunk):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(installing, "_write", no_space)
    with pytest.raises(OSError, match="No space") as caught:
        take(stick, folder)
    assert caught.value.errno == errno.ENOSPC
    assert os.listdir(folder.root) == [".lock"]


def test_a_disk_that_cannot_hold_large_files_is_named_as_such(stick, folder, monkeypatch):
    class Fat(io.BytesIO):
        def write(self, chunk):
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))

    with pytest.raises(PackRefused, match="exFAT"):
        installing._write(Fat(), b"x")


@pytest.mark.skipif(os.geteuid() != 0 or sys.platform != "linux", reason="needs root to mount")
def test_a_really_full_disk_leaves_nothing(tmp_path, monkeypatch):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("this machine does not let us mount")
    try:
        files = model_files(**{SHARD.replace(".", "__"): shard("b", 800_000)})
        source = write_model(tmp_path / "large", files)
        folder = ModelFolder(disk / "models")
        monkeypatch.setattr(installing, "check_room", lambda *_: None)
        with pytest.raises(OSError, match="No space") as caught:
            take(source, folder)
        assert caught.value.errno == errno.ENOSPC
        assert os.listdir(folder.root) == [".lock"]
        assert shutil.disk_usage(disk).used < 100_000
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_file_that_shrinks_while_it_is_copied_is_noticed(stick, folder):
    job = import_pack(stick, folder, Catalogue.load())
    until_copying(job)
    (stick / SHARD).write_bytes(b"short")
    with pytest.raises(PackRefused, match="changed or was cut off"):
        list(job)
    assert os.listdir(folder.root) == [".lock"]


# --- verify, remove, pack ---------------------------------------------------------------


def test_verify_names_every_file_that_is_not_the_imported_one_and_remembers_it(stick, folder):
    model = take(stick, folder).model
    assert damage_of(model.id, folder) == ()
    data = bytearray((model.folder / SHARD).read_bytes())
    data[-1] ^= 1
    (model.folder / SHARD).write_bytes(data)
    (model.folder / "tokenizer.json").unlink()
    damage = damage_of(model.id, folder)
    assert len(damage) == 2
    assert SHARD in damage[0]
    assert "tokenizer.json is missing" in damage[1]
    assert folder.installed() == []
    assert [SHARD in sentence for sentence in folder.problems().values()] == [True]


def test_verify_forgets_the_damage_when_all_is_well_again(stick, folder):
    model = take(stick, folder).model
    whole = (model.folder / SHARD).read_bytes()
    (model.folder / SHARD).write_bytes(whole[:-1] + b"!")
    assert damage_of(model.id, folder)
    (model.folder / SHARD).write_bytes(whole)
    assert folder.installed() == []
    assert damage_of(model.id, folder) == ()
    assert folder.installed() == [model]


def test_a_cancelled_verify_says_nothing_about_damage(stick, folder):
    model = take(stick, folder).model
    events = list(verify(model.id, folder, lambda: True))
    assert all(isinstance(event, PackProgress) for event in events)


@pytest.mark.parametrize("name", ["pack.zip", "pack"])
def test_a_pack_is_the_same_model_on_another_machine(stick, folder, tmp_path, name):
    model = take(stick, folder).model
    written = list(write_pack(model.id, folder, tmp_path / name))
    assert written[-1] == PackWritten(tmp_path / name)
    elsewhere = ModelFolder(tmp_path / "elsewhere")
    other = take(tmp_path / name, elsewhere).model
    assert elsewhere.manifest(other.id) == folder.manifest(model.id)
    assert damage_of(other.id, elsewhere) == ()


def test_a_damaged_model_is_not_packed(stick, folder, tmp_path):
    model = take(stick, folder).model
    (model.folder / SHARD).write_bytes(b"x" * (model.folder / SHARD).stat().st_size)
    with pytest.raises(ModelDamaged, match=SHARD):
        list(write_pack(model.id, folder, tmp_path / "pack.zip"))
    assert not list(tmp_path.glob("*pack*"))


def test_a_cancelled_pack_leaves_nothing(stick, folder, tmp_path):
    take(stick, folder)
    list(write_pack("tiny-qwen", folder, tmp_path / "pack.zip", lambda: True))
    assert not list(tmp_path.glob("*pack*"))


def test_a_pack_overwrites_nothing(stick, folder, tmp_path):
    take(stick, folder)
    (tmp_path / "pack.zip").write_bytes(b"precious")
    with pytest.raises(PackRefused, match="already exists"):
        list(write_pack("tiny-qwen", folder, tmp_path / "pack.zip"))
    assert (tmp_path / "pack.zip").read_bytes() == b"precious"


def test_a_removed_model_is_gone(stick, folder):
    model = take(stick, folder).model
    remove(model.id, folder)
    assert not model.folder.exists()
    assert os.listdir(folder.root) == [".lock"]
    with pytest.raises(ModelNotInstalled, match="tiny-qwen"):
        remove(model.id, folder)


def test_a_model_without_a_manifest_is_a_problem_and_can_be_removed(folder):
    (folder.root / "stray").mkdir(parents=True)
    assert list(folder.problems()) == ["stray"]
    assert folder.find("stray") is None
    remove("stray", folder)
    assert folder.problems() == {}


def test_a_folder_that_is_not_there_has_no_models_and_is_not_made(folder):
    assert folder.installed() == []
    folder.sweep()
    assert not folder.root.exists()


def test_time_does_not_matter_to_a_copied_model(stick, folder):
    model = take(stick, folder).model
    os.utime(model.folder / SHARD, (time.time() + 9, time.time() + 9))
    assert folder.find(model.id) == model
