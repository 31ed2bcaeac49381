"""The tools of analytics."""

from services.analytics.boards import create_dashboard, create_export, list_dashboards, list_exports
from services.analytics.goals import create_goal, list_goals
from services.analytics.metrics import (
    create_annotation,
    create_segment,
    list_annotations,
    list_daily_values,
    list_metrics,
    list_segments,
)
from services.analytics.reports import (
    create_report,
    delete_report,
    get_report,
    list_reports,
    run_report,
    update_report,
)

__all__ = [
    "create_annotation",
    "create_dashboard",
    "create_export",
    "create_goal",
    "create_report",
    "create_segment",
    "delete_report",
    "get_report",
    "list_annotations",
    "list_daily_values",
    "list_dashboards",
    "list_exports",
    "list_goals",
    "list_metrics",
    "list_reports",
    "list_segments",
    "run_report",
    "update_report",
]
