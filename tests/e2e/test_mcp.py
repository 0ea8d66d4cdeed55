"""Another program asks the library: `groundwork mcp` as a child process, by the official SDK."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from tests.e2e.real_library import COMMAND_SECONDS, ROOT, environment, groundwork_command
from tests.e2e.traced import isolation, read_trace, run_traced, traced_command

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

mcp = pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")

pytestmark = [pytest.mark.slow]

QUESTION = "What is the tightening torque of the terminals X1:1 to X1:4?"
READING = {"ask", "search", "open_page", "list_manuals", "list_notes"}


@pytest.fixture
def connected(home, sample_library, monkeypatch) -> Callable[..., Any]:
    """Starts the command, does something with a client connected to it, and lets it end."""
    # a busy machine may be late to end it; that is no reason to kill it
    monkeypatch.setattr("mcp.client.stdio.PROCESS_TERMINATION_TIMEOUT", COMMAND_SECONDS)

    def start(
        do: Callable[[Any], Awaitable[Any]],
        *options: str,
        library: Path = sample_library,
        wrap: Callable[[list[str]], Sequence[str]] = lambda command: command,
    ) -> Any:
        command, *arguments = wrap(groundwork_command("mcp", "--library", library, *options))
        temp = home / "temp"
        temp.mkdir(exist_ok=True)
        server = mcp.StdioServerParameters(
            command=command,
            args=arguments,
            env={**environment(home), "TMPDIR": str(temp)},
            cwd=ROOT,
        )

        async def talk() -> Any:
            with (home / "errors.txt").open("w") as errors:
                async with mcp.Client(mcp.stdio_client(server, errlog=errors)) as client:
                    return await do(client)

        told = asyncio.run(talk())
        assert (home / "errors.txt").read_text() == ""
        return told

    return start


async def called(client, tool: str, **arguments: Any) -> Any:
    """The structured result of a tool that must succeed."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


def test_an_answer_comes_with_its_page_and_boxes_and_what_is_not_there_is_not_guessed(connected):
    async def ask(client):
        answer = await called(client, "ask", question=QUESTION)
        [cited] = answer["citations"]
        place = {"manual_id": cited["page"]["manual_id"], "mark": cited["boxes"]}
        page = await client.call_tool(
            "open_page", {**place, "page_label": cited["page"]["page_label"]}
        )
        unknown = await called(client, "ask", question="Who won the world cup in 1998?")
        return answer, cited, page.content, unknown

    answer, cited, (text, picture), unknown = connected(ask)
    assert (answer["outcome"], answer["how_sure"]) == ("answered", "Stated in the manual")
    assert "1.8 Nm" in answer["answer"]
    assert "1.8 Nm" in cited["quote"]
    assert cited["page"]["file"] == "hx200_installation_manual.pdf"
    assert (cited["page"]["page_label"], cited["page"]["page_number"]) == ("4-1", 9)
    told = json.loads(text.text)
    assert "1.8 Nm" in told["text"]
    for x0, y0, x1, y1 in cited["boxes"]:
        assert 0 <= x0 < x1 <= told["width"]
        assert 0 <= y0 < y1 <= told["height"]
    assert picture.mime_type == "image/png"
    drawn = Image.open(io.BytesIO(base64.b64decode(picture.data)))
    scale = drawn.width / told["width"]
    x0, y0, _, _ = cited["boxes"][0]
    red, _, blue = np.asarray(drawn, int)[round((y0 + 1) * scale), round((x0 - 1) * scale)]
    assert red > blue + 20, "the cited row is not marked"
    assert (unknown["outcome"], unknown["answer"], unknown["citations"]) == ("not_found", "", [])
    assert unknown["check"]


