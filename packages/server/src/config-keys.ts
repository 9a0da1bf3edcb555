/**
 * Every key an operator may turn, once: its default, what it accepts and what it is for. `readConfig` refuses anything
 * that is not here, and docs/config.md is made from these rows (contract, sections 10 and 11).
 */
type KeyRow = {
  readonly default: string
  /** What a good value is; stands in the sentence that refuses a bad one. */
  readonly wants: string
  readonly says: string
  /** The value is never shown, not even a bad one. */
  readonly secret?: true
}

export const configKeys = {
  DRAGOMAN_CONFIG: {
    default: 'none',
    wants: 'the path of a YAML or JSON file that can be read',
    says: 'A file with the same keys as this page. The environment wins over the file.',
  },
  DRAGOMAN_PROFILE: {
    default: '`production`; `npm start` says `sandbox`',
    wants: 'sandbox, staging or production',
    says: 'sandbox: loopback only, demo site and clients, clock and fault controls, no throttling. staging, production: nothing of that, throttling on, unsafe settings refused.',
  },
  DRAGOMAN_HOST: {
    default: '`127.0.0.1`',
    wants: 'an IPv4 or IPv6 address or a host name, without a port',
    says: 'Where it listens. The sandbox listens on loopback only.',
  },
  DRAGOMAN_PORT: {
    default: '`8080`',
    wants: 'a whole number from 0 to 65535',
    says: 'The port. 0 picks a free one. The address is printed on one line of standard output when the hub is ready.',
  },
  DRAGOMAN_PUBLIC_URL: {
    default: "from the call's own Host, where that is a name of the hub",
    wants: 'an http or https URL without user, query or fragment',
    says: 'What answers call themselves, and the issuer of tokens. Staging and production need it, or DRAGOMAN_HOSTS, unless they listen on loopback.',
  },
  DRAGOMAN_HOSTS: {
    default: 'none; a hub that listens on loopback answers to loopback names',
    wants: 'host names or IP addresses without a port, separated by commas',
    says: 'The names that the hub answers to, beside that of DRAGOMAN_PUBLIC_URL; a call under another gets 421. /healthz and /readyz answer to all.',
  },
  DRAGOMAN_DATA: {
    default: '`./data`',
    wants: 'a path',
    says: 'Folder of the embedded database, the blobs and the master key. Relative to where the hub was started.',
  },
  DRAGOMAN_DATABASE_URL: {
    default: '`sqlite:<data>/dragoman.db`',
    wants: 'sqlite:PATH of a file, or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    says: 'SQLite for one node, PostgreSQL 13 or newer for one or many.',
    secret: true,
  },
  DRAGOMAN_BLOBS_URL: {
    default: '`file:<data>/blobs`',
    wants: 'file:PATH of a folder, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME',
    says: 'Where bytes lie. For s3 the usual AWS credential variables are read. Several nodes need s3 or a shared folder.',
    secret: true,
  },
  DRAGOMAN_TLS_CERT: {
    default: 'none',
    wants: 'the path of a PEM file with a certificate (and its chain)',
    says: 'Serve HTTPS itself, TLS 1.2 and up. Goes with DRAGOMAN_TLS_KEY.',
  },
  DRAGOMAN_TLS_KEY: {
    default: 'none',
    wants: 'the path of a PEM file with the private key of DRAGOMAN_TLS_CERT, without a passphrase',
    says: 'The key of that certificate.',
    secret: true,
  },
  DRAGOMAN_TLS_CLIENT_CERTS: {
    default: '`off`',
    wants: 'on or off',
    says: 'Ask callers for a certificate, so that clients can prove themselves by one (`dragoman clients add --certificate`). Goes with DRAGOMAN_TLS_CERT: a proxy that ends TLS cannot pass a certificate on.',
  },
  DRAGOMAN_MASTER_KEY: {
    default: 'made on first start in `<data>/master.key` (0600) for SQLite; required with PostgreSQL',
    wants: '32 random bytes in base64 or hex (`openssl rand -base64 32`)',
    says: 'Encrypts signing keys and listener secrets at rest. All nodes of one database have the same.',
    secret: true,
  },
  DRAGOMAN_SEAL_CONTENT: {
    default: '`off`',
    wants: 'on or off',
    says: 'on: new files and key-value content are encrypted at rest, under a key of their site that the master key encrypts. What was there before stays readable, and so does what was sealed when it is off again.',
  },
  DRAGOMAN_BOOTSTRAP_CLIENT_ID: {
    default: 'none',
    wants: '1 to 100 of A-Z a-z 0-9 . _ -',
    says: 'An admin client made on first start, in the site `main`. Goes with DRAGOMAN_BOOTSTRAP_CLIENT_SECRET.',
  },
  DRAGOMAN_BOOTSTRAP_CLIENT_SECRET: {
    default: 'none',
    wants: '1 to 1,000 characters',
    says: 'Its secret: at least 16 characters that are not well known, outside the sandbox.',
    secret: true,
  },
  DRAGOMAN_TRUST_PROXY: {
    default: '`false`',
    wants: 'true, false, or addresses, networks, loopback, linklocal, uniquelocal, separated by commas',
    says: "The proxies whose X-Forwarded headers are believed. true believes everyone: only where nobody but the proxy reaches the hub's port.",
  },
  DRAGOMAN_LISTENER_ALLOW: {
    default: 'none; loopback in the sandbox',
    wants: 'addresses or networks (10.1.0.0/16, fd00::/8), separated by commas',
    says: 'Private networks that outgoing calls (to listeners and to translation engines) may reach all the same.',
  },
  DRAGOMAN_STRICT_DELIVERIES: {
    default: 'none',
    wants: 'names of sites separated by commas, or all',
    says: 'Sites where a translation that lost or gained keys, units, placeholders or tags is refused (422 DELIVERY_INVALID); elsewhere it is taken, with warnings.',
  },
  DRAGOMAN_SITE_BYTES: {
    default: '`1TiB`',
    wants: 'a size of at least 1MiB, such as 512MiB or 4GiB',
    says: 'The usual quota MaxBytesPerSite: what the files and inline content of one site may take; `dragoman clients set --quota` sets it for one client.',
  },
  DRAGOMAN_FREE_SPACE: {
    default: 'a twentieth of the disk, 1GiB at the most',
    wants: 'a size such as 0, 512MiB or 4GiB',
    says: 'Of the disk that holds the files: with less free than this, uploads are refused (503) while everything else goes on.',
  },
  DRAGOMAN_RATE_LIMIT: {
    default: '`20` in production, `10` in staging, `off` in the sandbox',
    wants: 'a whole number from 1 to 100000, or off',
    says: "Calls a second from one address; the burst is one second's worth.",
  },
  DRAGOMAN_CLIENT_RATE_LIMIT: {
    default: '`off`',
    wants: 'a whole number from 1 to 100000, or off',
    says: 'Calls a second of one client from all addresses together; `dragoman clients set --rate-limit` sets it for one client.',
  },
  DRAGOMAN_CONNECTIONS: {
    default: '`5000`',
    wants: 'a whole number from 10 to 1000000',
    says: 'Connections that the hub holds at a time. One more is closed at once.',
  },
  DRAGOMAN_CONNECTIONS_PER_ADDRESS: {
    default: '`250`; `off` in the sandbox',
    wants: 'a whole number from 1 to 1000000, or off',
    says: 'The same for one address (of IPv6 a /64 network). The proxies of DRAGOMAN_TRUST_PROXY may have more.',
  },
  DRAGOMAN_TOKEN_SECONDS: {
    default: '`3600`',
    wants: 'a whole number from 1 to 86400',
    says: 'How long a token is good.',
  },
  DRAGOMAN_ARCHIVE_AFTER: {
    default: '`6mo`',
    wants: 'a duration such as 90s 5m 2h 3d 6mo 1y',
    says: 'A job is archived by itself this long after its last activity.',
  },
  DRAGOMAN_TRANSFER_LIFE: {
    default: '`24h`',
    wants: 'a duration such as 90s 5m 2h 3d 6mo 1y',
    says: 'An unfinished upload is forgotten this long after its last byte.',
  },
  DRAGOMAN_DOWNLOAD_LIFE: {
    default: '`15m`',
    wants: 'a duration such as 90s 5m 2h 3d 6mo 1y',
    says: 'How long a download URL is good.',
  },
  DRAGOMAN_SOAP_NAMESPACE: {
    default: '`urn:dragoman:project-settings`',
    wants: 'an absolute URI without spaces; a slash at its end is not doubled in a SOAPAction',
    says: 'Message namespace of the project settings service.',
  },
  DRAGOMAN_SCOPE_ALIASES: {
    default: 'none',
    wants: 'pairs such as their.scope.*=content, their.vendor=provider',
    says: 'Scopes that deployed clients ask for by names of their own, and what is meant.',
  },
  DRAGOMAN_CORS_ORIGINS: {
    default: 'none; in the sandbox pages on loopback may call too',
    wants: 'origins such as https://app.example.org, separated by commas',
    says: 'Web pages of other origins that may call the hub from a browser.',
  },
  DRAGOMAN_ISSUER: {
    default: 'none',
    wants: 'an http or https URL, as it stands in the iss claim',
    says: 'An outside issuer whose tokens are accepted beside our own. Goes with DRAGOMAN_ISSUER_JWKS and DRAGOMAN_ISSUER_AUDIENCE.',
  },
  DRAGOMAN_ISSUER_JWKS: {
    default: 'none',
    wants: 'an https URL (http only for loopback or in the sandbox)',
    says: 'Where the keys of that issuer are.',
  },
  DRAGOMAN_ISSUER_AUDIENCE: {
    default: 'none',
    wants: 'text without spaces',
    says: 'The aud claim that its tokens must have.',
  },
  DRAGOMAN_ISSUER_CLAIMS: {
    default: '`site=site,client=client_id,scope=scope`',
    wants: 'site=NAME,client=NAME,scope=NAME, each at most once',
    says: 'Which of its claims name the site, the client and the scopes.',
  },
  DRAGOMAN_DRAIN_DELAY: {
    default: '`5s`; `0s` in the sandbox',
    wants: 'seconds from 0s to 15s',
    says: 'How long a hub that was told to stop goes on taking calls while /readyz already answers 503, so that a balancer sends the next ones elsewhere.',
  },
  DRAGOMAN_LOG_LEVEL: {
    default: '`info`',
    wants: 'fatal, error, warn, info, debug, trace or silent',
    says: 'The least serious log line that is written. Logs are JSON lines on standard error.',
  },
  DRAGOMAN_CALL_LOG_BYTES: {
    default: '`1GiB`',
    wants: 'a size of at least 1MiB, such as 512MiB or 4GiB',
    says: 'About how much of the database the call log may take: the oldest rows go when it is more. It is kept for 7 days and a million rows at the most.',
  },
  DRAGOMAN_AUDIT_ROWS: {
    default: '`1000000`',
    wants: 'a whole number from 1000 to 100000000',
    says: 'How many acts the audit log keeps: the oldest go when there are more. It keeps them for a year at the most.',
  },
  DRAGOMAN_METRICS: {
    default: 'none; in the sandbox `/metrics` is on the main address',
    wants: 'HOST:PORT ([::1]:9464 for IPv6)',
    says: 'A second address that serves /metrics. Anyone who reaches it may read the figures.',
  },
} as const satisfies Record<string, KeyRow>

