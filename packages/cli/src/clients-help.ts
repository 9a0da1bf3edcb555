/** The help pages of `dragoman clients`. */
import type { Command } from './command.ts'

const theHub =
  'Works on the hub that the environment names (DRAGOMAN_DATA or DRAGOMAN_DATABASE_URL), also while it runs.'

export function overviewHelp(verbs: Readonly<Record<string, Command>>): string {
  const lines = Object.entries(verbs).map(([name, { says }]) => `  ${name.padEnd(8)} ${says}`)
  return `Usage: dragoman clients VERB [OPTION]…

${lines.join('\n')}

${theHub}
dragoman clients VERB --help tells more.`
}

export const addHelp = `Usage: dragoman clients add --site NAME --id ID --scope SCOPE[,SCOPE]… [OPTION]…

Adds a client: credentials with which a program gets tokens. The site comes into being with its first client.

  --site NAME           the site (tenant)
  --id ID               the client id, unique over all sites
  --scope LIST          content (connector side), provider (provider side), settings, admin (everything of the site)
  --secret SECRET       its secret; - reads it from standard input; without it one is generated and shown once
  --provider ID         a provider that the client owns (scope provider); may be repeated
  --page-format FORMAT  full (default) or plain: pages with the two members of the specification only
  --certificate WHICH   a certificate by which it proves itself: its SHA-256 thumbprint, or a PEM file; may be repeated.
                        It must show one then, and has no secret unless --secret gives it one
  --json                print JSON

${theHub}`

export const listHelp = `Usage: dragoman clients list [--site NAME] [--json]

Lists the clients of one site or of all, never their secrets.

${theHub}`

export const setHelp = `Usage: dragoman clients set --id ID [OPTION]…

Changes what a client may do. What is not named stays.

  --scope LIST          its scopes from now on
  --provider LIST       the providers that it owns from now on; none for none
  --page-format FORMAT  full or plain
  --quota NAME=VALUE    raises or lowers a quota (MaxReqsPerJob=5000); NAME=default takes it back; may be repeated
  --rate-limit N        calls a second from all addresses together; default: as the hub is configured
  --allow-from LIST     networks that it may call from (192.0.2.0/24); any: from anywhere
  --certificate WHICH   the certificates by which it proves itself from now on (thumbprints or PEM files); none for none
  --json                print JSON

${theHub}`

export const rotateHelp = `Usage: dragoman clients rotate --id ID [--secret SECRET] [--overlap DURATION] [--json]

Gives the client a new secret. The old one goes on working for the overlap, so that it can be changed where it is used.

  --secret SECRET     the new secret; - reads it from standard input; without it one is generated and shown once
  --overlap DURATION  90s, 5m, 2h, 3d; 24h unless given; 0s ends the old one at once
  --json              print JSON

${theHub}`

export const changeHelp = (name: string, says: string): string => `Usage: dragoman clients ${name} --id ID [--json]

${says[0]?.toUpperCase()}${says.slice(1)}.

${theHub}`
