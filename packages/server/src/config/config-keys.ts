/**
 * Every configuration key: its default, the values it accepts and its purpose. `readConfig` refuses
 * any other key, and docs/config.md is generated from these rows (contract, sections 10 and 11).
 */
type KeyRow = {
  readonly default: string
  /** The accepted values, as used in the error for a bad one. */
  readonly wants: string
  readonly says: string
  /** The value is never shown, not even a bad one. */
  readonly secret?: true
}

export const configKeys = {
  DRAGOMAN_CONFIG: {
    default: 'none',
    wants: 'the path of a readable YAML or JSON file',
    says: 'A file that sets keys of this page, such as `/etc/dragoman/hub.yml`. Environment variables override it. Its former name `dragoman.yml` is read with a warning.',
  },
  DRAGOMAN_PROFILE: {
    default: '`production`; `npm start` uses `sandbox`',
    wants: 'sandbox, staging or production',
    says: 'sandbox: loopback only, demo site and clients, clock and fault controls, no rate limit. staging, production: none of these, rate limit on, unsafe settings refused.',
  },
  DRAGOMAN_HOST: {
    default: '`127.0.0.1`',
    wants: 'an IPv4 or IPv6 address or a host name, without a port',
    says: 'Address to listen on. The sandbox listens on loopback only.',
  },
  DRAGOMAN_PORT: {
    default: '`8080`',
    wants: 'a whole number from 0 to 65535',
    says: 'Port to listen on. 0 picks a free one. The hub prints its address to standard output when it is ready.',
  },
  DRAGOMAN_PUBLIC_URL: {
    default: 'the Host header of the call, if the hub accepts that name',
    wants: 'an http or https URL without user, query or fragment',
    says: 'Base URL used in responses, and the issuer of tokens. Staging and production require it, or DRAGOMAN_HOSTS, unless they listen on loopback.',
  },
  DRAGOMAN_HOSTS: {
    default: 'none; a hub that listens on loopback accepts loopback names',
    wants: 'host names or IP addresses without a port, separated by commas',
    says: 'Host names that the hub accepts, in addition to the one in DRAGOMAN_PUBLIC_URL. A call to any other name gets 421. /healthz and /readyz accept every name.',
  },
  DRAGOMAN_DATA: {
    default: '`./data`',
    wants: 'a path',
    says: 'Folder for the embedded database, the blobs and the master key. Relative to the working directory.',
  },
  DRAGOMAN_DATABASE_URL: {
    default: '`sqlite:<data>/dragoman.db`',
    wants:
      'sqlite:PATH of a file, or postgres://USER:PASSWORD@HOST:PORT/DATABASE, which may list several HOST:PORT separated by commas and end with ?target_session_attrs=read-write',
    says: 'SQLite for one node; PostgreSQL 13 or newer for one or more. If you list several hosts (a primary and its standbys), the hub uses the one that accepts writes.',
    secret: true,
  },
  DRAGOMAN_BLOBS_URL: {
    default: '`file:<data>/blobs`',
    wants: 'file:PATH of a folder, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME',
    says: 'Where the hub stores files. For s3 it reads the usual AWS credential variables. Several nodes need s3 or a shared folder.',
    secret: true,
  },
  DRAGOMAN_TLS_CERT: {
    default: 'none',
    wants: 'the path of a PEM file with a certificate (and its chain)',
    says: 'Serves HTTPS directly, with TLS 1.2 or newer. Requires DRAGOMAN_TLS_KEY.',
  },
  DRAGOMAN_TLS_KEY: {
    default: 'none',
    wants: 'the path of a PEM file with the private key of DRAGOMAN_TLS_CERT, without a passphrase',
    says: 'The private key of that certificate.',
    secret: true,
  },
  DRAGOMAN_TLS_CLIENT_CERTS: {
    default: '`off`',
    wants: 'on or off',
    says: 'on: the hub asks callers for a certificate, so that clients can authenticate with one (`dragoman clients add --certificate`). Requires DRAGOMAN_TLS_CERT: a proxy that terminates TLS cannot pass the certificate on.',
  },
  DRAGOMAN_MASTER_KEY: {
    default:
      'with SQLite, generated on the first start in `<data>/master.key` (mode 0600); required with PostgreSQL',
    wants: '32 random bytes in base64 or hex (`openssl rand -base64 32`)',
    says: 'Encrypts signing keys and listener secrets at rest. All nodes that share a database need the same key.',
    secret: true,
  },
  DRAGOMAN_SEAL_CONTENT: {
    default: '`off`',
    wants: 'on or off',
    says: 'on: the hub encrypts new files and key-value content at rest with a key per site, which is itself encrypted with the master key. It encrypts new notes, error messages, descriptions and delivery bodies with the master key directly. Content from before stays as it is; sealed content stays readable after you turn this off.',
  },
  DRAGOMAN_BOOTSTRAP_CLIENT_ID: {
    default: 'none',
    wants: '1 to 100 of A-Z a-z 0-9 . _ -',
    says: 'The id of a client that the hub creates on its first start: an admin of the site `main`, or an operator (DRAGOMAN_BOOTSTRAP_SCOPE). Requires DRAGOMAN_BOOTSTRAP_CLIENT_SECRET.',
  },
  DRAGOMAN_BOOTSTRAP_SCOPE: {
    default: '`admin`',
    wants: 'admin or operator',
    says: 'The scope of that client. An operator manages the hub as a whole and belongs to no site.',
  },
  DRAGOMAN_BOOTSTRAP_CLIENT_SECRET: {
    default: 'none',
    wants: '1 to 1,000 characters',
    says: 'The secret of that client. Outside the sandbox it must have at least 16 characters and must not be a well-known one.',
    secret: true,
  },
  DRAGOMAN_ADMIN_EMAIL: {
    default: 'none',
    wants: 'an e-mail address',
    says: 'The address of a person whom the hub adds on its first start as an admin and operator of the console, instead of printing a sign-in link. Requires DRAGOMAN_ADMIN_PASSWORD_HASH.',
  },
  DRAGOMAN_ADMIN_PASSWORD_HASH: {
    default: 'none',
    wants: 'a hash that `dragoman people hash` prints',
    says: "The hash of that person's password.",
    secret: true,
  },
  DRAGOMAN_PASSWORD_SIGN_IN: {
    default: '`on`',
    wants: 'on or off',
    says: 'off: people can sign in to the console only with a passkey or through an OpenID provider.',
  },
  DRAGOMAN_PLAIN_HTTP_SIGN_IN: {
    default: '`off`',
    wants: 'on or off',
    says: 'on: people may sign in over plain http from other machines. Anyone on the network can then read passwords and take over sessions; the console shows a red frame as a warning.',
  },
  DRAGOMAN_SMTP_URL: {
    default: 'none: the hub sends no mail',
    wants: 'smtp://HOST:PORT or smtps://HOST:PORT, optionally with USER:PASSWORD@ before the host',
    says: 'The mail server for notifications that people turned on in the console (docs/people.md). smtp uses STARTTLS if the server offers it, and requires it if a password is sent to another machine. Requires DRAGOMAN_MAIL_FROM and DRAGOMAN_PUBLIC_URL.',
    secret: true,
  },
  DRAGOMAN_MAIL_FROM: {
    default: 'none',
    wants: 'an e-mail address',
    says: 'The sender address of these mails.',
  },
  DRAGOMAN_OIDC_ISSUER: {
    default: 'none',
    wants: 'an https URL, exactly as in the iss claim (http only for loopback or in the sandbox)',
    says: 'The OpenID provider through which people sign in to the console. Requires DRAGOMAN_OIDC_CLIENT_ID. Register `<public URL>/console/api/oidc/return` as the redirect URI there. A provider on a private network must also be in DRAGOMAN_LISTENER_ALLOW.',
  },
  DRAGOMAN_OIDC_CLIENT_ID: {
    default: 'none',
    wants: 'text without spaces',
    says: "The hub's client id at that provider.",
  },
  DRAGOMAN_OIDC_CLIENT_SECRET: {
    default: 'none: the hub is a public client there',
    wants: '1 to 1,000 characters',
    says: 'The secret of that client.',
    secret: true,
  },
  DRAGOMAN_OIDC_NAME: {
    default: 'the host name of the issuer',
    wants: '1 to 60 characters',
    says: 'What the button on the sign-in page calls the provider.',
  },
  DRAGOMAN_OIDC_SCOPES: {
    default: '`openid profile email`',
    wants: 'scopes separated by spaces, one of them openid',
    says: 'The scopes that the hub asks the provider for.',
  },
  DRAGOMAN_OIDC_CLAIM: {
    default: '`groups`',
    wants: 'the name of a claim',
    says: 'The claim that decides which roles a person has: a string or a list of strings.',
  },
  DRAGOMAN_OIDC_ROLES: {
    default: 'none: admins give people their roles in the console',
    wants: 'VALUE=ROLE@SITE or VALUE=operator, separated by commas; * for everybody',
    says: 'Which value of that claim gives which role, such as `loc-team=manager@main, *=viewer@main`. At each sign-in, these roles replace the ones that the person had.',
  },
  DRAGOMAN_TRUST_PROXY: {
    default: '`false`',
    wants:
      'true, false, or addresses, networks, loopback, linklocal, uniquelocal, separated by commas',
    says: "Proxies whose X-Forwarded headers are trusted. true trusts every caller: use it only if nothing but the proxy can reach the hub's port.",
  },
  DRAGOMAN_LISTENER_ALLOW: {
    default: 'none; loopback in the sandbox',
    wants: 'addresses or networks (10.1.0.0/16, fd00::/8), separated by commas',
    says: 'Private networks that outgoing calls (to listeners and translation engines) may reach. All others are blocked.',
  },
  DRAGOMAN_STRICT_DELIVERIES: {
    default: 'none',
    wants: 'names of sites separated by commas, or all',
    says: 'Sites on which the hub refuses a translation with missing or extra keys, units, placeholders or tags, or with a BLOCKING finding of a check (422 DELIVERY_INVALID). On other sites the hub accepts it with warnings.',
  },
  DRAGOMAN_SITE_BYTES: {
    default: '`1TiB`',
    wants: 'a size of at least 1MiB, such as 512MiB or 4GiB',
    says: 'Default of the quota MaxBytesPerSite: how many bytes the files, inline content and metadata of one site may use. `dragoman clients set --quota` overrides it for one client.',
  },
  DRAGOMAN_FREE_SPACE: {
    default: '5 % of the disk, at most 1GiB',
    wants: 'a size such as 0, 512MiB or 4GiB',
    says: 'Minimum free space on the disk that holds the files. Below it, the hub refuses uploads (503); everything else keeps working.',
  },
  DRAGOMAN_RATE_LIMIT: {
    default: '`20` in production, `10` in staging, `off` in the sandbox',
    wants: 'a whole number from 1 to 100000, or off',
    says: "Calls per second from one address. A burst may use up one second's calls. Transfers of file bytes, the console's page and its static files, `/docs` and health checks do not count.",
  },
  DRAGOMAN_CLIENT_RATE_LIMIT: {
    default: '`off`',
    wants: 'a whole number from 1 to 100000, or off',
    says: 'Calls per second from one client, from all its addresses together. `dragoman clients set --rate-limit` overrides it for one client.',
  },
  DRAGOMAN_CONNECTIONS: {
    default: '`5000`',
    wants: 'a whole number from 10 to 1000000',
    says: 'Maximum number of open connections. The hub closes further ones immediately.',
  },
  DRAGOMAN_CONNECTIONS_PER_ADDRESS: {
    default: '`250`; `off` in the sandbox',
    wants: 'a whole number from 1 to 1000000, or off',
    says: 'Maximum number of open connections from one address (for IPv6, from one /64 network). The proxies in DRAGOMAN_TRUST_PROXY are exempt.',
  },
  DRAGOMAN_TOKEN_SECONDS: {
    default: '`3600`',
    wants: 'a whole number from 1 to 86400',
    says: 'How long a token is valid.',
  },
  DRAGOMAN_ARCHIVE_AFTER: {
    default: '`6mo`',
    wants: 'a duration such as 90s 5m 2h 3d 6mo 1y',
    says: 'The hub archives a job this long after its last activity.',
  },
  DRAGOMAN_RETENTION_MONTHS: {
    default: 'none',
    wants: 'a whole number from 1 to 1200',
    says: 'The hub removes a job with its files this many months after archiving it. If unset, archived jobs stay.',
  },
  DRAGOMAN_TRANSFER_LIFE: {
    default: '`24h`',
    wants: 'a duration such as 90s 5m 2h 3d 6mo 1y',
    says: 'An unfinished upload expires this long after its last byte.',
  },
  DRAGOMAN_DOWNLOAD_LIFE: {
    default: '`15m`',
    wants: 'a duration such as 90s 5m 2h 3d 6mo 1y',
    says: 'How long a download URL is valid.',
  },
  DRAGOMAN_SOAP_NAMESPACE: {
    default: '`urn:dragoman:project-settings`',
    wants: 'an absolute URI without spaces; a trailing slash is not doubled in a SOAPAction',
    says: 'Message namespace of the project settings service.',
  },
  DRAGOMAN_SCOPE_ALIASES: {
    default:
      'none; in the sandbox, `contentapi.contentv2.*=content, contentapi.providerv2.*=provider`',
    wants: 'pairs such as their.scope.*=content, their.vendor=provider',
    says: 'Other names for scopes, for existing clients that request scopes by those names.',
  },
  DRAGOMAN_CORS_ORIGINS: {
    default: 'none; in the sandbox, pages on loopback may call too',
    wants: 'origins such as https://app.example.org, separated by commas',
    says: 'Origins of web pages that may call the hub from a browser.',
  },
  DRAGOMAN_ISSUER: {
    default: 'none',
    wants: 'an http or https URL, exactly as in the iss claim',
    says: 'An external issuer whose tokens the hub also accepts. Requires DRAGOMAN_ISSUER_JWKS and DRAGOMAN_ISSUER_AUDIENCE.',
  },
  DRAGOMAN_ISSUER_JWKS: {
    default: 'none',
    wants: 'an https URL (http only for loopback or in the sandbox)',
    says: "URL of that issuer's keys.",
  },
  DRAGOMAN_ISSUER_AUDIENCE: {
    default: 'none',
    wants: 'text without spaces',
    says: "The aud claim that this issuer's tokens must have.",
  },
  DRAGOMAN_ISSUER_CLAIMS: {
    default: '`site=site,client=client_id,scope=scope`',
    wants: 'site=NAME,client=NAME,scope=NAME, each at most once',
    says: 'The claims that hold the site, the client and the scopes.',
  },
  DRAGOMAN_DRAIN_DELAY: {
    default: '`5s`; `0s` in the sandbox',
    wants: 'seconds from 0s to 15s',
    says: 'How long the hub keeps accepting calls after a stop signal while /readyz returns 503, so that a load balancer can stop sending it traffic.',
  },
  DRAGOMAN_LOG_LEVEL: {
    default: '`info`',
    wants: 'fatal, error, warn, info, debug, trace or silent',
    says: 'Minimum level of log lines. Logs are JSON lines on standard error.',
  },
  DRAGOMAN_CALL_LOG_BYTES: {
    default: '`1GiB`',
    wants: 'a size of at least 1MiB, such as 512MiB or 4GiB',
    says: 'Approximate size limit of the call log in the database. The oldest rows are removed first. The hub keeps at most a million rows, each for at most 7 days.',
  },
  DRAGOMAN_AUDIT_ROWS: {
    default: '`1000000`',
    wants: 'a whole number from 1000 to 100000000',
    says: 'Maximum number of rows in the audit log. The oldest are removed first. The hub keeps a row for at most a year.',
  },
  DRAGOMAN_BACKUP_EXPECTED: {
    default: 'none',
    wants: 'a duration such as 90s 5m 2h 3d 6mo 1y',
    says: 'How often you run `dragoman backup`. If the last backup is older than this, or there is none, `dragoman findings` reports it.',
  },
  DRAGOMAN_METRICS: {
    default: 'none; in the sandbox `/metrics` is on the main address',
    wants: 'HOST:PORT ([::1]:9464 for IPv6)',
    says: 'A second address that serves /metrics. Anyone who can reach it can read the metrics.',
  },
} as const satisfies Record<string, KeyRow>

