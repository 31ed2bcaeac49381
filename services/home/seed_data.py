"""What stands in the Lindqvists' home. Days count from the start's date, times are UTC."""

from __future__ import annotations

from typing import Any

# key, name, role, e-mail, phone, code, locks, first day and clock, last day and clock
MEMBERS: tuple[tuple[str, str, str, str, str, str, str, str, str], ...] = (
    ("mara", "Mara Lindqvist", "owner", "mara.lindqvist@larkspur.example", "+1-206-555-0101", "", "", "", ""),
    ("henrik", "Henrik Lindqvist", "owner", "henrik@lindqvist.example", "+44-20-5550-1181", "", "", "", ""),
    ("ingrid", "Ingrid Lindqvist", "adult", "ingrid@lindqvist.example", "+44-20-5550-1182", "", "", "", ""),
    ("astrid", "Astrid Lindqvist", "child", "", "", "", "", "", ""),
    ("emil", "Emil Lindqvist", "child", "", "", "", "", "", ""),
    (
        "beata",
        "Beata Nowak",
        "guest",
        "beata.nowak@tidyhands.example",
        "+44-20-5550-7741",
        "4471",
        "hall_lock",
        "-40 09:00",
        "20 17:00",
    ),
    (
        "ruth",
        "Ruth Abernathy",
        "guest",
        "ruth.abernathy@larkspur.example",
        "+1-206-555-0113",
        "2608",
        "hall_lock",
        "6 08:00",
        "11 20:00",
    ),
    (
        "heating",
        "Gareth Tooley",
        "guest",
        "gareth@tooleyheating.example",
        "+44-20-5550-3302",
        "9135",
        "side_lock hall_lock",
        "-9 08:00",
        "-9 12:00",
    ),
)

# key, name, kind, room, model, state
DEVICES: tuple[tuple[str, str, str, str, str, dict[str, Any]], ...] = (
    ("hall_light", "Hall light", "light", "Hall", "Glim E27", {"on": True, "brightness": 60, "colour": "warm"}),
    (
        "kitchen_light",
        "Kitchen ceiling",
        "light",
        "Kitchen",
        "Glim Panel",
        {"on": True, "brightness": 100, "colour": "cool"},
    ),
    (
        "living_lamp",
        "Reading lamp",
        "light",
        "Living room",
        "Glim E27",
        {"on": False, "brightness": 40, "colour": "warm"},
    ),
    (
        "living_spots",
        "Living room spots",
        "light",
        "Living room",
        "Glim Spot",
        {"on": False, "brightness": 80, "colour": "warm"},
    ),
    ("study_lamp", "Desk lamp", "light", "Study", "Glim E14", {"on": True, "brightness": 75, "colour": "neutral"}),
    (
        "astrid_light",
        "Astrid's night light",
        "light",
        "Children's room",
        "Glim Moon",
        {"on": False, "brightness": 10, "colour": "warm"},
    ),
    (
        "garden_light",
        "Garden path",
        "light",
        "Garden",
        "Glim Post",
        {"on": False, "brightness": 50, "colour": "warm", "online": False},
    ),
    ("hall_lock", "Front door", "lock", "Hall", "Riegel 2", {"locked": True}),
    ("side_lock", "Side door", "lock", "Kitchen", "Riegel 2", {"locked": False}),
    ("shed_lock", "Shed", "lock", "Garden", "Riegel Mini", {"locked": True, "online": False}),
    (
        "living_heat",
        "Living room heating",
        "thermostat",
        "Living room",
        "Varm T4",
        {"mode": "heat", "target": 20.5, "reading": 19.8, "unit": "C"},
    ),
    (
        "bed_heat",
        "Bedroom heating",
        "thermostat",
        "Bedroom",
        "Varm T4",
        {"mode": "eco", "target": 17.0, "reading": 17.4, "unit": "C"},
    ),
    (
        "study_heat",
        "Study heating",
        "thermostat",
        "Study",
        "Varm T4",
        {"mode": "off", "target": 19.0, "reading": 16.1, "unit": "C"},
    ),
    ("living_blind", "Living room blind", "blind", "Living room", "Rulla 120", {"position": 100}),
    ("bed_blind", "Bedroom blind", "blind", "Bedroom", "Rulla 90", {"position": 0}),
    ("washer", "Washing machine", "appliance", "Utility room", "Brunn W8", {"on": False, "programme": "eco"}),
    ("dryer", "Tumble dryer", "appliance", "Utility room", "Brunn D8", {"on": False, "programme": "normal"}),
    ("dishwasher", "Dishwasher", "appliance", "Kitchen", "Brunn G6", {"on": True, "programme": "normal"}),
    ("car_plug", "Car charger", "plug", "Garage", "Volta 7", {"on": True}),
    ("study_plug", "Study sockets", "plug", "Study", "Volta Strip", {"on": True}),
    ("leak_sensor", "Leak sensor under the sink", "sensor", "Kitchen", "Droppe", {"reading": 0.0, "unit": "%"}),
    ("boiler_sensor", "Boiler pressure", "sensor", "Utility room", "Tryck P", {"reading": 0.7, "unit": "bar"}),
    ("air_sensor", "Bedroom air", "sensor", "Bedroom", "Luft C", {"reading": 820.0, "unit": "ppm"}),
    ("door_sensor", "Garden gate", "sensor", "Garden", "Glimt", {"reading": 1.0, "unit": "", "online": False}),
)

