"""DSPy modules run on one language model for one question, blocking, awaited or streamed.

`dspy.settings` are never configured: each run has its own `dspy.context`, entered and left
inside one call or task, so that programs run side by side on any thread and none of them
leaks into a consumer between two streamed items. Nothing of a run is kept by DSPy (no
history, no trace, no cache).
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, TypeAlias, assert_never

from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.language.dspy_adapters import form_adapter, prose_adapter
from desktop.core.language.dspy_engine import DEFAULT_MAX_TOKENS, make_lm
from desktop.core.language.dspy_setup import load_dspy
from desktop.core.language.errors import AnswerNotUnderstood
from desktop.core.language.field_markers import UnmarkedText
from desktop.models.errors import ModelError
from desktop.models.generation import (
    GenerationEnd,
    GenerationPart,
    ModelLoading,
    PromptProgress,
    TextPart,
    Usage,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.core.language.dspy_engine import PartListener
    from desktop.models.roles import LanguageModel


Streamed: TypeAlias = ModelLoading | PromptProgress | str | GenerationEnd
"""A text is some characters of the output, in order; what a model thinks aloud is no part of it."""


class LanguageProgram:
    """A language model and how it is asked, for the DSPy modules of one question.

    Arguments: as `make_lm`. What a run raises, however DSPy wrapped it in between:
    Cancelled, if `cancel` was set; ModelError, as the model raised it;
    AnswerNotUnderstood, if the text does not hold the signature's outputs; what DSPy
    raises for a bug of ours.
    """

    def __init__(
        self,
        model: LanguageModel,
        cancel: CancelToken | None = None,
        *,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        on_part: PartListener | None = None,
    ) -> None:
        self._model = model
        self._cancel = cancel or CancelToken()
        self._max_tokens = max_tokens
        self._on_part = on_part

    def run(self, module: Any, /, **inputs: Any) -> Any:
        """Call a module and return its prediction, its outputs held to their JSON schema.

        Blocks. Raises: see the class.
        """
        try:
            with self._context(form_adapter(), self._on_part):
                prediction = module(**inputs)
        except Exception as error:
            failure = _original(error)
        else:
            self._cancel.check()  # a module may have taken the cancel for a bad attempt
            return prediction
        raise failure

    async def arun(self, module: Any, /, **inputs: Any) -> Any:
        """As `run`, awaited: the loop stays free, and cancelling the task stops the model."""
        return await self._await(module, inputs, form_adapter(), self._on_part)

    async def stream(self, module: Any, /, **inputs: Any) -> AsyncGenerator[Streamed, None]:
        """Call a module and yield the text of its output while it is written.

        Last comes how its last generation ended. The text is not forced into JSON: see
        `prose_adapter`. Closing the iterator stops the model. What was yielded stays yielded
        if a run raises in the end.

        Raises: see the class.
        """
        written = _Written(self._on_part)
        adapter = prose_adapter(written.begin)
        run = asyncio.create_task(self._await(module, inputs, adapter, written.add))
        run.add_done_callback(written.close)
        try:
            async with aclosing(written.items()) as items:
                async for item in items:
                    yield item
            await run
            yield written.end
        finally:
            run.cancel()
            await asyncio.wait([run])
            if not run.cancelled():
                run.exception()  # it was raised above, or nobody wants it any more

    async def _await(
        self, module: Any, inputs: dict[str, Any], adapter: Any, on_part: PartListener | None
    ) -> Any:
        try:
            with self._context(adapter, on_part):
                prediction = await module.acall(**inputs)
        except Exception as error:
            failure = _original(error)
        else:
            self._cancel.check()
            return prediction
        raise failure

    def _context(self, adapter: Any, on_part: PartListener | None) -> Any:
        lm = make_lm(self._model, self._cancel, max_tokens=self._max_tokens, on_part=on_part)
        return load_dspy().context(
            lm=lm,
            adapter=adapter,
            callbacks=[],
            trace=[],  # the default is one list for the whole process
            disable_history=True,
            send_stream=None,
            stream_listeners=[],
            warn_on_type_mismatch=False,  # the warning quotes the value, a manual's text
        )


class _Written:
    """What a run writes: parts come from the model's thread, items go to the loop's."""

    def __init__(self, on_part: PartListener | None) -> None:
        self._on_part = on_part
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[GenerationPart | str | None] = asyncio.Queue()
        self.end = GenerationEnd("stop", Usage())

    def begin(self, field: str) -> None:
        """Expect a value of this field in the parts that follow."""
        self._queue.put_nowait(field)

    def add(self, part: GenerationPart) -> None:
        """Take a part, on any thread."""
        if self._on_part is not None:
            self._on_part(part)
        with suppress(RuntimeError):  # the loop is closed, nobody reads
            self._loop.call_soon_threadsafe(self._queue.put_nowait, part)

    def close(self, _run: object) -> None:
        """Say that the run has ended."""
        self._queue.put_nowait(None)

    async def items(self) -> AsyncGenerator[Streamed, None]:
        """Yield what can be shown until the run has ended."""
        reader = UnmarkedText("")
        while (part := await self._queue.get()) is not None:
            match part:
                case str():
                    reader = UnmarkedText(part)
                case TextPart(reasoning=True):
                    pass
                case TextPart(text):
                    if shown := reader.feed(text):
                        yield shown
                case GenerationEnd():
                    self.end = part
                    if shown := reader.finish():
                        yield shown
                case ModelLoading() | PromptProgress():
                    yield part
                case _:
                    assert_never(part)


def _original(error: Exception) -> Exception:
    """Return the original exception that DSPy wrapped."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, (Cancelled, ModelError, AnswerNotUnderstood)):
            return cause
        cause = cause.__cause__
    if isinstance(error, load_dspy().AdapterParseError):
        text = str(getattr(error, "lm_response", None) or "")
        failure = AnswerNotUnderstood("the model did not fill in what it was asked for", text)
        failure.__cause__ = error
        return failure
    return error
