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
        assert self._entered.wait(5)

    def _step(self):
        self._entered.set()
        assert self._open.wait(5)

    def open(self):
        self._open.set()


def test_a_question_goes_before_ingestion_that_was_there_first(inference):
    gate, order = Gate(inference), []
    waiting = [
        inference.submit(lambda: order.append("ingestion 1"), Priority.INGESTION),
        inference.submit(lambda: order.append("ingestion 2"), Priority.INGESTION),
        inference.submit(lambda: order.append("page"), Priority.VISIBLE_PAGE),
        inference.submit(lambda: order.append("question"), Priority.QUESTION),
    ]
    gate.open()
    for future in waiting:
        future.result(5)
    assert order == ["question", "page", "ingestion 1", "ingestion 2"]


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
    closing.join(5)
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
    waiting.join(5)
    gate.open()
    closing.join(5)
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
