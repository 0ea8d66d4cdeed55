"""The steps of a build, each of which says what it did; any complaint ends it."""

from __future__ import annotations

import json
import plistlib
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from scripts.bundle import (
    dependencies,
    disk_image,
    metal_library,
    notarisation,
    property_lists,
    required,
    signing,
    sizes,
    smoke,
    wheel_tags,
)
from scripts.bundle.frozen_modules import frozen_modules
from scripts.bundle.variant import PROGRAM, ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from scripts.bundle.variant import Variant

SPECIFICATION = ROOT / "scripts" / "bundle" / "groundwork.spec"


def check_environment(variant: Variant) -> None:
    """See that what is installed is what constraints.txt pins, for the right machines."""
    names = dependencies.bundled_distributions(variant)
    if dependencies.OURS not in names:
        raise SystemExit("Groundwork is not installed here; pip install --editable . first.")
    wrong = dependencies.unpinned(variant) + wheel_tags.unfit_wheels(names, variant.platform)
    _stop("What is installed is not what was tested", wrong)
    print(f"{len(names)} distributions are the pinned ones and fit {variant.platform}")


def write_property_lists(variant: Variant) -> None:
    """Write Info.plist and the entitlements beside the program, on every system."""
    lists = {
        "Info.plist": property_lists.info_plist(),
        "entitlements.plist": property_lists.ENTITLEMENTS,
        "entitlements-local.plist": property_lists.LOCAL_ENTITLEMENTS,
        "entitlements-sandbox.plist": property_lists.SANDBOX_ENTITLEMENTS,
    }
    for name, values in lists.items():
        property_lists.write(values, variant.folder / name)
        if name != "Info.plist":
            wrong = property_lists.complaints_about(property_lists.info_plist(), values)
            _stop(f"{name} is wrong", wrong)
    print(f"Wrote and read back {', '.join(lists)}")


def freeze(variant: Variant) -> None:
    """Run the spec."""
    shutil.rmtree(variant.folder / "program", ignore_errors=True)
    command = [
        sys.executable, "-m", "PyInstaller", str(SPECIFICATION), "--noconfirm",
        "--distpath", str(variant.folder / "program"), "--workpath", str(variant.folder / "work"),
        "--log-level", "ERROR", "--", variant.kind, str(variant.folder),
    ]  # fmt: skip
    subprocess.run(command, check=True, cwd=ROOT)
    if variant.platform == "darwin":
        copies = metal_library.put_beside(variant.contents)
        print(f"Put the Metal kernels beside {len(copies)} more libraries")


def check_contents(variant: Variant) -> None:
    """See that everything is inside, and nothing that must not be."""
    modules = frozen_modules(variant.executable, variant.contents)
    _stop("The program is not complete", required.complaints(variant, modules))
    if variant.platform == "darwin":
        info = plistlib.loads((variant.application / "Contents" / "Info.plist").read_bytes())
        _stop("The program's Info.plist is wrong", property_lists.complaints_about(info, {}))
    print(f"Complete: {len(modules)} modules")


def report_sizes(variant: Variant) -> None:
    """Print and write the size by package."""
    text = sizes.report(variant.application, variant.content_folders, variant.executable)
    (variant.folder / "sizes.txt").write_text(text + "\n", encoding="utf-8")
    print(text)


def smoke_test(variant: Variant, *, measured: bool) -> None:
    """Use the frozen program once; measured: and time its start against that of the sources."""
    source = [sys.executable, "-P", "-m", "desktop"]
    frozen: dict[str, float] = {}
    sources: dict[str, float] = {}
    try:
        report = smoke.test_frozen(variant.executable)
        if measured:
            frozen, sources = smoke.start_times([[str(variant.executable)], source])
    except (smoke.SmokeTestFailed, subprocess.TimeoutExpired) as error:
        raise SystemExit(f"The smoke test failed: {error}") from error
    told = {"frozen": report, "start": {"frozen": frozen, "source": sources}}
    (variant.folder / "smoke.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
    print(f"Smoke test: {report['answer']!r} from {report['cited']}")
    for act, ms in report["milliseconds"].items():
        print(f"{ms:10.0f} ms  {act}")
    for act, ms in frozen.items():
        print(f"{ms:10.0f} ms  {act}, median of starts (from the sources: {sources[act]:.0f} ms)")


def sign(variant: Variant, *, sandbox: bool) -> None:
    """Sign the Mac program, ad hoc or with the identity of the environment."""
    who = signing.identity()
    entitlements = property_lists.write(
        signing.entitlements_for(who, sandbox=sandbox), variant.folder / "entitlements-used.plist"
    )
    signing.sign(variant.application, who, entitlements)
    print(f"Signed {'ad hoc' if who == signing.AD_HOC else 'by ' + who}")


def make_image(variant: Variant) -> None:
    """Make the disk image; have it notarised if the environment has credentials."""
    image = disk_image.make(variant.application, variant.folder / f"{PROGRAM}-{variant.kind}.dmg")
    print(f"Made {image} ({image.stat().st_size / sizes.MB:.0f} MB)")
    credentials = notarisation.Credentials.of()
    if signing.identity() == signing.AD_HOC or credentials is None:
        print("Not notarised: no identity or no credentials in the environment")
        return
    notarisation.notarise(image, credentials)
    print("Notarised and stapled")


def clean(folder: Path) -> None:
    """Remove what PyInstaller needed on the way."""
    shutil.rmtree(folder / "work", ignore_errors=True)


def _stop(what: str, complaints: Sequence[str]) -> None:
    if complaints:
        raise SystemExit("\n  ".join([f"{what}:", *complaints]))
