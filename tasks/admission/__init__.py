"""The admission gate: a task is let in only with evidence that it is sound."""

from __future__ import annotations

from tasks.admission.evidence import CHECKS, Evidence, Verdict, evidence_of, save_verdict
from tasks.admission.gate import admit
from tasks.admission.novelty import Earlier

__all__ = ["CHECKS", "Earlier", "Evidence", "Verdict", "admit", "evidence_of", "save_verdict"]
