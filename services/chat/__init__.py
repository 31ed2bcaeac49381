"""Team chat: channels, direct conversations, threads, mentions, reactions, reminders."""

from pathlib import Path

from engine.kit import Service
from services.chat import seed, state, tools

service = Service(
    name="chat",
    title="Team chat",
    domain="communication",
    summary="Team chat with channels, direct messages, threads, mentions, reactions, pins, user groups, "
    "scheduled messages and reminders.",
    entities=[
        state.Member,
        state.UserGroup,
        state.GroupMember,
        state.Channel,
        state.ChannelMember,
        state.Message,
        state.Mention,
        state.Reaction,
        state.Pin,
        state.ScheduledMessage,
        state.Reminder,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
