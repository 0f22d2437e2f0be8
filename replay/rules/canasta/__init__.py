"""Canasta (1949). The rule book in our words is RULES.md; read events, state, evolve for what is replayed for ever."""
