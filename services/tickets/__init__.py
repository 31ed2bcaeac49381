"""Help desk: tickets with states, promised times, groups of agents, macros, views and an audit trail."""

from pathlib import Path

from engine.kit import Service
from services.tickets import seed, state, tools

service = Service(
    name="tickets",
    title="Help desk",
    domain="support",
    summary="Help desk with tickets, SLA due times, agent groups, replies and notes, merging, linking, "
    "macros, views and satisfaction ratings.",
    entities=[
        state.Organization,
        state.Requester,
        state.Agent,
        state.AgentGroup,
        state.GroupMembership,
        state.SlaPolicy,
        state.Holiday,
        state.Ticket,
        state.Comment,
        state.TicketLink,
        state.Satisfaction,
        state.Macro,
        state.View,
        state.AuditEvent,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