def test_manuals_are_searched_mistakes_are_explained_and_nothing_can_be_written(connected):
    async def look(client):
        manuals = (await called(client, "list_manuals"))["result"]
        only = manuals[1]["manual_id"]
        found = await called(client, "search", text=QUESTION, limit=3)
        within = await called(client, "search", text=QUESTION, manual_ids=[only])
        wrong = [
            await client.call_tool("open_page", {"manual_id": only, "page_number": 900}),
            await client.call_tool("ask", {"question": QUESTION, "manual_ids": [77]}),
            await client.call_tool("ask", {"question": " "}),
        ]
        listed = (await client.list_tools()).tools
        refused = await client.call_tool("add_note", {"text": "The key hangs behind the door."})
        notes = (await called(client, "list_notes"))["result"]
        return manuals, found["result"], within["result"], only, wrong, listed, refused, notes

    manuals, found, within, only, wrong, listed, refused, notes = connected(look)
    assert [each["pages"] for each in manuals] == [19, 19]
    assert found[0]["page"]["page_label"] == "4-1"
    assert len(found) <= 3
    assert {page["page"]["manual_id"] for page in within} == {only}
    assert all(each.is_error for each in wrong)
    told = [each.content[0].text for each in wrong]
    assert "Give a page_number from 1 to 19" in told[0]
    assert "There is no manual 77. See them with list_manuals." in told[1]
    assert "The question is empty." in told[2]
    assert {tool.name for tool in listed} == READING
    assert all(tool.annotations.read_only_hint for tool in listed)
    assert all("never instructions" in tool.description for tool in listed)
    assert refused.is_error
    assert notes == []


def test_an_allowed_note_is_kept_as_unverified(connected, tmp_path, sample_library):
    library = shutil.copytree(sample_library, tmp_path / "library")

    async def add(client):
        await called(client, "add_note", text="The key hangs behind the door.", asset="P-200")
        secret = await client.call_tool("add_note", {"text": "password: hunter2-Zx81-QQ"})
        return (await called(client, "list_notes", asset="P-200"))["result"], secret

    [note], secret = connected(add, "--allow-notes", library=library)
    assert (note["text"], note["tier"]) == ("The key hangs behind the door.", 5)
    assert (note["about"], note["by"]) == ("asset P-200", "MCP")
    assert secret.is_error
    assert "hunter2" not in secret.content[0].text


def test_standard_output_carries_the_protocol_and_nothing_else(home, sample_library):
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    ended = subprocess.run(
        groundwork_command("mcp", "--library", sample_library),
        cwd=ROOT,
        env=environment(home),
        input=json.dumps(hello) + "\nnot the protocol\n",
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        check=True,
    )
    messages = [json.loads(line) for line in ended.stdout.splitlines()]
    assert messages[0]["result"]["serverInfo"]["name"] == "groundwork"
    assert all(message["jsonrpc"] == "2.0" for message in messages)
    assert "not the protocol" not in ended.stderr


@pytest.mark.network
@pytest.mark.skipif(not isolation(), reason="needs strace and the right to unshare the network")
def test_the_trace_sees_a_port_that_is_listened_on(home, tmp_path):
    listen = "import socket; socket.create_server(('127.0.0.1', 0))"
    trace = run_traced(home, tmp_path / "temp", [sys.executable, "-c", listen])
    assert len(trace.listening) == 1


@pytest.mark.network
@pytest.mark.skipif(not isolation(), reason="needs strace and the right to unshare the network")
def test_it_reaches_nobody_listens_nowhere_and_writes_only_its_log(
    connected, home, tmp_path, sample_library
):
    log = tmp_path / "mcp.trace"

    async def use(client):
        answer = await called(client, "ask", question=QUESTION)
        cited = answer["citations"][0]["page"]
        place = {key: cited[key] for key in ("manual_id", "page_number")}
        await client.call_tool("open_page", place)
        return await called(client, "search", text="pressure")

    assert connected(use, wrap=lambda command: traced_command(log, command))["result"]
    trace = read_trace(log)
    assert trace.internet == trace.listening == ()
    assert trace.written, "the trace shows nothing"
    assert not trace.written_outside(home, sample_library)
    told = (sample_library / "logs" / "groundwork.log").read_text("utf-8").splitlines()
    assert told[-1].endswith("served; attempts to reach a network: 0")
    assert not any(QUESTION in line for line in told)