export type ConfigKey = keyof typeof configKeys

/** docs/config.md. */
export function configPage(): string {
  const rows = Object.entries<KeyRow>(configKeys).map(
    ([name, row]) => `| ${name} | ${row.default} | ${row.wants} | ${row.says} |`,
  )
  return `# Configuration

Generated by \`npm run generate\` from \`packages/server/src/config/config-keys.ts\`; do not edit.

Set each key as an environment variable, or as a key in the YAML or JSON file that \`DRAGOMAN_CONFIG\` names; the environment
wins. An empty value counts as unset. If a \`DRAGOMAN_\` key is unknown or a value invalid, the hub does not start and names it.

| Key | Default | Accepts | Meaning |
|---|---|---|---|
${rows.join('\n')}

## What staging and production refuse

- A bootstrap secret that is well known, the same as the client's id, or shorter than 16 characters.
- A master key that is not random.
- A database created by the sandbox: its demo clients have well-known secrets. (The sandbox, in turn, refuses a database of theirs.)
- An OpenID provider over plain http on another machine.
- Keys of an external issuer fetched over plain http from another machine.
- Listening on an address that others can reach (DRAGOMAN_HOST) without DRAGOMAN_PUBLIC_URL or DRAGOMAN_HOSTS: responses would repeat any host name that a caller sends.

## What every profile refuses

- PostgreSQL without DRAGOMAN_MASTER_KEY.
- A database whose secrets were encrypted with another master key.
- A second node on the same SQLite database.
- A database that a newer version has already migrated.
`
}
