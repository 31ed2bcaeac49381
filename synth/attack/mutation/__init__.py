"""The mutation run: faults are planted in services that are right, to see which of them the attack finds."""
