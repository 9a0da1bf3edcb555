"""Verifies a delivery: HMAC-SHA256 over "id.timestamp.body", at most five minutes old. Pass the body as it arrived, before any parsing:

    why = refusal(request.headers, request.get_data(), [secret])
    if why: abort(401, why)
"""

import base64
import hashlib
import hmac
import os
import sys
import time

NAMES = ("webhook-id", "webhook-timestamp", "webhook-signature")


def refusal(headers, body, secrets):
    """None if the delivery is valid, else the reason. `secrets`: one, or the old and the new one while you change it."""
    given = {name.lower(): value for name, value in headers.items()}
    for name in NAMES:
        if not given.get(name):
            return f"the header {name} is missing"
    timestamp = given["webhook-timestamp"]
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(time.time() - int(timestamp)) > 300:
        return "too old or too new"
    signed = f"{given['webhook-id']}.{timestamp}.".encode() + body
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        # There are two signatures while the secret of the listener changes.
        for signature in given["webhook-signature"].split(" "):
            if hmac.compare_digest(expected.encode(), signature.encode()):
                return None
    return "no signature fits"


# From a shell: the headers and the secrets in the environment, the body on standard input.
if __name__ == "__main__":
    headers = {name: os.environ.get(name.upper().replace("-", "_"), "") for name in NAMES}
    why = refusal(headers, sys.stdin.buffer.read(), os.environ["WEBHOOK_SECRETS"].split(" "))
    print(why or "valid")
    sys.exit(1 if why else 0)
