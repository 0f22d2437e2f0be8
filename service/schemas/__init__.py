"""What bodies look like: read by marshmallow, described in the OpenAPI document."""
