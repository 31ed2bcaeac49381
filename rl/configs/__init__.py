"""Settings that come with CompoWorld."""
