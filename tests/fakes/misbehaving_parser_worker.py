"""A real parser worker that misbehaves on page 2 of every document, as its argument says."""

import os
import re
import signal
import sys
import time
from pathlib import Path

from desktop.core.parsing.messages import claim_standard_streams

BAD_PAGE = 2


def sleep():
    time.sleep(600)


def hold_the_interpreter_lock():
    re.match(r"(a+)+$", "a" * 60 + "b")


def eat_memory():
    hoard = []
    while True:
        hoard.append(b"x" * (8 << 20))


def crash():
    os.kill(os.getpid(), signal.SIGSEGV)


def chatter():
    print("a print from Python")  # noqa: T201 - what is tested
    os.system("echo a print from another program")
    os.write(1, b"\x00\x00\x00\x04a print from C")


MISBEHAVIOURS = (sleep, hold_the_interpreter_lock, eat_memory, crash, chatter)


def spoil(method, misbehave):
    def spoilt(self, path, page, *args, **kwargs):
        if page == BAD_PAGE:
            misbehave()
        return method(self, path, page, *args, **kwargs)

    return spoilt


def main(method_name, misbehaviour):
    incoming, outgoing = claim_standard_streams()
    from desktop.core.parsing.service import ParsingService
    from desktop.core.parsing.worker import serve

    misbehave = next(m for m in MISBEHAVIOURS if m.__name__ == misbehaviour)
    method = getattr(ParsingService, method_name)
    setattr(ParsingService, method_name, spoil(method, misbehave))
    serve(incoming, outgoing, None)


def command(method_name, misbehaviour):
    """How to start this worker so that `method_name` of the service misbehaves."""
    return [sys.executable, "-P", str(Path(__file__)), method_name, misbehaviour.__name__]


if __name__ == "__main__":
    main(*sys.argv[1:])
