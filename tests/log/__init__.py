"""The log: one suite of the port for all adapters, its failures, the codec's promises, folded states."""
