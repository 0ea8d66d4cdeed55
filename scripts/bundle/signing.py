"""Signs the Mac program: ad hoc, or with the Developer ID that the environment names."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from scripts.bundle import property_lists

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

IDENTITY_VARIABLE = "GROUNDWORK_SIGNING_IDENTITY"
"""For example "Developer ID Application: Somebody (TEAMID1234)"; without it, ad hoc."""
AD_HOC = "-"
_MACH_O = frozenset(
    bytes.fromhex(magic) for magic in ("cffaedfe", "cefaedfe", "feedfacf", "feedface", "cafebabe")
)


def identity(environ: Mapping[str, str] = os.environ) -> str:
    """Return whose signature is wanted, "-" for none."""
    return environ.get(IDENTITY_VARIABLE) or AD_HOC


def sign(application: Path, who: str, entitlements: Path) -> None:
    """Sign every binary of the program from the inside out, the program last; verify it.

    Raises: subprocess.CalledProcessError, with codesign's own message on standard error.
    """
    for binary in binaries(application):
        _codesign(binary, who, None)
    _codesign(application, who, entitlements)
    subprocess.run(
        ["codesign", "--verify", "--deep", "--strict", "--verbose=2", str(application)], check=True
    )


def entitlements_for(who: str, *, sandbox: bool = False) -> dict[str, bool]:
    """Return the entitlements that go with a signature."""
    if sandbox:
        return property_lists.SANDBOX_ENTITLEMENTS
    local = who == AD_HOC
    return property_lists.LOCAL_ENTITLEMENTS if local else property_lists.ENTITLEMENTS


def codesign_command(target: Path, who: str, entitlements: Path | None) -> list[str]:
    """Return the command that signs one file or program."""
    command = ["codesign", "--force", "--sign", who, "--options", "runtime"]
    # notarisation asks for a timestamp of Apple's; an ad hoc signature cannot have one
    command.append("--timestamp=none" if who == AD_HOC else "--timestamp")
    if entitlements is not None:
        command += ["--entitlements", str(entitlements)]
    return [*command, str(target)]


def binaries(application: Path) -> Iterator[Path]:
    """Yield the Mach-O files of a program, the deepest first."""
    files = [path for path in application.rglob("*") if path.is_file() and not path.is_symlink()]
    for path in sorted(files, key=lambda each: len(each.parts), reverse=True):
        with path.open("rb") as file:
            if file.read(4) in _MACH_O:
                yield path


def _codesign(target: Path, who: str, entitlements: Path | None) -> None:
    subprocess.run(codesign_command(target, who, entitlements), check=True)
