"""The shipping desk as it stands when a story starts; the stories are in ``seed_data.json``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from engine.kit import HOME_DOMAIN, Entity, Seed
from services.shipping.rules import price_of, problem_of
from services.shipping.state import (
    Address,
    Carrier,
    Claim,
    CustomsDeclaration,
    Pickup,
    Rate,
    Shipment,
    TrackingEvent,
)

_MARA = f"mara.lindqvist@{HOME_DOMAIN}"


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    return _Desk(seed).rows()


class _Desk:
    """Makes rows of the stories."""

    def __init__(self, seed: Seed) -> None:
        self.seed = seed
        self.chance = seed.random("minutes")
        self.data: dict[str, Any] = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
        self.claim_days: dict[str, int] = {row[0]: row[4] for row in self.data["carriers"]}
        self.rates: dict[str, Rate] = {}
        self.shipments: dict[str, Shipment] = {}

    def rows(self) -> Iterator[Entity]:
        yield from self._addresses()
        for key, name, prefix, email, days, notes in self.data["carriers"]:
            yield Carrier(id=key, name=name, prefix=prefix, claims_email=email, claim_days=days, notes=notes)
        yield from self._rates()
        yield from self._shipments()
        number = 0
        for row in self.data["shipments"]:
            for day, hour, status, place, note in row[11]:
                number += 1
                yield TrackingEvent(
                    id=f"trk_{number:04d}",
                    shipment_id=self.shipments[row[0]].id,
                    status=status,
                    place=place,
                    note=note,
                    happened_at=self.seed.at(day, hour, self.chance.randint(0, 59)),
                )
        yield from self._customs()
        yield from self._pickups()
        yield from self._claims()

    def _addresses(self) -> Iterator[Address]:
        people = {person.name: person for person in (*self.seed.colleagues, *self.seed.contacts)}
        for number, (key, name, street, city, region, postal, country, notes) in enumerate(self.data["addresses"]):
            address = Address(
                id=f"adr_{key}",
                name=name,
                company=people[name].company,
                email=people[name].email,
                phone=people[name].phone,
                street=street,
                city=city,
                region=region,
                postal_code=postal,
                country=country,
                notes=notes,
                valid=True,
                created_at=self.seed.at(-300 + number, 10),
            )
            address.problem = problem_of(address)
            address.valid = not address.problem
            yield address

    def _rates(self) -> Iterator[Rate]:
        for carrier, service, zone, base, per_kg, heaviest, days in self.data["rates"]:
            rate = Rate(
                id=f"rat_{carrier}_{service}_{zone}",
                carrier_id=f"car_{carrier}",
                service_level=service,
                zone=zone,
                base_price=Decimal(base),
                price_per_kg=Decimal(per_kg),
                currency="GBP",
                max_weight_grams=heaviest,
                transit_days=days,
            )
            self.rates[f"{carrier} {service} {zone}"] = rate
            yield rate

    def _shipments(self) -> Iterator[Shipment]:
        companies = {row[0]: row[1] for row in self.data["addresses"]}
        people = {person.name: person.company for person in self.seed.contacts}
        for number, row in enumerate(self.data["shipments"], 1):
            name, start, end, parcels, value, currency, rate, made, bought, notes, _, events = row
            back = name.startswith("RET-")
            shipment = Shipment(
                id=f"shp_{number:04d}",
                number=name,
                direction="return" if back else "outbound",
                return_of_id=self.shipments[name.removeprefix("RET-")].id if back else None,
                from_address_id=f"adr_{start}",
                to_address_id=f"adr_{end}",
                customer=people[companies[start if back else end]],
                parcels=[parcel for group in parcels for parcel in _parcels(*group)],
                declared_value=Decimal(value),
                currency=currency,
                notes=notes,
                status=events[-1][2] if events else "created",
                created_by=_MARA,
                created_at=self.seed.at(made, 11 if made else 7, number % 60),
            )
            if rate is not None:
                self._label(shipment, self.rates[rate], bought)
            if shipment.status == "delivered":
                shipment.delivered_on = self.seed.at(events[-1][0]).date()
            self.shipments[name] = shipment
            yield shipment

    def _label(self, shipment: Shipment, rate: Rate, day: int) -> None:
        shipment.label_status = "bought"
        shipment.rate_id, shipment.carrier_id = rate.id, rate.carrier_id
        prefix = next(row[2] for row in self.data["carriers"] if row[0] == rate.carrier_id)
        shipment.tracking_number = f"{prefix}{self.chance.randint(10**9, 10**10 - 1)}"
        shipment.label_price, shipment.label_currency = price_of(rate, shipment.parcels), rate.currency
        # Labels of returns are bought before the other side of the world gets up.
        shipment.label_bought_at = self.seed.at(day, 3 if shipment.direction == "return" else 12 if day else 8)
        shipment.promised_on = (self.seed.at(day) + timedelta(days=rate.transit_days)).date()

    def _customs(self) -> Iterator[CustomsDeclaration]:
        for row in self.data["shipments"]:
            if row[10] is None:
                continue
            shipment, (what, code, quantity, value) = self.shipments[row[0]], row[10]
            assert shipment.label_bought_at is not None
            item = {"description": what, "hs_code": code, "quantity": quantity, "unit_value": value, "origin": "GB"}
            yield CustomsDeclaration(
                shipment_id=shipment.id,
                purpose="return" if shipment.direction == "return" else "sale",
                incoterm="DAP",
                items=[item],
                total_value=Decimal(str(value)) * quantity,
                currency=shipment.currency,
                declared_at=shipment.label_bought_at - timedelta(minutes=30),
            )

    def _pickups(self) -> Iterator[Pickup]:
        for number, (carrier, names, day, window, status, instructions) in enumerate(self.data["pickups"], 1):
            shipments = [self.shipments[name] for name in names]
            yield Pickup(
                id=f"pck_{number:04d}",
                carrier_id=f"car_{carrier}",
                address_id=shipments[0].from_address_id,
                shipment_ids=[item.id for item in shipments],
                pickup_date=self.seed.at(day).date(),
                window=window,
                status=status,
                instructions=instructions,
                created_by=_MARA,
                created_at=self.seed.at(min(day, 0), 8, 30),
            )

    def _claims(self) -> Iterator[Claim]:
        for number, row in enumerate(self.data["claims"], 1):
            name, kind, amount, text, evidence, status, made, submitted, decided, reference, approved, note = row
            shipment = self.shipments[name]
            assert shipment.carrier_id is not None
            start = shipment.delivered_on or self.seed.at(made).date()
            yield Claim(
                id=f"clm_{number:04d}",
                shipment_id=shipment.id,
                kind=kind,
                amount=Decimal(amount),
                currency=shipment.currency,
                description=text,
                evidence=[
                    {"kind": what, "name": file, "note": shows, "added_on": self.seed.at(made).date().isoformat()}
                    for what, file, shows in evidence
                ],
                status=status,
                deadline=start + timedelta(days=self.claim_days[shipment.carrier_id]),
                carrier_reference=reference,
                approved_amount=None if approved is None else Decimal(approved),
                decision_note=note,
                created_by=_MARA,
                created_at=self.seed.at(made, 14),
                submitted_at=None if submitted is None else self.seed.at(submitted, 9),
                decided_at=None if decided is None else self.seed.at(decided, 15),
            )


def _parcels(count: int, weight: int, length: int, width: int, height: int, contents: str) -> list[dict[str, Any]]:
    parcel = {"weight_grams": weight, "length_cm": length, "width_cm": width, "height_cm": height}
    return [parcel | {"contents": contents} for _ in range(count)]
