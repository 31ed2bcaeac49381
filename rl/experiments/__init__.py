"""Experiments: the claims of the paper, each tried by one command."""
