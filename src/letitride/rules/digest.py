"""Digest: the one spelling of a value over which SHA-256 is taken."""

import hashlib
import json


def sha256(value: object) -> str:
    """Return the SHA-256 of a value's canonical JSON: sorted keys, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
