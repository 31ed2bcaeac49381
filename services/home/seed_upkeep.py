"""Alerts, tasks and the shopping list of the seed. Days count from the start's date, times are UTC."""

from __future__ import annotations

# device, severity, text, status, day, clock
ALERTS = (
    ("boiler_sensor", "critical", "Pressure below 0.8 bar; the heating may stop.", "open", 0, "06:40"),
    ("garden_light", "warning", "No answer since Friday.", "open", -3, "21:31"),
    ("shed_lock", "warning", "Battery empty; the lock does not answer.", "in_progress", -2, "10:12"),
    ("door_sensor", "info", "No answer since the storm.", "open", -6, "03:20"),
    ("dishwasher", "info", "Rinse aid is low.", "open", -1, "20:05"),
    ("leak_sensor", "critical", "Water under the sink.", "resolved", -12, "18:44"),
    ("dryer", "warning", "Filter full.", "resolved", -20, "19:30"),
)

# title, notes, status, due, assignee, device, alert (from 1), company, visit, repeats, done
TASKS: tuple[tuple[str, str, str, int, str, str, int, str, str, int, str], ...] = (
    ("New batteries for the shed lock", "Four AA.", "open", 3, "henrik", "shed_lock", 3, "", "", 0, ""),
    (
        "Yearly boiler service",
        "Ask about the falling pressure as well.",
        "scheduled",
        16,
        "mara",
        "boiler_sensor",
        0,
        "Tooley Heating",
        "14 09:00",
        365,
        "",
    ),
    ("Descale the kettle", "", "open", -4, "henrik", "", 0, "", "", 30, ""),
    ("Clean the dryer's filter", "", "done", -19, "mara", "dryer", 7, "", "", 0, "-19 18:00"),
    (
        "Tighten the pipe under the sink",
        "Seal replaced.",
        "done",
        -11,
        "henrik",
        "leak_sensor",
        6,
        "Maltby Plumbing",
        "-11 11:00",
        0,
        "-11 12:10",
    ),
    ("Window cleaning", "Front and back.", "scheduled", 18, "ingrid", "", 0, "Clearview Windows", "18 13:30", 60, ""),
    ("Gutter before spring", "Leaves from the neighbour's plane tree.", "open", 12, "henrik", "", 0, "", "", 0, ""),
    ("Test the smoke alarms", "All five.", "open", 30, "mara", "", 0, "", "", 90, ""),
    ("Service for the car charger", "Firmware and cable.", "cancelled", -2, "henrik", "car_plug", 0, "", "", 0, ""),
    (
        "Cat and plants from 8 to 11 March",
        "Ruth has a code for the front door while Mara is in Seattle.",
        "open",
        6,
        "henrik",
        "",
        0,
        "",
        "",
        0,
        "",
    ),
)

# name, category, quantity, unit, note, bought (days ago, or none), added by
SHOPPING: tuple[tuple[str, str, int, str, str, int | None, str], ...] = (
    ("Oat milk", "drinks", 4, "cartons", "Barista kind", None, "mara"),
    ("Rye bread", "food", 1, "", "", None, "mara"),
    ("Cinnamon", "food", 1, "jar", "For buns on Sunday", None, "henrik"),
    ("AA batteries", "household", 8, "", "Shed lock", None, "henrik"),
    ("Rinse aid", "household", 1, "bottle", "", None, "mara"),
    ("Ferrous sulfate tablets", "pharmacy", 1, "pack", "Maltby Pharmacy", None, "mara"),
    ("Cat litter", "household", 2, "bags", "", None, "ingrid"),
    ("Salmon", "food", 1, "kg", "", None, "henrik"),
    ("Seed potatoes", "garden", 2, "kg", "Early kind", None, "ingrid"),
    ("Birthday candles", "other", 1, "pack", "Ingrid turns 75 on 30 March", None, "mara"),
    ("Coffee", "drinks", 2, "packs", "Filter", -1, "henrik"),
    ("Dish soap", "household", 1, "", "", -1, "mara"),
    ("Apples", "food", 2, "kg", "", -3, "mara"),
    ("Plasters", "pharmacy", 1, "pack", "", -5, "henrik"),
)
