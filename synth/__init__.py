"""From tool specifications to services. Not written yet: `services/` is made by hand so far."""
