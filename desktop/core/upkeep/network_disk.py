"""On what kind of disk a library lies: a network share is no place for a database."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

_NETWORK = frozenset(
    (
        *("9p", "afpfs", "afs", "ceph", "cifs", "davfs", "fuse.davfs2", "fuse.glusterfs"),
        *("fuse.rclone", "fuse.s3fs", "fuse.sshfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4"),
        *("smb2", "smb3", "smbfs", "webdav"),
    )
)
_LINUX = Path("/proc/self/mountinfo")
_SECONDS = 5.0


def file_system(folder: Path, mounts: str | None = None) -> str:
    """Return the type of the file system that holds a folder, "" where it cannot be told.

    mounts: what the system says is mounted; asked for if it is not given.
    """
    text = _mounts() if mounts is None else mounts
    target = folder.absolute().resolve()
    best, kind = -1, ""
    for place, its_kind in _read(text):
        if target.is_relative_to(place) and len(place.parts) >= best:
            best, kind = len(place.parts), its_kind
    return kind


def network_warning(folder: Path, mounts: str | None = None) -> str:
    """Return what a person should know if a library lies on a network share, else ""."""
    kind = file_system(folder, mounts)
    if kind not in _NETWORK:
        return ""
    return (
        f"This library lies on a network share ({kind}). Two computers that use it at once, or a "
        "broken connection, can damage it. Keep it on a disk of this computer, and carry it with "
        "'groundwork library export'."
    )


def _read(text: str) -> list[tuple[Path, str]]:
    found: list[tuple[Path, str]] = []
    for line in text.splitlines():
        before, dash, after = line.partition(" - ")
        if dash:  # Linux, /proc/self/mountinfo
            place = re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), before.split()[4])
            found.append((Path(place), after.split()[0]))
        elif match := re.match(r".* on (?P<place>/.*) \((?P<kind>[^,)]+)", line):
            found.append((Path(match["place"]), match["kind"]))
    return found


def _mounts() -> str:
    try:
        if _LINUX.exists():
            return _LINUX.read_text(encoding="utf-8", errors="replace")
        listed = subprocess.run(
            ["/sbin/mount"], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
        return listed.stdout
    except (OSError, subprocess.SubprocessError):
        return ""
