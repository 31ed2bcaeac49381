"""E-mail marketing as it stands when a story starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from engine.kit import Entity, Person, Seed
from services.campaigns import seed_data as data
from services.campaigns.state import (
    Audience,
    Automation,
    Campaign,
    Recipient,
    Segment,
    Subscriber,
    Suppression,
    Template,
)


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    for number, (key, name, text, quiet) in enumerate(data.AUDIENCES):
        yield Audience(id=key, name=name, description=text, quiet_days=quiet, created_at=seed.at(-400 + number))
    subscribers = list(_subscribers(seed))
    yield from subscribers
    for email, reason, note, day in data.SUPPRESSIONS:
        yield Suppression(email=email, reason=reason, note=note, suppressed_at=seed.at(day, 15))
    for number, (key, audience, name, match, conditions) in enumerate(data.SEGMENTS):
        yield Segment(
            id=key,
            audience_id=audience,
            name=name,
            match=match,
            conditions=[{"field": what, "operator": how, "value": value} for what, how, value in conditions],
            created_at=seed.at(-90 + number),
        )
    for key, name, subject, body in data.TEMPLATES:
        yield Template(id=key, name=name, subject=subject, body=body, archived=key == "tpl_holiday")
    campaigns = [_campaign(seed, number, dict(story)) for number, story in enumerate(data.CAMPAIGNS, 1)]
    yield from campaigns
    yield from _recipients(seed, campaigns, subscribers)
    for story in data.AUTOMATIONS:
        since = None if story["since"] is None else seed.at(story["since"]).date()
        yield Automation(
            id=story["id"],
            name=story["name"],
            audience_id=story["audience_id"],
            trigger=story["trigger"],
            trigger_tag=story.get("trigger_tag"),
            steps=[{"template_id": template, "delay_days": days} for template, days in story["steps"]],
            status=story["status"],
            active_since=since,
            updated_at=seed.at(-30, 12),
        )


def _subscribers(seed: Seed) -> Iterator[Subscriber]:
    chance = seed.random("joined")
    countries = {company.name: company.country for company in seed.companies}
    hospitality = {company.name for company in seed.companies if company.industry == "hospitality"}

    def people() -> Iterator[tuple[str, str, str, str, str, list[str]]]:
        for person in seed.contacts:
            yield "aud_trade", person.email, person.name, person.company, "sales", _tags(person, hospitality)
        for person in (*seed.contacts[2::2], *seed.contacts[3:16:4]):
            yield "aud_news", person.email, person.name, person.company, "signup_form", []
        for email, company, _ in data.SHARED_BOXES:
            yield "aud_news", email, "", company, "event", ["spring-fair"]
        for email, name, company, _ in data.BOUNCED:
            yield "aud_news", email, name, company, "import", []
        for person in (seed.contacts[10], seed.contacts[18], seed.contacts[19]):
            yield "aud_partners", person.email, person.name, person.company, "sales", ["feed"]

    bounced = {email for email, *_ in data.BOUNCED}
    for number, (audience, email, name, company, source, tags) in enumerate(people(), 1):
        note = data.UNSUBSCRIBED.get((audience, name.split(" ")[0]), "")
        yield Subscriber(
            id=f"sub_{number:04d}",
            audience_id=audience,
            email=email,
            name=name,
            company=company,
            country=countries.get(company, "NO"),
            status="bounced" if email in bounced else "unsubscribed" if note else "subscribed",
            source=source,
            consent_note=note,
            tags=tags,
            joined_on=seed.at(chance.randint(-320, -110) if number % 4 else chance.randint(-75, -62)).date(),
            updated_at=seed.at(-10 - number % 7, 11),
        )


def _tags(person: Person, hospitality: set[str]) -> list[str]:
    tags = ["hospitality"] if person.company in hospitality else []
    return [*tags, "buyer"] if person.title in data.HEAD_OFFICES else tags


def _campaign(seed: Seed, number: int, story: dict[str, Any]) -> Campaign:
    made, sent, scheduled, by = (
        story.pop("made"),
        story.pop("sent", None),
        story.pop("scheduled", None),
        story.pop("by"),
    )
    return Campaign(
        id=f"cmp_{number:04d}",
        from_name="Larkspur Outfitters",
        from_email="news@larkspur.example",
        scheduled_at=seed.at(*scheduled) if scheduled else None,
        sent_at=seed.at(*sent) if sent else None,
        created_by=by,
        created_at=seed.at(made, 13, number),
        updated_at=seed.at(*sent) if sent else seed.at(made, 16),
        **({"status": "sent" if sent else "draft"} | story),
    )


def _recipients(seed: Seed, campaigns: list[Campaign], subscribers: list[Subscriber]) -> Iterator[Recipient]:
    chance = seed.random("results")
    never = {"joost.mulder@brightwater.example"}
    number = 0
    for campaign in campaigns:
        if campaign.sent_at is None:
            continue
        reached = [
            person
            for person in subscribers
            if person.audience_id == campaign.audience_id
            and person.email not in never
            and (campaign.segment_id is None or "hospitality" in person.tags)
            and (person.status != "bounced" or campaign.id == "cmp_0002")
        ]
        for place, person in enumerate(reached):
            number += 1
            # The addresses that bounce today bounced in the January issue.
            bounced = person.status == "bounced"
            variant = "b" if campaign.subject_b and place % 2 else "a"
            opened = not bounced and chance.random() < (0.72 if variant == "b" else 0.48)
            clicked = opened and chance.random() < 0.35
            moment = campaign.sent_at + timedelta(minutes=chance.randint(4, 2000))
            yield Recipient(
                id=f"rcp_{number:04d}",
                campaign_id=campaign.id,
                subscriber_id=person.id,
                email=person.email,
                variant=variant,
                bounced=bounced,
                opened_at=moment if opened else None,
                clicked_at=moment + timedelta(minutes=2) if clicked else None,
            )
