"""World models: what answers the calls of tools without code."""

from __future__ import annotations

from engine.simulation import WorldModel

MODEL_VARIABLE = "COMPOWORLD_WORLD_MODEL"
"""Environment variable in which the command line looks for the world model."""


def make_world_model(model: str) -> WorldModel:
    """The world model of that name: a language model behind the Anthropic Messages API.

    Raises:
        InputError: there is no key.
    """
    # Imported when it is asked for: the client takes half a second.
    from synth.world_model.model import AnthropicWorldModel

    return AnthropicWorldModel(model)
