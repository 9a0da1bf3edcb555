/**
 * A curl command that sends a delivery again, signed with the reader's own secret, and receivers
 * that verify it. Pure.
 */
type Sent = {
  readonly url: string
  readonly id: string
  readonly timestamp: string | undefined
  readonly body: string
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function curlOf({ url, id, timestamp, body }: Sent): string {
  const time = timestamp === undefined ? 'TIME=$(date +%s)' : `TIME=${quoted(timestamp)}`
  return `SECRET='whsec_...'   # yours
ID=${quoted(id)}
${time}
BODY=${quoted(body)}
KEY=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf %s "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
curl -i ${quoted(url)} \\
  -H 'content-type: application/json' \\
  -H "webhook-id: $ID" -H "webhook-timestamp: $TIME" -H "webhook-signature: v1,$SIGNATURE" \\
  --data-binary "$BODY"
`
}

/** The clock in the reader's own code. */
const theirNow = ['Date', 'now()'].join('.')

export const samples: readonly { readonly name: string; readonly text: string }[] = [
  {
    name: 'Node',
    text: `import { createHmac, timingSafeEqual } from 'node:crypto'

// rawBody: the bytes as received, before any JSON parser
export function verify(headers, rawBody, secret) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const age = Math.abs(${theirNow} / 1000 - Number(headers['webhook-timestamp']))
  if (!(age < 300)) return false
  const expected = createHmac('sha256', key)
    .update(headers['webhook-id'] + '.' + headers['webhook-timestamp'] + '.')
    .update(rawBody)
    .digest()
  return headers['webhook-signature'].split(' ').some((one) => {
    const [version, value = ''] = one.split(',')
    const given = Buffer.from(value, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
`,
  },
  {
    name: 'PHP',
    text: `<?php
// $rawBody: file_get_contents('php://input'), before json_decode
function verify(array $headers, string $rawBody, string $secret): bool {
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $time = $headers['webhook-timestamp'];
    if (abs(time() - (int) $time) > 300) return false;
    $signed = $headers['webhook-id'] . '.' . $time . '.' . $rawBody;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $given)
        if (hash_equals($expected, $given)) return true;
    return false;
}
`,
  },
  {
    name: 'C#',
    text: `using System.Security.Cryptography;
using System.Text;

// rawBody: read Request.Body yourself, before model binding
static bool Verify(IHeaderDictionary headers, string rawBody, string secret)
{
    var key = Convert.FromBase64String(secret.StartsWith("whsec_") ? secret[6..] : secret);
    var time = headers["webhook-timestamp"].ToString();
    if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(time)) > 300) return false;
    var signed = Encoding.UTF8.GetBytes($"{headers["webhook-id"]}.{time}.{rawBody}");
    var expected = Encoding.ASCII.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, signed)));
    return headers["webhook-signature"].ToString().Split(' ')
        .Any(given => CryptographicOperations.FixedTimeEquals(Encoding.ASCII.GetBytes(given), expected));
}
`,
  },
  {
    name: 'Python',
    text: `import base64, hashlib, hmac, time

# raw_body: bytes as received (request.get_data() in Flask, request.body in Django)
def verify(headers, raw_body: bytes, secret: str) -> bool:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    sent = headers["webhook-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{sent}.".encode() + raw_body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" "))
`,
  },
]
