"""What compiled services are made of: records of an entity, and the few things that tools do with them.

A compiled tool is one line over this package, so that what it does is read there and how it is done here.
"""

from synth.runtime.answers import fitted, outputs, within
from synth.runtime.arguments import flat
from synth.runtime.records import Records

__all__ = ["Records", "fitted", "flat", "outputs", "within"]
