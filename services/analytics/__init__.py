"""Analytics: metrics with daily values, saved reports, segments, goals, annotations, dashboards and exports."""

from pathlib import Path

from engine.kit import Service
from services.analytics import seed, state, tools

service = Service(
    name="analytics",
    title="Analytics",
    domain="data and analytics",
    summary="Metrics with daily values by dimension, saved reports that are run and shared, segments, goals with "
    "attainment, annotations, dashboards and exports.",
    entities=[
        state.Metric,
        state.DailyValue,
        state.Segment,
        state.Report,
        state.Goal,
        state.Annotation,
        state.Dashboard,
        state.Export,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
