"""Social media: posts with approval, media, an inbox of replies and mentions, engagement."""

from pathlib import Path

from engine.kit import Service
from services.social import seed, state, tools

service = Service(
    name="social",
    title="Social media",
    domain="marketing",
    summary="Social media channels with their limits, posts with approval and schedule, an inbox of replies and "
    "mentions, saved replies, campaign labels and engagement reports.",
    entities=[
        state.Member,
        state.Channel,
        state.Label,
        state.Media,
        state.Post,
        state.SavedReply,
        state.Message,
        state.Response,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
