"""Signatures: what is taken, and what is refused with which words."""

from __future__ import annotations

import stat

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from desktop.core.signing import (
    KeyUnusable,
    SignatureRefused,
    TrustedKeys,
    fingerprint,
    make_key,
    read_private_key,
    read_public_key,
    sign,
)


@pytest.fixture
def key(tmp_path):
    make_key(tmp_path / "company.key")
    return tmp_path / "company.key"


@pytest.fixture
def trusted(key, tmp_path):
    keys = TrustedKeys(tmp_path / "trusted")
    keys.add(key.with_suffix(".pub"))
    return keys


def test_what_a_trusted_key_signed_is_taken(key, trusted):
    signer = trusted.verify(b"manifest", sign(b"manifest", read_private_key(key)))
    assert signer.name == "company"
    assert signer.fingerprint == fingerprint(read_public_key(key.with_suffix(".pub")))


@pytest.mark.parametrize("changed", [b"manifesT", b"manifest ", b"manifes", b""])
def test_changed_bytes_are_refused(key, trusted, changed):
    with pytest.raises(SignatureRefused, match="Changed after company signed it"):
        trusted.verify(changed, sign(b"manifest", read_private_key(key)))


def test_unsigned_damaged_and_foreign_signatures_each_say_what_to_do(key, trusted, tmp_path):
    with pytest.raises(SignatureRefused, match="signature is missing"):
        trusted.verify(b"manifest", None)
    signature = sign(b"manifest", read_private_key(key))
    for damaged in (b"", signature[:40], b"\xff" * 64, signature.replace(b"ed25519", b"none")):
        with pytest.raises(SignatureRefused, match="signature is damaged"):
            trusted.verify(b"manifest", damaged)
    make_key(tmp_path / "other.key")
    foreign = sign(b"manifest", read_private_key(tmp_path / "other.key"))
    with pytest.raises(SignatureRefused, match=r"does not trust\. If that is your company's"):
        trusted.verify(b"manifest", foreign)


def test_a_signature_under_the_name_of_a_trusted_key_is_still_compared(key, trusted, tmp_path):
    make_key(tmp_path / "other.key")
    foreign = sign(b"manifest", read_private_key(tmp_path / "other.key"))
    ours, theirs = (
        fingerprint(read_public_key(path.with_suffix(".pub")))
        for path in (key, tmp_path / "other.key")
    )
    with pytest.raises(SignatureRefused, match="Changed after"):
        trusted.verify(b"manifest", foreign.replace(theirs.encode(), ours.encode()))


def test_a_private_key_is_for_its_owner_alone_and_never_written_over(key):
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    before = key.read_bytes()
    with pytest.raises(FileExistsError):
        make_key(key)
    assert key.read_bytes() == before


def test_a_passphrase_is_asked_for_and_compared(tmp_path):
    path = tmp_path / "company.key"
    make_key(path, "correct horse")
    with pytest.raises(KeyUnusable, match="passphrase is needed"):
        read_private_key(path)
    with pytest.raises(KeyUnusable, match="passphrase is wrong"):
        read_private_key(path, "battery")
    assert read_private_key(path, "correct horse").sign(b"")


def test_only_public_ed25519_keys_are_trusted(key, trusted, tmp_path):
    with pytest.raises(KeyUnusable, match="stays with its owner"):
        trusted.add(key)
    rsa = tmp_path / "rsa.pub"
    rsa.write_bytes(
        generate_private_key(65537, 2048)
        .public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    with pytest.raises(KeyUnusable, match="not an Ed25519 key"):
        trusted.add(rsa)
    (tmp_path / "text.pub").write_text("no key")
    with pytest.raises(KeyUnusable, match="not a public key"):
        trusted.add(tmp_path / "text.pub")


def test_a_name_is_not_taken_over_by_another_key(trusted, tmp_path):
    make_key(tmp_path / "new" / "company.key")
    with pytest.raises(KeyUnusable, match="Remove that one first"):
        trusted.add(tmp_path / "new" / "company.pub")
    assert trusted.remove("company")
    trusted.add(tmp_path / "new" / "company.pub")
    for name in ("../company", "a/b", ".company"):
        with pytest.raises(KeyUnusable, match="contain only letters"):
            trusted.add(tmp_path / "new" / "company.pub", name)
