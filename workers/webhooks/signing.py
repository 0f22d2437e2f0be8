"""Secrets and signatures as Standard Webhooks has them (https://www.standardwebhooks.com, version 1). Pure.

A secret follows from the server's key, as a seat's token does: nothing that is stored tells it, and a repeated creation
can show it again. What is stored is a fingerprint, which tells whether this process has the right key.
"""

import hmac
from base64 import b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256

from standardwebhooks import Webhook as Signer


def secret(server_key: bytes, webhook: str, serial: int) -> str:
    """The secret of a webhook, `whsec_` and 32 bytes in base64; each rotation has the next serial number."""
    made = hmac.digest(server_key, f"webhook {webhook} {serial}".encode(), "sha256")
    return f"whsec_{b64encode(made).decode()}"


def fingerprint(text: str) -> str:
    """What may be stored of a secret."""
    return sha256(text.encode()).hexdigest()[:16]


def signed_headers(secrets: Sequence[str], message: str, second: int, body: bytes) -> dict[str, str]:
    """The three headers of one attempt, made at that second (Unix time), with a signature by each of the secrets."""
    moment, text = datetime.fromtimestamp(second, UTC), body.decode()
    signatures = [Signer(each).sign(message, moment, text) for each in secrets]
    return {"webhook-id": message, "webhook-timestamp": str(second), "webhook-signature": " ".join(signatures)}
