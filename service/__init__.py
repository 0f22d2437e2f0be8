"""The door: HTTP, tokens, schemas, problems, the command line. Nothing below imports it; this file imports nothing."""
