"""The tools of e-mail marketing."""

from services.campaigns.campaigns import create_campaign, list_campaigns, update_campaign
from services.campaigns.segments import (
    create_segment,
    list_automations,
    list_segments,
    list_templates,
    update_automation,
)
from services.campaigns.sending import (
    get_campaign,
    list_campaign_recipients,
    send_campaign,
    set_campaign_status,
)
from services.campaigns.subscribers import (
    create_subscriber,
    import_subscribers,
    list_audiences,
    list_subscribers,
    suppress_address,
    update_subscriber,
)

__all__ = [
    "create_campaign",
    "create_segment",
    "create_subscriber",
    "get_campaign",
    "import_subscribers",
    "list_audiences",
    "list_automations",
    "list_campaign_recipients",
    "list_campaigns",
    "list_segments",
    "list_subscribers",
    "list_templates",
    "send_campaign",
    "set_campaign_status",
    "suppress_address",
    "update_automation",
    "update_campaign",
    "update_subscriber",
]
