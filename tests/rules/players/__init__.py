"""Who sits at the table in seeded play: one file a game, with its styles of play and its random options."""
