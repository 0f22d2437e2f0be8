"""Tests of webhooks: addresses, signatures, the schedule, and deliveries to real receivers."""
