"""Poker Rum (R. F. Foster). The rule book in our words is RULES.md; events, state, evolve are replayed for ever."""
