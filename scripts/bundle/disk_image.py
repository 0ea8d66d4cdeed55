"""Makes the disk image: the program beside a link to the folder it is dragged to."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from scripts.bundle.variant import PROGRAM


def make(application: Path, image: Path) -> Path:
    """Write a compressed image with the program in it; returns it.

    Raises: subprocess.CalledProcessError, with hdiutil's own message on standard error.
    """
    image.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="groundwork-image-") as scratch:
        folder = lay_out(application, Path(scratch))
        subprocess.run(hdiutil_command(folder, image), check=True)
    return image


def lay_out(application: Path, folder: Path) -> Path:
    """Put into a folder what the image shows."""
    shutil.copytree(application, folder / application.name, symlinks=True)
    (folder / "Applications").symlink_to("/Applications")
    return folder


def hdiutil_command(folder: Path, image: Path) -> list[str]:
    """Return the command that makes the image."""
    return [
        "hdiutil", "create", "-volname", PROGRAM, "-srcfolder", str(folder), "-ov",
        "-fs", "APFS", "-format", "ULFO", str(image),
    ]  # fmt: skip
