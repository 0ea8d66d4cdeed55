"""The process that downloads a model: the only part of Groundwork that uses a network.

It is started by `desktop.models.packs.download`, reads one request from its standard
input and reports what it does as lines of JSON. When the program that started it ends,
its standard input ends, and so does this process. What has arrived stays, and the next
download goes on from there.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from desktop import __version__
from desktop.models.packs.model_folder import FileUse, fault_of_name, use_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO

MARK = "groundwork-download "
"""Begins each line that is ours."""

_PART_SUFFIX = ".part"
_USER_AGENT = f"groundwork/{__version__}"
_REPORT_BYTES = 4 * 2**20
_READ_BYTES = 4 * 2**20


def main() -> int:
    """Serve one request; returns the exit code."""
    request = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_the_parent, name="parent", daemon=True).start()
    folder = Path(request["folder"])
    _allow_the_hub(folder)
    import httpx2
    from huggingface_hub import errors

    try:
        _download(request["repository"], request["revision"], folder)
    except errors.GatedRepoError:
        _tell(kind="failed", reason="gated")
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError):
        _tell(kind="failed", reason="gone")
    except errors.HfHubHTTPError as error:
        _tell(kind="failed", reason="status", detail=str(error.response.status_code))
    except (httpx2.TransportError, ConnectionError, TimeoutError) as error:
        _tell(kind="failed", reason="network", detail=str(error))
    except _WrongFile as error:
        _tell(kind="failed", reason="wrong", detail=str(error))
    except OSError as error:
        # the library reports a body that ended early as an OSError without a number
        reason = "disk" if error.errno else "network"
        _tell(kind="failed", reason=reason, detail=str(error), errno=error.errno)
    else:
        _tell(kind="done")
        return 0
    return 1


@dataclass(frozen=True, slots=True)
class _HubFile:
    """A file as the hub lists it. digest: SHA-256 of a large one, git's SHA-1 of a small one."""

    name: str
    size: int
    sha256: str
    git_sha1: str


class _WrongFile(Exception):  # noqa: N818 - named after the state
    """What arrived is not what the hub lists."""


def _allow_the_hub(folder: Path) -> None:
    """Undo for this process what `desktop.process_environment` did, and nothing else."""
    for switch in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_TOKEN"):
        os.environ.pop(switch, None)
    os.environ.update(
        HF_HUB_DISABLE_IMPLICIT_TOKEN="1",
        HF_HUB_DISABLE_PROGRESS_BARS="1",
        HF_HUB_DISABLE_XET="1",  # plain requests, which can be resumed at any byte
        HF_HOME=str(folder / ".hub"),  # nothing is written outside of the models' folder
    )


def _download(repository: str, revision: str, folder: Path) -> None:
    from huggingface_hub import HfApi

    info = HfApi(token=False).model_info(repository, revision=revision, files_metadata=True)
    if info.sha is None:
        raise _WrongFile("the hub does not say which version it has")
    files = _wanted(info.siblings or ())
    # noted before the first file: the next run goes on with the same version
    (folder / ".commit").write_text(info.sha, encoding="ascii")
    total = sum(file.size for file in files)
    _tell(kind="plan", commit=info.sha, total=total)
    done = 0
    for file in files:
        _fetch(file, repository, info.sha, folder, done)
        done += file.size
    _tell(kind="progress", done=total, file="")


def _wanted(siblings: Iterable[Any]) -> list[_HubFile]:
    """Choose the files of a model; the small ones first, so that a mistake shows early."""
    files = []
    for each in siblings:
        name = each.rfilename
        if fault_of_name(name) or use_of(name) not in (FileUse.WEIGHTS, FileUse.TEXT):
            continue
        if each.size is None or name.startswith("consolidated"):
            continue
        sha256 = each.lfs.sha256 if each.lfs else ""
        files.append(_HubFile(name, each.size, sha256, each.blob_id or ""))
    return sorted(files, key=lambda file: (use_of(file.name) is FileUse.WEIGHTS, file.name))


def _fetch(file: _HubFile, repository: str, commit: str, folder: Path, before: int) -> None:
    from huggingface_hub import hf_hub_url
    from huggingface_hub.file_download import http_get

    target = folder / file.name
    if target.is_file() and _is_right(file, target):
        return
    target.unlink(missing_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}{_PART_SUFFIX}")
    with part.open("r+b" if part.exists() else "w+b") as opened:
        arrived = opened.seek(0, os.SEEK_END)
        if arrived > file.size:
            arrived = opened.truncate(opened.seek(0))
        http_get(
            hf_hub_url(repository, file.name, revision=commit),
            cast("BinaryIO", _Told(opened, file.name, before)),
            resume_size=arrived,
            # unpacked bytes are counted, so nothing may be packed on the way
            headers={"User-Agent": _USER_AGENT, "Accept-Encoding": "identity"},
            expected_size=file.size,
        )
        opened.flush()
        os.fsync(opened.fileno())
    if not _is_right(file, part):
        part.unlink()
        raise _WrongFile(file.name)
    os.replace(part, target)


def _is_right(file: _HubFile, path: Path) -> bool:
    """Compare size and hash with what the hub lists."""
    if path.stat().st_size != file.size:
        return False
    digest = hashlib.sha256() if file.sha256 else hashlib.sha1(usedforsecurity=False)
    if not file.sha256:
        digest.update(b"blob %d\0" % file.size)  # the way git hashes a file
    with path.open("rb") as opened:
        while chunk := opened.read(_READ_BYTES):
            digest.update(chunk)
    return digest.hexdigest() == (file.sha256 or file.git_sha1)


class _Told:
    """A file that reports now and then how much of it has been written."""

    def __init__(self, file: BinaryIO, name: str, before: int) -> None:
        self._file, self._name, self._before = file, name, before
        self._told = 0
        self._tell()

    def write(self, data: bytes) -> int:
        written = self._file.write(data)
        if self._file.tell() - self._told >= _REPORT_BYTES:
            self._file.flush()
            self._tell()
        return written

    def tell(self) -> int:
        return self._file.tell()

    def seek(self, place: int, whence: int = os.SEEK_SET) -> int:
        return self._file.seek(place, whence)

    def truncate(self, size: int | None = None) -> int:
        return self._file.truncate(size)

    def _tell(self) -> None:
        self._told = self._file.tell()
        _tell(kind="progress", done=self._before + self._told, file=self._name)


def _tell(**message: object) -> None:
    try:
        sys.stdout.write(f"{MARK}{json.dumps(message)}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os._exit(errno.EPIPE)


def _end_with_the_parent() -> None:
    while sys.stdin.read(1):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
