"""Ed25519 signatures, and the public keys that this computer trusts.

Keys are PEM files as OpenSSL writes and reads them. A signature is over the exact bytes
and stands in a file beside them, `NAME.sig`: JSON with the key's fingerprint. Whatever
is signed must itself say what it is (a pack, a note), so that a signature of one thing
is not one of another.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.core.errors import KeyUnusable as KeyUnusable
from desktop.core.errors import SignatureRefused as SignatureRefused
from desktop.core.errors import SigningError as SigningError
from desktop.sentences import said

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE_SUFFIX, PUBLIC_SUFFIX, SIGNATURE_SUFFIX = ".key", ".pub", ".sig"
_LONGEST_FILE = 16 << 10


class Signature(BaseModel):
    """What stands in a `.sig` file. key: the fingerprint. signature: 64 bytes in base64."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    algorithm: Literal["ed25519"] = "ed25519"
    key: str = Field(pattern="^[0-9a-f]{16}$")
    signature: str = Field(max_length=100)

    def raw(self) -> bytes:
        """Return the 64 bytes; b"" if they are not written properly."""
        try:
            return base64.b64decode(self.signature, validate=True)
        except binascii.Error:
            return b""


def fingerprint(key: Ed25519PublicKey) -> str:
    """Return 16 hexadecimal digits of a key's SHA-256, for people to compare."""
    return hashlib.sha256(key.public_bytes_raw()).hexdigest()[:16]


def make_key(path: Path, passphrase: str = "") -> Ed25519PublicKey:
    """Write a new private key to `path`, for its owner only, its public one beside it (.pub).

    passphrase: encrypts the private key; "" leaves it open.

    Raises: FileExistsError, OSError: nothing is ever overwritten.
    """
    key = Ed25519PrivateKey.generate()
    encryption: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if passphrase:
        encryption = serialization.BestAvailableEncryption(passphrase.encode())
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption
    )
    public = path.with_suffix(PUBLIC_SUFFIX)
    if public.exists():
        raise FileExistsError(f"there is a file {public} already")
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(private)
    public.write_bytes(_pem(key.public_key()))
    return key.public_key()


def read_private_key(path: Path, passphrase: str = "") -> Ed25519PrivateKey:
    """Return the private key of a PEM file. Raises: KeyUnusable; OSError."""
    try:
        key = serialization.load_pem_private_key(
            _short_file(path), passphrase.encode() if passphrase else None
        )
    except TypeError as error:
        asked = said("{name} is encrypted: its passphrase is needed.", name=path.name)
        not_asked = said("{name} is not encrypted: leave out the passphrase.", name=path.name)
        raise KeyUnusable(not_asked if passphrase else asked) from error
    except (ValueError, UnsupportedAlgorithm) as error:
        wrong = said("{name} is not a private key, or the passphrase is wrong.", name=path.name)
        raise KeyUnusable(wrong) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyUnusable(said("{name} is a key, but not an Ed25519 key.", name=path.name))
    return key


def read_public_key(path: Path) -> Ed25519PublicKey:
    """Return the public key of a PEM file. Raises: KeyUnusable; OSError."""
    data = _short_file(path)
    if b"PRIVATE KEY" in data:
        raise KeyUnusable(
            said(
                "{name} is the private key, which stays with its owner. Use the .pub file.",
                name=path.name,
            )
        )
    try:
        key = serialization.load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise KeyUnusable(said("{name} is not a public key.", name=path.name)) from error
    if not isinstance(key, Ed25519PublicKey):
        raise KeyUnusable(said("{name} is a key, but not an Ed25519 key.", name=path.name))
    return key


def sign(data: bytes, key: Ed25519PrivateKey) -> bytes:
    """Return the contents of the `.sig` file of `data`."""
    made = Signature(
        key=fingerprint(key.public_key()),
        signature=base64.b64encode(key.sign(data)).decode(),
    )
    return f"{made.model_dump_json(indent=1)}\n".encode()


@dataclass(frozen=True, slots=True)
class TrustedKey:
    """A public key that somebody said is to be trusted, and the name they gave it."""

    name: str
    key: Ed25519PublicKey

    @property
    def fingerprint(self) -> str:
        """What people compare."""
        return fingerprint(self.key)


class TrustedKeys:
    """The keys of one folder, NAME.pub each; one folder for each purpose."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> list[TrustedKey]:
        """Return the keys by name.

        Raises: KeyUnusable, OSError: a damaged key is told, not left out.
        """
        if not self._folder.is_dir():
            return []
        files = sorted(self._folder.glob(f"*{PUBLIC_SUFFIX}"))
        return [TrustedKey(path.stem, read_public_key(path)) for path in files]

    def add(self, file: Path, name: str = "") -> TrustedKey:
        """Trust the public key of a file from now on, under a name or the file's own.

        Raises: KeyUnusable, also for a name that another key has; OSError.
        """
        given = name or file.stem
        if not re.fullmatch(r"[\w][\w .-]{0,60}", given):
            raise KeyUnusable(said("A key name can contain only letters, digits, '-' and '.'."))
        key = TrustedKey(given, read_public_key(file))
        for known in self.all():
            if known.fingerprint == key.fingerprint:
                return known
            if known.name.casefold() == key.name.casefold():
                raise KeyUnusable(
                    said(
                        "Another key ({fingerprint}) is trusted under the name {name}. Remove "
                        "that one first, or give this one another name.",
                        fingerprint=known.fingerprint,
                        name=known.name,
                    )
                )
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / f"{given}{PUBLIC_SUFFIX}").write_bytes(_pem(key.key))
        return key

    def remove(self, name: str) -> bool:
        """Stop trusting the key of this name or fingerprint; return whether there was one."""
        found = [key for key in self.all() if name in (key.name, key.fingerprint)]
        for key in found:
            (self._folder / f"{key.name}{PUBLIC_SUFFIX}").unlink()
        return bool(found)

    def verify(self, data: bytes, signature: bytes | None) -> TrustedKey:
        """Return the trusted key that signed exactly these bytes.

        signature: the contents of the `.sig` file, None if there is none.

        Raises: SignatureRefused. KeyUnusable, OSError: a trusted key cannot be read.
        """
        if signature is None:
            raise SignatureRefused(said("The signature is missing. Ask for a signed copy."))
        try:
            given = Signature.model_validate_json(signature[:_LONGEST_FILE])
        except ValidationError as error:
            raise SignatureRefused(
                said("The signature is damaged. Copy everything again from where it came.")
            ) from error
        key = next((each for each in self.all() if each.fingerprint == given.key), None)
        if key is None:
            raise SignatureRefused(
                said(
                    "Signed with the key {key}, which this computer does not trust. If that is "
                    "your company's key, trust its .pub file first.",
                    key=given.key,
                )
            )
        try:
            key.key.verify(given.raw(), data)
        except InvalidSignature as error:
            raise SignatureRefused(
                said(
                    "Changed after {name} signed it, or incomplete. Copy everything again from "
                    "where it came; if that does not help, do not use it.",
                    name=key.name,
                )
            ) from error
        return key


def _pem(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def _short_file(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(_LONGEST_FILE + 1)
    if len(data) > _LONGEST_FILE:
        raise KeyUnusable(said("{name} is not a key file.", name=path.name))
    return data
