"""What a person sees of any exception, in the language of the window."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core import problems
from desktop.ui.language import told

if TYPE_CHECKING:
    from desktop.core.problems import Problem


def explain(error: BaseException) -> Problem:
    """Return the title, the advice and whether to offer "Retry" for any exception."""
    problem = problems.explain(error)
    return replace(problem, title=told(problem.title), advice=told(problem.advice))
