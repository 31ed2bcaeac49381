"""Scenario families, by area; ``tasks.authoring.family`` says how one is declared."""