# name, kind, enabled, actions, more
ROUTINES: tuple[tuple[str, str, bool, list[dict[str, Any]], dict[str, Any]], ...] = (
    (
        "Good night",
        "scene",
        True,
        [
            {"device_id": "dev_hall_light", "on": False},
            {"device_id": "dev_living_spots", "on": False},
            {"device_id": "dev_hall_lock", "locked": True},
            {"device_id": "dev_side_lock", "locked": True},
            {"device_id": "dev_astrid_light", "brightness": 10},
        ],
        {},
    ),
    (
        "Film evening",
        "scene",
        True,
        [
            {"device_id": "dev_living_spots", "brightness": 15, "colour": "warm"},
            {"device_id": "dev_living_blind", "position": 0},
        ],
        {},
    ),
    (
        "Away",
        "scene",
        True,
        [
            {"device_id": "dev_living_heat", "mode": "eco", "target": 16},
            {"device_id": "dev_study_plug", "on": False},
            {"device_id": "dev_garden_light", "on": True},
            {"device_id": "dev_hall_lock", "locked": True},
        ],
        {},
    ),
    (
        "Warm mornings",
        "schedule",
        True,
        [{"device_id": "dev_living_heat", "mode": "heat", "target": 20.5}],
        {"at": "06:15", "days": ["monday", "tuesday", "wednesday", "thursday", "friday"]},
    ),
    (
        "Blinds up",
        "schedule",
        True,
        [{"device_id": "dev_bed_blind", "position": 100}, {"device_id": "dev_living_blind", "position": 100}],
        {"at": "07:00", "days": ["saturday", "sunday"]},
    ),
    (
        "Charge at night",
        "schedule",
        True,
        [{"device_id": "dev_car_plug", "on": True}],
        {"at": "00:30", "days": ["monday", "wednesday", "friday"]},
    ),
    (
        "Garden in summer",
        "schedule",
        False,
        [{"device_id": "dev_garden_light", "on": True}],
        {"at": "21:30", "days": ["friday", "saturday"]},
    ),
    (
        "Light when the door opens",
        "automation",
        True,
        [{"device_id": "dev_hall_light", "brightness": 100}],
        {"trigger_device_id": "dev_hall_lock", "trigger_when": "unlocks"},
    ),
    (
        "Late door light",
        "automation",
        True,
        [{"device_id": "dev_kitchen_light", "brightness": 30}],
        {"trigger_device_id": "dev_side_lock", "trigger_when": "locks", "only_from": "22:00", "only_until": "05:00"},
    ),
    (
        "Air the bedroom",
        "automation",
        True,
        [{"device_id": "dev_bed_blind", "position": 100}],
        {"trigger_device_id": "dev_air_sensor", "trigger_when": "rises_above", "trigger_value": 1200.0},
    ),
    (
        "Desk off",
        "automation",
        True,
        [{"device_id": "dev_study_plug", "on": False}, {"device_id": "dev_study_heat", "mode": "off"}],
        {"trigger_device_id": "dev_study_lamp", "trigger_when": "turns_off"},
    ),
)

# device, usual kWh a day
ENERGY = (
    ("washer", 1.1),
    ("dryer", 1.9),
    ("dishwasher", 0.9),
    ("car_plug", 6.4),
    ("study_plug", 0.8),
    ("living_heat", 0.2),
)
PRICE = "0.27"
"""Pounds per kWh."""
