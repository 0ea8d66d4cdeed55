"""A language model of this machine as the `dspy.LM` that DSPy's modules ask."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from desktop.core.jobs import CancelToken
from desktop.core.language.dspy_engine import (
    AsyncLanguageModelEngine,
    LanguageModelEngine,
    PartListener,
)
from desktop.core.language.dspy_setup import load_dspy
from desktop.models.generation import Sampling

if TYPE_CHECKING:
    from desktop.models.roles import LanguageModel

DEFAULT_MAX_TOKENS = 1024
GREEDY = Sampling()


def make_lm(
    model: LanguageModel,
    cancel: CancelToken | None = None,
    *,
    sampling: Sampling = GREEDY,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    thinking: bool = False,
    on_part: PartListener | None = None,
) -> Any:
    """Make the `dspy.LM` of a language model.

    It never retries, never caches and keeps no history. A `rollout_id` has therefore no
    effect: give a seed.

    cancel: stops a generation between two tokens. thinking: lets the model think aloud,
    except where JSON is forced. on_part: sees every part, on the thread that made it.
    """
    token = cancel or CancelToken()
    engine = LanguageModelEngine(model, lambda: token.cancelled, on_part)
    options: dict[str, Any] = {}
    if sampling.top_p != 1.0:
        options["top_p"] = sampling.top_p
    if sampling.seed is not None:
        options["seed"] = sampling.seed
    if thinking:
        options["reasoning_effort"] = "medium"
    return _local_lm_class()(
        # without a slash, and with a prefix, no name can look like a provider's to DSPy
        f"local:{model.model_id}",
        temperature=sampling.temperature,
        max_tokens=max_tokens,
        cache=False,
        num_retries=0,
        engine=engine,
        async_engine=AsyncLanguageModelEngine(engine),
        **options,
    )


@cache
def _local_lm_class() -> Any:
    dspy = load_dspy()

    class LocalLM(dspy.LM):  # type: ignore[misc,name-defined] # dspy has no types
        def update_history(self, entry: object) -> None:
            """Keep no question: DSPy would hold ten thousand of them for the whole process."""

    return LocalLM
