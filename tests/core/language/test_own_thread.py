import asyncio
import threading
from contextlib import aclosing

import pytest

from desktop.core.language.own_thread import on_own_thread


def test_items_come_in_order_from_another_thread():
    def items(_abandoned):
        yield threading.current_thread()
        yield from range(3)

    async def read():
        return [item async for item in on_own_thread(items)]

    thread, *numbers = asyncio.run(read())
    assert numbers == [0, 1, 2]
    assert thread is not threading.current_thread()


def test_an_error_reaches_the_reader_after_the_items_before_it():
    def items(_abandoned):
        yield 1
        raise LookupError("gone")

    seen = []

    async def read():
        async for item in on_own_thread(items):
            seen.append(item)

    with pytest.raises(LookupError, match="gone"):
        asyncio.run(read())
    assert seen == [1]


def test_the_generator_learns_that_nobody_reads_any_more():
    ended = threading.Event()

    def items(abandoned):
        while not abandoned():
            yield 1
        ended.set()

    async def read_one():
        async with aclosing(on_own_thread(items)) as numbers:
            async for _ in numbers:
                return

    asyncio.run(read_one())
    assert ended.wait(30)


def test_a_loop_that_closed_in_between_harms_nobody():
    go_on = threading.Event()
    ended = threading.Event()

    def items(_abandoned):
        yield 1
        go_on.wait(60)
        yield 2
        ended.set()

    async def read_one():
        async with aclosing(on_own_thread(items)) as numbers:
            async for _ in numbers:
                return

    asyncio.run(read_one())
    go_on.set()
    assert ended.wait(30)
