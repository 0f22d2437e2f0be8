"""The service under fire: races, kills of every process at every step, stores that go and come. Real processes all."""
