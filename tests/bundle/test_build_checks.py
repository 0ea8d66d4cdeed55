from __future__ import annotations

import os

import pytest

from scripts.bundle import contents, dependencies, metal_library, sizes, wheel_tags
from scripts.bundle.variant import Variant


def slim(folder):
    return Variant.here("slim", folder)


@pytest.mark.parametrize(
    ("tag", "platform", "fits"),
    [
        ("any", "darwin", True),
        ("macosx_14_0_arm64", "darwin", True),
        ("macosx_11_0_universal2", "darwin", True),
        ("macosx_15_0_arm64", "darwin", False),
        ("macosx_11_0_x86_64", "darwin", False),
        ("manylinux_2_28_x86_64", "linux", True),
        ("macosx_14_0_arm64", "linux", False),
    ],
)
def test_a_wheel_fits_only_where_its_tag_says(tag, platform, fits):
    assert wheel_tags.fits(tag, platform) is fits


def test_what_is_installed_here_fits_here(tmp_path):
    variant = slim(tmp_path)
    names = dependencies.bundled_distributions(variant)
    assert {"groundwork", "numpy", "pymupdf", "dspy"} <= set(names)
    assert wheel_tags.unfit_wheels(names, variant.platform) == []


def test_the_slim_program_has_no_torch_and_neither_program_what_reaches_hosts(tmp_path):
    names = set(dependencies.bundled_distributions(slim(tmp_path)))
    assert not names & {"torch", "torchvision", "colpali-engine", "litellm", "pytest"}
    full = contents.left_out(Variant.here("full", tmp_path))
    assert not {"torch", "sympy"} & set(full), "torch cannot be imported without sympy"
    assert {"litellm", "PySide6.QtNetwork"} <= set(full)


def test_of_torch_its_tests_stay_out_and_the_one_program_that_it_asks_for_stays_in():
    for dropped in ("torch/test/atest", "torch/bin/protoc", "torch/lib/libtorchbind_test.so"):
        assert contents.is_dropped(dropped)
    for kept in ("torch/bin/torch_shm_manager", "torch/testing/_utils.py", "torch/lib/libc10.so"):
        assert not contents.is_dropped(kept)


def test_another_version_than_the_pinned_one_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(dependencies, "pins", lambda: {"numpy": "1.0"})
    complaints = dependencies.unpinned(slim(tmp_path))
    assert any(each.endswith("constraints.txt says 1.0") for each in complaints)


def test_only_distributions_of_which_something_was_collected_are_inside():
    collected = ["numpy.linalg", "PIL/_imaging.cpython-311-x86_64-linux-gnu.so"]
    inside = dependencies.distributions_inside(collected)
    assert inside == ["groundwork", "numpy", "pillow"]


def test_every_module_of_ours_is_found_on_the_disk():
    found = contents.modules_below("desktop")
    assert {"desktop", "desktop.parser_worker", "desktop.core.agent.tools.summarize"} <= set(found)
    assert contents.modules_below("desktop.no_such_package") == []
    assert contents.modules_below("no_such_package") == []


def test_what_the_catalogue_promises_can_be_collected():
    language = contents.modules_below("mlx_lm.models")
    assert {"mlx_lm.models.qwen3", "mlx_lm.models.gpt_oss"} <= set(language)
    for network in contents.VISION_NETWORKS:
        assert contents.modules_below(f"mlx_vlm.models.{network}"), network


def test_tokenizers_of_transformers_are_collected_and_its_networks_are_not(tmp_path):
    variant = slim(tmp_path)
    wanted, out = set(contents.hidden_imports(variant)), set(contents.left_out(variant))
    assert "transformers.models.qwen2.tokenization_qwen2" in wanted
    assert "transformers.models.auto.feature_extraction_auto" in wanted
    assert "transformers.models.qwen2.modeling_qwen2" in out
    assert not wanted & out


def test_the_metal_kernels_lie_beside_every_library(tmp_path):
    kernels = tmp_path / "kernels"
    kernels.write_bytes(b"metal")
    program = tmp_path / "program"
    for place in ("mlx/lib", "."):
        (program / place).mkdir(parents=True, exist_ok=True)
        (program / place / metal_library.LIBRARY).touch()
    assert len(metal_library.missing(program)) == 2
    assert len(metal_library.put_beside(program, kernels)) == 2
    assert metal_library.missing(program) == []


def test_in_a_mac_program_the_kernels_lie_with_what_is_no_code(tmp_path):
    kernels = tmp_path / "kernels"
    kernels.write_bytes(b"metal")
    frameworks = tmp_path / "Groundwork.app" / "Contents" / "Frameworks"
    (frameworks / "mlx" / "lib").mkdir(parents=True)
    (frameworks / "mlx" / "lib" / metal_library.LIBRARY).touch()
    (link,) = metal_library.put_beside(frameworks, kernels)
    assert link.is_symlink()
    assert link.read_bytes() == b"metal"
    assert link.resolve().is_relative_to((frameworks.parent / "Resources").resolve())


def test_sizes_count_a_package_with_its_libraries_and_no_link_twice(tmp_path):
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy.libs").mkdir()
    (tmp_path / "numpy" / "a.so").write_bytes(bytes(2_000_000))
    (tmp_path / "numpy.libs" / "b.so").write_bytes(bytes(1_000_000))
    os.symlink("numpy/a.so", tmp_path / "a.so")
    assert sizes.by_package([tmp_path]) == {"numpy": 3_000_000}
    told = sizes.report(tmp_path, [tmp_path], tmp_path / "numpy" / "a.so")
    assert told.splitlines()[0].split() == ["3.0", "MB", "in", "all"]
