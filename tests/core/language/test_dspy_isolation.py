"""What a decision through DSPy leaves behind on the machine: nothing."""

import os
import subprocess
import sys
from pathlib import Path

import desktop

DECIDE_AND_ANSWER = """
import asyncio, sys
reached, written = [], []

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        reached.append((event, str(arguments)))
    elif event == "open":
        path, mode, flags = arguments
        if isinstance(flags, int) and flags & 3 and str(path) != "/dev/null":
            written.append(str(path))
    elif event in ("os.mkdir", "os.rename", "sqlite3.connect"):
        written.append(f"{event} {arguments}")

sys.addaudithook(watch)
import desktop.app  # what the application has loaded before the first question
assert "dspy" not in sys.modules, "dspy was loaded before it was needed"

from typing import Literal
from desktop.core.language.dspy_setup import load_dspy
from desktop.core.language.program import LanguageProgram
from tests.fakes.language_model import FakeLanguageModel

dspy = load_dspy()

class Choose(dspy.Signature):
    "Choose."
    question: str = dspy.InputField()
    tool: Literal["search", "answer"] = dspy.OutputField()

async def answer(program):
    items = [item async for item in program.stream(dspy.Predict("q -> response"), q="?")]
    return "".join(item for item in items if isinstance(item, str))

model = FakeLanguageModel('{"tool": "search"}', '{"tool": "answer"}', "24 hours.")
program = LanguageProgram(model)
assert program.run(dspy.Predict(Choose), question="How long?").tool == "search"
assert asyncio.run(program.arun(dspy.Predict(Choose), question="How long?")).tool == "answer"
assert asyncio.run(answer(program)) == "24 hours."

print("litellm:", "litellm" in sys.modules)
print("runtimes:", sorted({"torch", "transformers", "mlx"} & set(sys.modules)))
print("reached:", reached)
print("written:", written)
"""


def test_a_decision_loads_no_litellm_reaches_no_network_and_writes_no_file(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    ended = subprocess.run(
        [sys.executable, "-B", "-c", DECIDE_AND_ANSWER],
        env={
            **{k: v for k, v in os.environ.items() if not k.startswith(("DSPY", "XDG"))},
            "HOME": str(home),
            "PYTHONPATH": str(Path(desktop.__file__).parents[1]),
        },
        cwd=home,
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines() == [
        "litellm: False",
        "runtimes: []",
        "reached: []",
        "written: []",
    ]
    assert list(home.rglob("*")) == []
    assert ended.stderr == ""
