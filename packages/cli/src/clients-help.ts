/** The help pages of `dragoman clients`. */

export const theHub = `Works on the database of the hub set in the environment (DRAGOMAN_DATA or DRAGOMAN_DATABASE_URL), also while it
runs; --local does the same explicitly. With --hub URL it calls that hub instead, as the client of --client-id or HUB_CLIENT_ID, an admin of a site or an
operator; set its secret in HUB_CLIENT_SECRET. The hub then generates secrets itself and does not let you remove the last admin of a site.`

export const addHelp = `Usage: dragoman clients add [--site NAME] --id ID --scope SCOPE[,SCOPE]… [OPTION]…

Adds a client: credentials that a program exchanges for tokens. Adding the first client of a site creates the site.

  --site NAME           the site (tenant); an operator has none
  --id ID               the client id, unique across all sites
  --scope LIST          content (connector API), provider (provider API), settings, admin (everything in the site),
                        operator (the hub as a whole, no site)
  --secret SECRET       the secret; - reads it from standard input; by default, one is generated and printed once
  --provider ID         a provider that the client owns (scope provider); repeatable
  --page-format FORMAT  full (default) or plain: pages with only the two fields of the specification
  --certificate WHICH   a certificate it authenticates with: its SHA-256 thumbprint, or a PEM file; repeatable.
                        The client must then present one, and has no secret unless --secret sets one
  --json                print JSON

${theHub}`

export const listHelp = `Usage: dragoman clients list [--site NAME] [--json]

Lists the clients of one site or of all sites, without their secrets.

${theHub}`

export const showHelp = `Usage: dragoman clients show --id ID [--json]

Shows one client: what it may do, its quotas, when it last called and when its secrets end.

${theHub}`

export const setHelp = `Usage: dragoman clients set --id ID [OPTION]…

Changes what a client may do. Options you omit stay unchanged.

  --scope LIST          its new scopes
  --provider LIST       the providers it owns; none to remove all
  --page-format FORMAT  full or plain
  --quota NAME=VALUE    sets a quota (MaxReqsPerJob=5000); NAME=default resets it; repeatable
  --rate-limit N        calls per second from all addresses together; default resets it
  --allow-from LIST     networks it may call from (192.0.2.0/24); any for anywhere
  --certificate WHICH   the certificates it authenticates with (thumbprints or PEM files); none to remove all
  --json                print JSON

${theHub}`

export const rotateHelp = `Usage: dragoman clients rotate --id ID [--secret SECRET] [--overlap DURATION] [--json]

Gives the client a new secret. The old one works for the overlap, so that you have time to replace it.

  --secret SECRET     the new secret; - reads it from standard input; by default, one is generated and printed once
  --overlap DURATION  90s, 5m, 2h, 3d; default 24h; 0s ends the old one immediately
  --json              print JSON

${theHub}`

export const changeHelp = (
  name: string,
  says: string,
): string => `Usage: dragoman clients ${name} --id ID [--json]

${says[0]?.toUpperCase()}${says.slice(1)}.

${theHub}`
