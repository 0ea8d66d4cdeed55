"""Has Apple check a disk image, and staples the ticket to it, when credentials are there."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PROFILE = "GROUNDWORK_NOTARY_PROFILE"
"""A profile in the keychain, made by `xcrun notarytool store-credentials`."""
KEY, KEY_ID, ISSUER = (
    "GROUNDWORK_NOTARY_KEY",
    "GROUNDWORK_NOTARY_KEY_ID",
    "GROUNDWORK_NOTARY_ISSUER",
)
"""Or a key of App Store Connect: the path of its file, its id, and the issuer's."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """arguments: of notarytool; no secret is among them, so that they may be logged."""

    arguments: tuple[str, ...]

    @classmethod
    def of(cls, environ: Mapping[str, str] = os.environ) -> Credentials | None:
        """Return what the environment holds, None if that is not enough."""
        if environ.get(PROFILE):
            return cls(("--keychain-profile", environ[PROFILE]))
        if all(environ.get(name) for name in (KEY, KEY_ID, ISSUER)):
            key = ("--key", environ[KEY], "--key-id", environ[KEY_ID])
            return cls((*key, "--issuer", environ[ISSUER]))
        return None


def notarise(image: Path, credentials: Credentials) -> None:
    """Submit the image, wait for the verdict, staple the ticket, and check it.

    Raises: subprocess.CalledProcessError, with the tool's own message on standard error.
    """
    for command in commands(image, credentials):
        subprocess.run(command, check=True)


def commands(image: Path, credentials: Credentials) -> list[list[str]]:
    """Return what is run, in its order."""
    return [
        ["xcrun", "notarytool", "submit", str(image), *credentials.arguments, "--wait"],
        ["xcrun", "stapler", "staple", str(image)],
        ["spctl", "--assess", "--type", "open", "--context", "context:primary-signature",
         "--verbose", str(image)],
    ]  # fmt: skip
