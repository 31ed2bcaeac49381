"""Technical operations: incidents, monitoring, code and pipelines."""
