"""The attack: a pass over a service that reads its specification only, and says which tools keep it."""
