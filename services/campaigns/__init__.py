"""E-mail marketing: audiences, consent, segments, campaigns with A/B subjects, results, automations."""

from pathlib import Path

from engine.kit import Service
from services.campaigns import seed, state, tools

service = Service(
    name="campaigns",
    title="E-mail campaigns",
    domain="marketing",
    summary="E-mail marketing with audiences, subscribers and their consent, segments, templates, campaigns with "
    "A/B subject lines, results, and automated sequences.",
    entities=[
        state.Audience,
        state.Subscriber,
        state.Suppression,
        state.Segment,
        state.Template,
        state.Campaign,
        state.Recipient,
        state.Automation,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
