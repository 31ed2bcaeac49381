"""Evaluations: an agent on many tasks, its figures with intervals, two agents compared, plots and a report."""

from __future__ import annotations

from rl.evaluation.comparison import Comparison, Difference, TaskPair, compare, in_common
from rl.evaluation.estimates import Estimate, mean_estimate, pass_at_k, pass_hat_k
from rl.evaluation.measures import Summary, summarise
from rl.evaluation.paired import mcnemar_test, sign_flip_test
from rl.evaluation.prices import PriceList, read_prices
from rl.evaluation.results import Counts, Results, RolloutResult, TaskResult, results_of
from rl.evaluation.run import Moment, evaluate
from rl.evaluation.store import Evaluation, evaluations, find

__all__ = [
    "Comparison",
    "Counts",
    "Difference",
    "Estimate",
    "Evaluation",
    "Moment",
    "PriceList",
    "Results",
    "RolloutResult",
    "Summary",
    "TaskPair",
    "TaskResult",
    "compare",
    "evaluate",
    "evaluations",
    "find",
    "in_common",
    "mcnemar_test",
    "mean_estimate",
    "pass_at_k",
    "pass_hat_k",
    "read_prices",
    "results_of",
    "sign_flip_test",
    "summarise",
]
