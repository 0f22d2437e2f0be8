"""Webhooks: events of the log sent to receivers that organisers name. See ops/decisions on webhooks."""
