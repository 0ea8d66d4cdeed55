"""What may not be kept, and that a refusal never repeats it."""

from __future__ import annotations

import socket

import pytest

from knowledge.errors import KnowledgeRefused
from knowledge.security import MOST_CHARACTERS, check_text, check_values, secret_in

# Put together here, so that no scanner of the repository takes them for real ones.
A36 = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
SECRETS = {
    "password": ("The panel's password: ", "Tr0ub4dor&3"),
    "password in a sentence": ("the admin password is ", "Sesame42!"),
    "API key": ("api_key = ", "9f8e7d6c5b4a3210"),
    "API key in JSON": ('{"apiKey": "', 'q8w7e6r5t4"}'),
    "token": ("access token: ", "tok-4711-0815"),
    "bearer token": ("curl -H 'x: Bearer ", "abc123def456ghi789'"),
    "authorization header": ("Authorization: Basic ", "dXNlcjpwYXNz"),
    "AWS access key": ("key ", "AKIA" + "IOSFODNN7EXAMPLE"),
    "GitHub token": ("use ", "ghp_" + A36),
    "Slack token": ("bot ", "xoxb-" + "123456789012-abcdefghij"),
    "JSON web token": ("sent ", "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxIn0.c2lnbmF0dXJl"),
    "private key": ("-----BEGIN RSA ", "PRIVATE KEY-----\nMIIEow"),
    "password in a URL": ("ftp://service:", "hunter2@10.0.0.5/logs"),
    "Stripe key": ("", "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"),
    "model key": ("", "sk-proj-" + A36),
    "Google key": ("", "AIza" + "SyA1234567890abcdefghijklmnopqrstuv"),
    "connection string": ("Server=db;Uid=sa;", "Pwd=Geheim99;"),
    "German": ("Das Passwort lautet ", "Geheim99!"),
    "hidden by zero-width letters": ("pass\u200bword: ", "Tr0ub4dor&3"),
    "wide letters": ("\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44: ", "Tr0ub4dor&3"),
    "further down": ("All is fine.\n\nLater on:\nclient_secret=", "8fj3k2l1m9"),
}
HARMLESS = [
    "The default password is printed on page 3-2 of the installer manual.",
    "Password: see page 4-2.",
    "Password: none",
    "The password must have at least 12 characters.",
    "The access key hangs on the hook beside the boiler.",
    "Bearer channels carry the voice; bearer capability is checked at start.",
    "Press the key for 3 s until the token ring lamp goes out.",
    "Use relay S-130 (part 4711-0815-99) at 24 V DC; see https://example.com/manual.pdf#page=12",
    "Initialize transient LES from converged RANS -- cuts spin-up by ~40%",
    "Serial number SN-2024-000123456789, firmware 4.2.1-rc3, MAC 00:1A:2B:3C:4D:5E.",
    "SHA-256 of the image: 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "The secret is to bleed the line before closing the valve.",
    "Passwort: siehe Aufkleber an der Tür.",
]


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_refused_and_never_repeated(name):
    before, secret = SECRETS[name]
    with pytest.raises(KnowledgeRefused) as refusal:
        check_text(f"{before}{secret}", "The note")
    message = str(refusal.value)
    assert message.startswith("The note seems to contain")
    assert secret not in message
    assert not any(part in message for part in secret.split() if len(part) > 7)


@pytest.mark.parametrize("text", HARMLESS)
def test_a_note_that_only_talks_of_keys_and_codes_is_kept(text):
    check_text(text)


def test_the_line_of_a_secret_is_told():
    assert secret_in("one\ntwo\npassword: Sesame42!") == "a password, key or token (line 3)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        (" \n\t ", "is empty"),
        ("x" * (MOST_CHARACTERS + 1), "at most 100,000"),
        ("x" * 10_000_000, "10,000,000 characters"),
        ("a\0b", "NUL"),
        ("half \ud800", "surrogate"),
    ],
)
def test_what_is_no_text_is_refused(text, said):
    with pytest.raises(KnowledgeRefused, match=said):
        check_text(text)


@pytest.mark.parametrize(
    "values",
    [
        {"password": "Sesame42!"},
        {"login": {"user": "x", "access_token": "tok-4711-0815"}},
        {"list": ["fine", "AKIA" + "IOSFODNN7EXAMPLE"]},
        {"ghp_" + A36: 1},
    ],
)
def test_values_of_json_are_looked_through_with_their_names(values):
    with pytest.raises(KnowledgeRefused):
        check_values(values, "The profile")


def test_looking_for_secrets_reaches_no_network(monkeypatch):
    def refuse(*_):
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    for before, secret in SECRETS.values():
        assert secret_in(before + secret)
