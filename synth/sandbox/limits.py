"""What generated code may use."""

from __future__ import annotations

from dataclasses import asdict, dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Limits of one sandbox.

    Attributes:
        start_seconds: wall time until the generated service is loaded.
        call_seconds: of one tool call, seed or description.
        test_seconds: of one run of generated tests.
        cpu_seconds: of processor time, for the whole life of the process.
        memory: bytes of address space.
        files: bytes of the private ``/tmp``; no file may be larger.
        output: bytes that may be printed in the life of the process.
        kept: bytes of them that are kept, the last ones.
        message: bytes of one message between inside and outside.
        connections: to the database.
        rows: that the seed may make.
    """

    start_seconds: float = 60.0
    call_seconds: float = 10.0
    test_seconds: float = 120.0
    cpu_seconds: int = 1_800
    memory: int = 1024 * MEBIBYTE
    files: int = 32 * MEBIBYTE
    output: int = 16 * MEBIBYTE
    kept: int = 64 * 1024
    message: int = 32 * MEBIBYTE
    connections: int = 2
    rows: int = 20_000

    def plain(self) -> dict[str, float]:
        """By name, for the process inside."""
        return asdict(self)
