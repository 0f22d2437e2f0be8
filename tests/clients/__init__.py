"""Tests of programs that others write against the service: the examples, and a client made from the contract."""
