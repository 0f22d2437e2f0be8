"""What happens after a play: scoring, the ledger, the sweeper. Knows the log; knows nothing of HTTP."""
