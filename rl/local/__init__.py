"""Language models whose weights are here: their format of a conversation, generation in batches, loading."""
