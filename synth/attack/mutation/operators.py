"""All operators, and the mutants that they make of a service."""

from __future__ import annotations

from synth.attack.mutation import faults_of_arguments, faults_of_rows
from synth.attack.mutation.registry import OPERATORS, mutants, places

__all__ = ["OPERATORS", "faults_of_arguments", "faults_of_rows", "mutants", "places"]
