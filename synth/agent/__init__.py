"""Build, with a model: a coding agent writes the files of a service, in a sandbox, until its tests pass."""
