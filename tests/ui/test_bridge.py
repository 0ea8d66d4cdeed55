from __future__ import annotations

import threading
from functools import partial

import pytest

from desktop.ui.bridge import Bridge, Errands


class Watched(Bridge):
    """Remembers what arrived."""

    def __init__(self) -> None:
        super().__init__("test-job")
        self.seen: list[object] = []
        self.received.connect(self.seen.append)


@pytest.fixture
def bridge(qtbot):
    bridge = Watched()
    yield bridge
    bridge.close()


def test_events_arrive_in_order_on_the_ui_thread(bridge, qtbot):
    threads = set()
    bridge.received.connect(lambda _: threads.add(threading.current_thread()))
    with qtbot.waitSignal(bridge.finished) as end:
        bridge.start(lambda _cancel: iter(range(100)))
    assert bridge.seen == list(range(100))
    assert threads == {threading.main_thread()}
    assert end.args == [None]
    assert not bridge.running


def test_a_superseded_run_is_cancelled_and_never_heard_again(bridge, qtbot):
    may_end = threading.Event()
    tokens = []

    def stubborn(cancel):
        tokens.append(cancel)
        yield "old 1"
        may_end.wait(60)
        yield "old 2"

    bridge.start(stubborn)
    qtbot.waitUntil(lambda: bridge.seen == ["old 1"])
    bridge.start(lambda _cancel: iter(["new"]))
    may_end.set()
    with qtbot.waitSignal(bridge.finished):
        pass
    qtbot.wait(30)
    assert tokens[0].cancelled
    assert bridge.seen == ["old 1", "new"]


def test_a_job_that_raises_hands_over_its_exception(bridge, qtbot):
    def broken(_cancel):
        yield 1
        raise OSError("disk gone")

    with qtbot.waitSignal(bridge.finished) as end:
        bridge.start(broken)
    assert isinstance(end.args[0], OSError)


def test_a_cancelled_job_ends_without_an_error(bridge, qtbot):
    def endless(cancel):
        while True:
            cancel.check()
            yield 1

    bridge.start(endless)
    qtbot.waitUntil(lambda: bool(bridge.seen))
    with qtbot.waitSignal(bridge.finished) as end:
        bridge.cancel()
    assert end.args == [None]


def test_closing_joins_the_thread_and_stays_silent(bridge, qtbot):
    def endless(cancel):
        while True:
            cancel.check()
            yield 1

    bridge.start(endless)
    assert bridge.close(2.0)
    count = len(bridge.seen)
    qtbot.wait(30)
    assert len(bridge.seen) == count
    with pytest.raises(RuntimeError, match="closed"):
        bridge.start(endless)


def test_errands_run_in_order_and_closing_finishes_all_of_them(qtbot):
    errands = Errands()
    done: list[int] = []
    gate = threading.Event()
    errands.run(lambda: gate.wait(60))
    for number in range(20):
        errands.run(partial(done.append, number))
    gate.set()
    errands.close()
    assert done == list(range(20))


def test_a_failed_errand_is_reported_and_the_next_one_still_runs(qtbot):
    errands = Errands()
    results: list[int] = []

    def fail():
        raise OSError("read-only")

    with qtbot.waitSignal(errands.failed):
        errands.run(fail)
        errands.run(lambda: 7, results.append)
    qtbot.waitUntil(lambda: results == [7])
    errands.close()
