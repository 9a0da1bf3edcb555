#!/bin/sh
# Verifies a delivery with openssl: HMAC-SHA256 over "id.timestamp.body", at most five minutes old. The headers and the secrets are in
# the environment (WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE, WEBHOOK_SECRETS), the body is on standard input, as it arrived.
# To look at a delivery by hand: the key is visible to other users of the machine while openssl runs.
set -eu
refuse() { echo "$1"; exit 1; }
[ -n "${WEBHOOK_ID:-}" ] || refuse 'the header webhook-id is missing'
[ -n "${WEBHOOK_TIMESTAMP:-}" ] || refuse 'the header webhook-timestamp is missing'
[ -n "${WEBHOOK_SIGNATURE:-}" ] || refuse 'the header webhook-signature is missing'
case $WEBHOOK_TIMESTAMP in *[!0-9]*) refuse 'too old or too new' ;; esac
age=$(($(date +%s) - WEBHOOK_TIMESTAMP))
{ [ "$age" -le 300 ] && [ "$age" -ge -300 ]; } || refuse 'too old or too new'

body=$(mktemp)
trap 'rm -f "$body"' EXIT
{ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat; } > "$body"
for secret in $WEBHOOK_SECRETS; do
  key=$(printf %s "${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
  expected=v1,$(openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary < "$body" | openssl base64 -A)
  # There are two signatures while the secret of the listener changes.
  for given in $WEBHOOK_SIGNATURE; do
    [ "$given" != "$expected" ] || { echo valid; exit 0; }
  done
done
refuse 'no signature fits'
