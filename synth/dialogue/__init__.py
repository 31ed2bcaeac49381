"""A model at work in a bounded loop: it is told what to do and uses tools, and every message is recorded at once."""
