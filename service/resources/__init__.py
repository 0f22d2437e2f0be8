"""The resources of the HTTP contract, one file for each kind."""
