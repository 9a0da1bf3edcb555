<?php
// Verifies a delivery: HMAC-SHA256 over "id.timestamp.body", at most five minutes old. Pass the body as it arrived, before any parsing:
//   $why = refusal(getallheaders(), file_get_contents('php://input'), [$secret]);
//   if ($why !== null) { http_response_code(401); exit($why); }

/** @param string[] $secrets one, or the old and the new one while you change it */
function refusal(array $headers, string $body, array $secrets): ?string
{
    $headers = array_change_key_case($headers);
    foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
        if (($headers[$name] ?? '') === '') {
            return "the header $name is missing";
        }
    }
    $timestamp = $headers['webhook-timestamp'];
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return 'too old or too new';
    }
    foreach ($secrets as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')), true);
        $signed = "{$headers['webhook-id']}.$timestamp.$body";
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
        // There are two signatures while the secret of the listener changes.
        foreach (explode(' ', $headers['webhook-signature']) as $given) {
            if (hash_equals($expected, $given)) {
                return null;
            }
        }
    }
    return 'no signature fits';
}

// From a shell: the headers and the secrets in the environment, the body on standard input.
if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    $headers = [];
    foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
        $headers[$name] = (string) getenv(strtoupper(strtr($name, '-', '_')));
    }
    $why = refusal($headers, stream_get_contents(STDIN), explode(' ', (string) getenv('WEBHOOK_SECRETS')));
    echo $why ?? 'valid', "\n";
    exit($why === null ? 0 : 1);
}
