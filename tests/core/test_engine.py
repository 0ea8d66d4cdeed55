"""The engine thread: many questions at once, cancelling, closing."""

from __future__ import annotations

import asyncio
import threading

import pytest

from desktop.core.engine import Engine, EngineClosed
from desktop.core.events import CompleteEvent, TokenEvent
from tests.fakes.agent import make_agent
from tests.fakes.searcher import FakeSearcher, page_found


@pytest.fixture
def engine():
    engine = Engine()
    yield engine
    engine.close()


class Listener:
    """Keeps what a run said, and on which thread."""

    def __init__(self):
        self.events = []
        self.threads = set()
        self.done = 0

    def on_event(self, event):
        self.events.append(event)
        self.threads.add(threading.current_thread().name)

    def on_done(self):
        self.done += 1


def start(engine, agent, prompt="What is the fuse?"):
    listener = Listener()
    handle = engine.start(
        lambda cancel: agent.run(prompt, cancel=cancel), listener.on_event, listener.on_done
    )
    return handle, listener


def test_events_come_on_the_engine_thread_and_done_comes_once(engine):
    handle, listener = start(engine, make_agent())
    assert handle.wait(30)
    assert listener.threads == {"groundwork-engine"}
    assert listener.events[-1].outcome == "answered"
    assert listener.done == 1


def test_ten_questions_at_once_do_not_mix(engine):
    agents = [make_agent(searcher=FakeSearcher([page_found(f"Fuse {n}.")])) for n in range(10)]
    runs = [start(engine, agent) for agent in agents]
    for number, (handle, listener) in enumerate(runs):
        assert handle.wait(30)
        words = "".join(e.content for e in listener.events if isinstance(e, TokenEvent))
        assert words == f"Fuse {number}. [1]"
        assert isinstance(listener.events[-1], CompleteEvent)


def test_one_agent_answers_ten_questions_at_once(engine):
    agent = make_agent()
    runs = [start(engine, agent) for _ in range(10)]
    for handle, listener in runs:
        assert handle.wait(30)
        assert listener.events[-1].outcome == "answered"


def test_a_slow_search_does_not_hold_up_another_question(engine):
    slow = FakeSearcher([page_found("Slow.")])
    release = slow.block()
    waiting, _ = start(engine, make_agent(searcher=slow))
    assert slow.searching.wait(30)
    quick, listener = start(engine, make_agent())
    assert quick.wait(30)
    assert listener.events[-1].outcome == "answered"
    release.set()
    assert waiting.wait(30)


def test_cancelling_in_the_middle_of_a_search_ends_the_question_at_once(engine):
    searcher = FakeSearcher([page_found("x")])
    release = searcher.block()
    handle, listener = start(engine, make_agent(searcher=searcher))
    assert searcher.searching.wait(30)
    handle.cancel()
    handle.cancel()
    assert handle.wait(30)  # while the search is still held up
    assert listener.events[-1].outcome == "cancelled"
    assert listener.done == 1
    release.set()


def test_a_question_cancelled_before_it_began_says_so(engine):
    hold = threading.Event()
    engine._loop.call_soon_threadsafe(hold.wait, 2.0)
    handle, listener = start(engine, make_agent())
    handle.cancel()
    hold.set()
    assert handle.wait(30)
    assert [event.type for event in listener.events] == ["complete"]
    assert listener.events[0].outcome == "cancelled"


def test_a_callback_with_a_bug_ends_only_its_own_question(engine):
    def broken(event):
        raise RuntimeError("a bug in the window")

    done = threading.Event()
    agent = make_agent()
    engine.start(lambda cancel: agent.run("What?", cancel=cancel), broken, done.set)
    assert done.wait(30)
    handle, listener = start(engine, make_agent())
    assert handle.wait(30)
    assert listener.events[-1].outcome == "answered"


def test_closing_cancels_what_runs_and_leaves_no_thread():
    before = set(threading.enumerate())
    engine = Engine()
    searcher = FakeSearcher([page_found("x")])
    release = searcher.block()
    _, listener = start(engine, make_agent(searcher=searcher))
    assert searcher.searching.wait(30)
    threading.Timer(0.1, release.set).start()
    engine.close()
    engine.close()
    assert listener.events[-1].outcome == "cancelled"
    left = [each.name for each in threading.enumerate() if each not in before]
    assert not [name for name in left if name.startswith("groundwork")]


def test_a_closed_engine_takes_no_questions():
    engine = Engine()
    engine.close()
    with pytest.raises(EngineClosed):
        start(engine, make_agent())


def test_a_stream_that_forgets_to_end_well_when_cancelled_is_still_closed(engine):
    closed = threading.Event()
    begun = threading.Event()

    async def stubborn(cancel):
        try:
            begun.set()
            await asyncio.sleep(30)
            yield TokenEvent("never")
        finally:
            closed.set()

    listener = Listener()
    handle = engine.start(stubborn, listener.on_event, listener.on_done)
    assert begun.wait(30)
    handle.cancel()
    assert handle.wait(30)
    assert closed.is_set()
    assert listener.done == 1
