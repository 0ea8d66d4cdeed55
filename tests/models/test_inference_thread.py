import threading
import time
from concurrent.futures import CancelledError

import pytest

from desktop.models.errors import ModelStopped
from desktop.models.inference_thread import InferenceThread, Priority


class Gate:
    """A step that holds the thread until it is opened."""

    def __init__(self, inference):
        self._open = threading.Event()
        self._entered = threading.Event()
        self.future = inference.submit(self._step, Priority.INGESTION)
        assert self._entered.wait(30)

    def _step(self):
        self._entered.set()
        assert self._open.wait(30)

    def open(self):
        self._open.set()


def test_a_question_goes_before_ingestion_that_was_there_first(inference):
    gate, order = Gate(inference), []
    waiting = [
        inference.submit(lambda: order.append("ingestion 1"), Priority.INGESTION),
        inference.submit(lambda: order.append("ingestion 2"), Priority.INGESTION),
        inference.submit(lambda: order.append("question"), Priority.QUESTION),
    ]
    gate.open()
    for future in waiting:
        future.result(5)
    assert order == ["question", "ingestion 1", "ingestion 2"]


def test_all_work_is_done_by_one_thread(inference):
    names = {
        inference.run(lambda: threading.current_thread().name, priority) for priority in Priority
    }
    assert names == {"inference-test"}


def test_an_exception_reaches_whoever_asked(inference):
    with pytest.raises(ZeroDivisionError):
        inference.run(lambda: 1 // 0, Priority.QUESTION)
    assert inference.run(lambda: "still working", Priority.QUESTION) == "still working"


def test_work_that_still_waits_can_be_cancelled(inference):
    gate, done = Gate(inference), []
    waiting = inference.submit(lambda: done.append("never"), Priority.QUESTION)
    assert waiting.cancel()
    gate.open()
    inference.run(lambda: None, Priority.INGESTION)
    assert not done


def test_a_step_may_ask_for_another_without_waiting_for_itself(inference):
    def outer():
        return inference.run(lambda: "inner", Priority.INGESTION)

    assert inference.submit(outer, Priority.QUESTION).result(5) == "inner"


def test_closing_finishes_the_step_and_cancels_what_waits():
    inference = InferenceThread()
    gate = Gate(inference)
    waiting = inference.submit(lambda: "never", Priority.QUESTION)
    closing = threading.Thread(target=inference.close)
    closing.start()
    with pytest.raises(CancelledError):
        waiting.result(5)
    gate.open()
    closing.join(30)
    assert not closing.is_alive()
    assert gate.future.result(0) is None
    assert "inference" not in {thread.name for thread in threading.enumerate()}


def test_somebody_who_waits_is_told_that_the_thread_was_closed():
    inference = InferenceThread()
    gate, told = Gate(inference), []

    def wait():
        try:
            inference.run(lambda: None, Priority.QUESTION)
        except ModelStopped as error:
            told.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    while inference._queue.empty():
        time.sleep(0.001)
    closing = threading.Thread(target=inference.close)
    closing.start()
    waiting.join(30)
    gate.open()
    closing.join(30)
    assert len(told) == 1


def test_work_after_closing_is_refused(inference):
    inference.close()
    with pytest.raises(ModelStopped):
        inference.submit(lambda: None, Priority.QUESTION)


def test_closing_twice_or_without_any_work_is_harmless(inference):
    inference.close()
    inference.close()


def test_runtimes_are_closed_on_the_thread_that_used_them(inference):
    closed = []
    inference.run(lambda: None, Priority.QUESTION)
    inference.on_close(lambda: closed.append(("first", threading.current_thread().name)))
    inference.on_close(lambda: closed.append(("second", threading.current_thread().name)))
    inference.close()
    assert closed == [("second", "inference-test"), ("first", "inference-test")]


def test_a_runtime_that_fails_to_close_does_not_keep_the_others_open(inference):
    closed = []
    inference.run(lambda: None, Priority.QUESTION)
    inference.on_close(lambda: closed.append("first"))
    inference.on_close(lambda: 1 // 0)
    inference.close()
    assert closed == ["first"]


def counting(order, name, count=3):
    for number in range(count):
        order.append(f"{name} {number}")
        yield number


def test_a_stream_hands_over_what_its_iterator_makes(inference):
    assert list(inference.stream(lambda: iter([1, 2, 3]), Priority.QUESTION)) == [1, 2, 3]


def test_a_question_goes_between_two_items_of_ingestion(inference):
    order, second = [], threading.Event()

    def ingestion():
        yield "first"
        assert second.wait(30)
        yield "second"
        order.append("third")
        yield "third"

    stream = inference.stream(ingestion, Priority.INGESTION)
    assert next(stream) == "first"
    question = inference.submit(lambda: order.append("question"), Priority.QUESTION)
    second.set()
    assert list(stream) == ["second", "third"]
    question.result(5)
    assert order == ["question", "third"]


def test_a_stream_of_the_same_priority_waits_for_the_one_that_runs(inference):
    order: list[str] = []
    gate = Gate(inference)
    streams = [
        inference.stream(lambda name=name: counting(order, name), Priority.QUESTION)
        for name in ("one", "two")
    ]
    gate.open()
    for stream in streams:
        assert list(stream) == [0, 1, 2]
    assert order == ["one 0", "one 1", "one 2", "two 0", "two 1", "two 2"]


def test_a_stream_whose_reader_stops_is_closed_on_the_thread(inference):
    closed_on = []

    def endless():
        try:
            while True:
                yield 0
        finally:
            closed_on.append(threading.current_thread().name)

    stream = inference.stream(endless, Priority.QUESTION)
    next(stream)
    stream.close()
    inference.run(lambda: None, Priority.INGESTION)
    assert closed_on == ["inference-test"]


def test_what_a_stream_raises_reaches_its_reader_after_the_items(inference):
    def failing():
        yield 1
        raise ValueError("broken")

    stream = inference.stream(failing, Priority.QUESTION)
    assert next(stream) == 1
    with pytest.raises(ValueError, match="broken"):
        next(stream)
    assert inference.run(lambda: "alive", Priority.QUESTION) == "alive"


def test_closing_ends_a_running_stream_and_tells_its_reader():
    thread, closed = InferenceThread("closing"), threading.Event()

    def endless():
        try:
            while True:
                time.sleep(0.001)
                yield 0
        finally:
            closed.set()

    stream = thread.stream(endless, Priority.INGESTION)
    next(stream)
    thread.close()
    assert closed.is_set()
    with pytest.raises(ModelStopped):
        list(stream)


def test_closing_closes_a_stream_that_waits_behind_other_work_on_the_thread():
    thread, closed_on, urgent = InferenceThread("closing"), [], threading.Event()

    def waiting():
        try:
            yield 0
            assert urgent.wait(30)
            yield 1
            yield 2
        finally:
            closed_on.append(threading.current_thread().name)

    stream = thread.stream(waiting, Priority.INGESTION)
    next(stream)
    blocker = thread.submit(lambda: time.sleep(0.1), Priority.QUESTION)
    urgent.set()
    thread.close()
    blocker.cancel()
    with pytest.raises(ModelStopped):
        list(stream)
    assert closed_on == ["closing"]
