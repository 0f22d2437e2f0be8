"""Single-Pack Rum (R. F. Foster). The book in our words is RULES.md; events, state, evolve are replayed for ever."""
