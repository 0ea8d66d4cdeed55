from __future__ import annotations

import os
import socket
import threading
from typing import TYPE_CHECKING

import pytest

from desktop.core.paths import HOME_VARIABLE
from desktop.core.single_instance import Instance, answer, paths_of

if TYPE_CHECKING:
    from pathlib import Path


def claimed(library) -> Instance:
    claim = Instance.claim(library)
    assert claim is not None
    return claim


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))


def test_a_second_start_hands_its_files_over_and_is_not_the_one(tmp_path):
    library, manual = tmp_path / "library", tmp_path / "pump.pdf"
    first = claimed(library)
    received: list[Path] = []

    def serve():
        first.listener.setblocking(True)
        client, _ = first.listener.accept()
        received.extend(paths_of(client.recv(10_000)) or [])
        answer(client)
        client.close()

    window = threading.Thread(target=serve)
    window.start()
    second = Instance.claim(library, [manual])
    window.join()
    first.close()
    assert second is None
    assert received == [manual]


def test_another_library_has_its_own_window(tmp_path):
    first = claimed(tmp_path / "one")
    claimed(tmp_path / "two").close()
    first.close()


def test_the_claim_is_free_again_after_its_window_and_after_a_killed_one(tmp_path):
    first = claimed(tmp_path)
    address = first.listener.getsockname()
    first.close()
    left_behind = socket.socket(socket.AF_UNIX)
    left_behind.bind(address)  # as a process leaves it that was killed
    left_behind.close()
    claimed(tmp_path).close()
    assert not os.path.exists(address)


def test_only_this_user_reaches_the_socket_also_where_its_path_must_be_short(tmp_path, monkeypatch):
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / ("deep" * 30)))
    claim = claimed(tmp_path)
    address = claim.listener.getsockname()
    assert len(address) < 104
    assert os.stat(address).st_mode & 0o077 == 0
    assert os.stat(os.path.dirname(address)).st_mode & 0o077 == 0
    claim.close()


@pytest.mark.parametrize("message", [b"", b"\n", b'{"a": 1}\n', b"[1]\n", b"\xff\n"])
def test_what_is_no_list_of_names_is_refused(message):
    assert paths_of(message) is None
