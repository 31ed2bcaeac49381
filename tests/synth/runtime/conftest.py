"""Compiled services: what the runtime does with their rows."""

from __future__ import annotations

from tests.synth.compiler.conftest import compiled, compiling

__all__ = ["compiled", "compiling"]
