"""Deal records: the written form of a session. Read from bytes, checked against the rules, printed, made from a log."""
