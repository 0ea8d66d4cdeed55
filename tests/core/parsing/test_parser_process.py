"""The supervised process: equal results, limits, restarts, and no orphans."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

import desktop
from desktop.core.errors import NotAPdf, ParserLimit, PdfNeedsPassword
from desktop.core.jobs import Cancelled
from desktop.core.page_words import PageWords
from tests.core.parsing.conftest import WORDS, without_timing
from tests.core.parsing.test_documents import ENCRYPTED
from tests.fakes import misbehaving_parser_worker as bad

pytestmark = pytest.mark.slow

REPOSITORY = Path(desktop.__file__).parent.parent
BAD = bad.BAD_PAGE


def read_all(parser, path, pages=5):
    return list(parser.read_text(path, 0, pages))


def test_both_parsers_give_equal_results(process, in_process, make_pdf):
    path = make_pdf(pages=70, change=lambda d: d.set_toc([[1, "Safety", 1]]))

    assert process.open(path) == in_process.open(path)
    assert read_all(process, path, 70) == read_all(in_process, path, 70)
    assert process.draw(path, 3, 1.5, (0, 0, 200, 200)) == in_process.draw(
        path, 3, 1.5, (0, 0, 200, 200)
    )
    layouts = [without_timing(p.read_layout(path, 1)) for p in (process, in_process)]
    assert layouts[0] == layouts[1]
    assert WORDS in layouts[0].blocks[0].text


def test_errors_cross_the_pipe_by_name(process, make_pdf, tmp_path):
    notes = tmp_path / "notes.pdf"
    notes.write_text("just notes")

    with pytest.raises(NotAPdf):
        process.open(notes)
    with pytest.raises(PdfNeedsPassword):
        process.open(make_pdf(**ENCRYPTED))
    with pytest.raises(PdfNeedsPassword):
        read_all(process, make_pdf(**ENCRYPTED))


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS refuses such names")
def test_a_file_name_that_is_no_valid_text_can_be_read(process, make_pdf):
    path = make_pdf()
    odd = Path(os.fsdecode(os.fsencode(path.parent) + b"/handb\xfcch.pdf"))
    path.rename(odd)

    assert process.open(odd).page_count == 5


@pytest.mark.parametrize(
    ("misbehaviour", "reason"),
    [(bad.sleep, "longer than"), (bad.hold_the_interpreter_lock, "longer than"),
     (bad.crash, "crashed")],
)  # fmt: skip
def test_a_page_that_takes_the_worker_down_is_told_and_the_others_are_read(
    make_process, make_pdf, misbehaviour, reason
):
    parser = make_process(bad.command("read_text", misbehaviour), page_seconds=0.5)
    path = make_pdf()

    pages = read_all(parser, path)

    assert [page.page for page in pages] == [0, 1, 2, 3, 4]
    assert [bool(page.error) for page in pages] == [False, False, True, False, False]
    assert reason in pages[BAD].error
    assert (pages[BAD].width, pages[BAD].height) == (400, 600)
    assert PageWords.from_bytes(pages[4].words).texts[0] == WORDS.split()[0]


def test_a_document_whose_pages_cost_too_much_is_given_up(make_process, make_pdf):
    parser = make_process(
        bad.command("read_text", bad.sleep), page_seconds=0.3, document_seconds=0.5
    )

    with pytest.raises(ParserLimit) as caught:
        read_all(parser, make_pdf())

    assert caught.value.kind == "time"


def test_a_layout_over_its_time_limit_fails_alone(make_process, make_pdf):
    parser = make_process(bad.command("read_layout", bad.sleep), document_seconds=0.5)
    path = make_pdf()

    with pytest.raises(ParserLimit) as caught:
        parser.read_layout(path, BAD)

    assert caught.value.kind == "time"
    assert parser.read_layout(path, BAD + 1).blocks


def test_a_page_that_cannot_be_drawn_in_time_keeps_its_layout(make_process, make_pdf):
    parser = make_process(bad.command("is_slow_to_draw", bad.sleep), page_seconds=0.5)

    layout = parser.read_layout(make_pdf(), BAD)

    assert layout.blocks
    assert layout.slow_to_draw


def test_a_worker_over_its_memory_limit_is_ended(make_process, make_pdf):
    parser = make_process(bad.command("read_layout", bad.eat_memory), memory_gib=0.6)
    path = make_pdf()

    with pytest.raises(ParserLimit) as caught:
        parser.read_layout(path, BAD)

    assert caught.value.kind == "memory"
    assert parser.open(path).page_count == 5


def test_a_worker_that_has_grown_is_replaced_before_the_next_document(make_process, make_pdf):
    parser = make_process(memory_gib=0.4)
    first, second = make_pdf("first.pdf"), make_pdf("second.pdf")
    parser.open(first)
    worker = parser.worker_pid
    parser.open(first)
    assert parser.worker_pid == worker, "what it learnt of a document is kept"
    assert parser.open(second).page_count == 5
    assert parser.worker_pid != worker


def test_prints_do_not_disturb_the_conversation(make_process, make_pdf):
    parser = make_process(bad.command("read_text", bad.chatter))

    assert [page.error for page in read_all(parser, make_pdf())] == [""] * 5


def test_a_worker_that_was_killed_between_calls_is_replaced_silently(make_process, make_pdf):
    parser = make_process()
    path = make_pdf()
    parser.open(path)
    os.kill(parser.worker_pid, signal.SIGKILL)
    psutil.wait_procs([psutil.Process(parser.worker_pid)], timeout=60)

    assert parser.open(path).page_count == 5


def test_a_worker_killed_in_the_middle_costs_only_the_call_it_was_busy_with(make_process, make_pdf):
    parser = make_process(bad.command("read_layout", bad.sleep))
    path = make_pdf()
    parser.open(path)
    killer = threading.Timer(0.3, lambda: os.kill(parser.worker_pid, signal.SIGKILL))
    killer.start()

    with pytest.raises(ParserLimit) as caught:
        parser.read_layout(path, BAD)
    killer.join()

    assert caught.value.kind == "died"
    assert parser.open(path).page_count == 5


def test_a_worker_that_cannot_start_says_so_without_blaming_pages(make_process, make_pdf):
    parser = make_process([sys.executable, "-c", "raise SystemExit(3)"])

    with pytest.raises(ParserLimit) as caught:
        read_all(parser, make_pdf())

    assert caught.value.kind == "start"


def test_closing_cuts_a_running_call_off_and_leaves_no_process(make_process, make_pdf):
    parser = make_process(bad.command("read_layout", bad.sleep))
    path = make_pdf()
    parser.open(path)
    pid = parser.worker_pid
    closer = threading.Timer(0.3, parser.close)
    closer.start()

    with pytest.raises(Cancelled):
        parser.read_layout(path, BAD)
    closer.join()

    assert not psutil.pid_exists(pid)
    with pytest.raises(Cancelled):
        parser.open(path)


def test_a_stream_that_is_left_early_does_not_block_the_next_call(process, make_pdf):
    path = make_pdf(pages=200)
    stream = process.read_text(path, 0, 200)
    next(stream)
    stream.close()

    assert process.open(path).page_count == 200


def test_many_threads_can_use_one_parser(process, make_pdf):
    path = make_pdf(pages=40)
    results = {}

    def work(number):
        if number % 2:
            results[number] = len(read_all(process, path, 40))
        else:
            results[number] = process.draw(path, number, 1.0).width

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == {n: 40 if n % 2 else 400 for n in range(8)}


@pytest.mark.parametrize(
    "misbehaviour",
    [
        bad.sleep,
        pytest.param(
            bad.hold_the_interpreter_lock,
            marks=pytest.mark.skipif(sys.platform != "linux", reason="the kernel helps there"),
        ),
    ],
)
def test_no_worker_survives_the_application(make_pdf, misbehaviour):
    """Not even one that is busy, when the application is killed outright."""
    script = f"""
        import threading, time
        from pathlib import Path
        from desktop.core.parsing.process import ParserProcess
        from desktop.core.settings.sections import ParserSettings
        parser = ParserProcess(
            ParserSettings(layout_model=False), {bad.command("read_layout", misbehaviour)!r}
        )
        path = Path({str(make_pdf())!r})
        parser.open(path)
        threading.Thread(target=parser.read_layout, args=(path, {BAD}), daemon=True).start()
        time.sleep(0.3)
        print(parser.worker_pid, flush=True)
        time.sleep(60)
    """
    application = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
    )
    assert application.stdout is not None
    worker = psutil.Process(int(application.stdout.readline()))
    application.kill()
    application.communicate()

    deadline = time.monotonic() + 60
    while is_running(worker) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert not is_running(worker)


def is_running(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_importing_the_parser_does_not_import_pymupdf():
    code = (
        "import sys, desktop.core.parsing.process, desktop.core.parsing.service;"
        "sys.exit(any(m in sys.modules for m in ('pymupdf', 'onnxruntime', 'rapidocr')))"
    )

    assert subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, check=False).returncode == 0


def test_a_worker_starts_without_what_checks_settings():
    code = "import sys, desktop.core.parsing.worker; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, check=False).returncode == 0


def test_layouts_asked_for_together_are_read_by_processes_of_their_own(make_process, make_pdf):
    parser, path = make_process(), make_pdf(pages=6)
    before = set(psutil.Process().children(recursive=True))
    alone = [without_timing(parser.read_layout(path, page)) for page in range(6)]
    first = parser.worker_pid
    with ThreadPoolExecutor(3) as threads:
        found = list(threads.map(lambda page: parser.read_layout(path, page), range(6)))
    assert [without_timing(each) for each in found] == alone
    assert parser.worker_pid == first, "the first goes on"
    started = set(psutil.Process().children(recursive=True)) - before
    assert 2 <= len(started) <= 3
    parser.close()
    assert not [each for each in started if each.is_running()]


def test_a_process_that_nobody_needs_any_more_ends(make_process, make_pdf, monkeypatch):
    monkeypatch.setattr("desktop.core.parsing.process.IDLE_SECONDS", 0.05)
    parser, path = make_process(), make_pdf(pages=4)
    before = set(psutil.Process().children(recursive=True))
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda page: parser.read_layout(path, page), range(4)))
    until = time.monotonic() + 60
    while len(left := set(psutil.Process().children(recursive=True)) - before) > 1:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert [each.pid for each in left] == [parser.worker_pid]


def test_a_page_gets_its_time_though_the_machine_was_busy_with_other_things(make_process, make_pdf):
    parser, path = make_process(page_seconds=2.0), make_pdf()
    before = without_timing(parser.read_layout(path, 0))
    os.kill(parser.worker_pid, signal.SIGSTOP)  # as if others had all the processors
    later = threading.Timer(2.5, lambda: os.kill(parser.worker_pid, signal.SIGCONT))
    later.start()
    assert without_timing(parser.read_layout(path, 0)) == before
    later.join()