export type ConfigKey = keyof typeof configKeys

/** docs/config.md. */
export function configPage(): string {
  const rows = Object.entries<KeyRow>(configKeys).map(
    ([name, row]) => `| ${name} | ${row.default} | ${row.wants} | ${row.says} |`,
  )
  return `# Configuration

Made by \`npm run generate\` from \`packages/server/src/config-keys.ts\`; do not edit.

Every key is an environment variable, or a member of the YAML or JSON file that \`DRAGOMAN_CONFIG\` names; the environment
wins. An empty value is as none. An unknown \`DRAGOMAN_\` key or a bad value stops the start with a sentence that names it.

| Key | Default | Accepts | Meaning |
|---|---|---|---|
${rows.join('\n')}

## What staging and production refuse

- A bootstrap secret that is well known, equal to the client's id, or shorter than 16 characters.
- A master key that is not random.
- A database that the sandbox made: its demo clients have well-known secrets. (Nor does the sandbox open theirs.)
- Keys of an outside issuer fetched over plain http from another machine.
- An address that others reach (DRAGOMAN_HOST) without DRAGOMAN_PUBLIC_URL or DRAGOMAN_HOSTS: answers would repeat any name.

## What every profile refuses

- PostgreSQL without DRAGOMAN_MASTER_KEY.
- A database whose secrets were sealed under another master key.
- A second node on one SQLite database.
- A database that a newer version has migrated.
`
}
