"""From tool specifications to verified services: ingest, build, attack, quarantine, world model."""
