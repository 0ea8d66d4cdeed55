"""Where Groundwork keeps its files, and how they survive a power cut: folders, disks, writing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import platformdirs

from desktop.resources import resource
from desktop.sentences import said

HOME_VARIABLE = "GROUNDWORK_HOME"
"""Environment variable that puts everything Groundwork writes below one folder."""
SAMPLE_QUESTION = "What is the tightening torque of the terminals X1:1 to X1:4?"
"""A question that the sample manuals answer; the demonstration asks it without a window."""


class LibraryFolder:
    """The layout of one library: the database, the originals by hash, and related files.

    database: the library file. knowledge: what engineers noted, made with the first note.
    lock: held by the one process that may write.
    check_wanted: created while the library is open; if there at the next opening, closing
        went wrong.
    originals: a copy of every PDF, named by its SHA-256.
    domains: descriptions of products and their manuals, as TOML.
    check_ins: a record of every text that was structured into notes.
    team: signed changes of notes that are shared with a team through a folder.
    backups: copies of the library's databases, a folder each.
    watched: the folders whose manuals come in by themselves, and what was seen in them.
    logs: rotating log files.
    reports: answers saved as reports, a folder each.
    research: what deep research did, a folder for each question.
    questions: those whose answers a person found wrong.
    programs: compiled programs, one file a language model.
    """

    def __init__(self, root: Path) -> None:
        self.root: Final = root
        self.database: Final = root / "library.db"
        self.knowledge: Final = root / "knowledge.db"
        self.lock: Final = root / "library.lock"
        self.check_wanted: Final = root / "library.open"
        self.originals: Final = root / "originals"
        self.domains: Final = root / "domains"
        self.check_ins: Final = root / "check-ins"
        self.team: Final = root / "team"
        self.backups: Final = root / "backups"
        self.watched: Final = root / "watched.json"
        self.logs: Final = root / "logs"
        self.reports: Final = root / "reports"
        self.research: Final = root / "research"
        self.questions: Final = root / "questions.json"
        self.programs: Final = root / "programs"

    def original(self, sha256: str) -> Path:
        """Return where the copy of the PDF with this hash is kept."""
        return self.originals / f"{sha256}.pdf"


def data_folder() -> Path:
    """Return the folder for the user's data on this machine; it need not exist yet."""
    override = os.environ.get(HOME_VARIABLE)
    if override:
        return Path(override).expanduser()
    return Path(platformdirs.user_data_dir("Groundwork", appauthor=False))


def default_library() -> Path:
    """Return the folder of the library that opens when nobody names one."""
    return data_folder() / "library"


def synchronise(path: Path) -> None:
    """Have the system write a file, or a folder's list of names, to the disk now."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def free_path(path: Path) -> Path:
    """Return a path that nothing has: this one, or the first that is free of "…-2", "…-3"."""
    free, number = path, 1
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is there complete or as it was before, also after a power cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    partial.write_bytes(data)
    synchronise(partial)
    partial.replace(path)


def trusted_keys(purpose: str) -> Path:
    """Return the folder of the public keys that this user trusts for a purpose, such as "packs"."""
    return data_folder() / "trusted" / purpose


def sample_manuals() -> list[Path]:
    """Return the sample PDFs, by name; empty if this installation lacks them."""
    return sorted(resource("samples", "manuals").glob("*.pdf"))


def demo_library() -> Path:
    """Return the folder of the library that `groundwork demo` uses."""
    return data_folder() / "demo"


def resources_folder() -> Path:
    """Return the folder of everything that comes with the program."""
    return resource()


_NETWORK = frozenset(
    (
        *("9p", "afpfs", "afs", "ceph", "cifs", "davfs", "fuse.davfs2", "fuse.glusterfs"),
        *("fuse.rclone", "fuse.s3fs", "fuse.sshfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4"),
        *("smb2", "smb3", "smbfs", "webdav"),
    )
)


def file_system(folder: Path) -> str:
    """Return the type of the file system that holds a folder, "" where it is unknown."""
    import psutil  # not above: the window's first picture does not wait for it

    try:
        kinds = {Path(each.mountpoint): each.fstype for each in psutil.disk_partitions(all=True)}
    except (OSError, psutil.Error):
        return ""
    target = folder.absolute().resolve()
    return next((kinds[place] for place in (target, *target.parents) if place in kinds), "")


def network_warning(folder: Path) -> str:
    """Return what a person should know if a library lies on a network share, else ""."""
    kind = file_system(folder)
    if kind not in _NETWORK:
        return ""
    return said(
        "This library is on a network share ({kind}). Two computers using it at once, or a "
        "broken connection, can damage it. Keep it on a disk of this computer, and transfer it "
        "with 'groundwork library export'.",
        kind=kind,
    )
