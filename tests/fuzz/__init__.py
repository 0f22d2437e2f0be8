"""A stranger's program that knows nothing but the OpenAPI document, let loose on a running service."""
