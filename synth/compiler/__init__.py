"""The compiler: from a specification to a service, without a model."""

from synth.compiler.infer import plan_service
from synth.compiler.plan import ServicePlan
from synth.compiler.testing import write_tests
from synth.compiler.writing import write_service

VERSION = "4"
"""Of what the compiler makes; builds of another version are made again."""

__all__ = ["VERSION", "ServicePlan", "plan_service", "write_service", "write_tests"]
