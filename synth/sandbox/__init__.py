"""The sandbox: generated code runs under bubblewrap, with a database role of its own, or not at all."""
