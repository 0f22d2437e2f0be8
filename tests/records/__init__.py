"""Records: reading, printing, checking, exporting, and `upcard check`."""
