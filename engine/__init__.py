"""The state engine: worlds, compositions, snapshots, branches, events, replay and verifiers on Postgres."""
