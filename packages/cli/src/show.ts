import type { Client } from '@dragoman/server/commands'
import type { Screen } from './command.ts'

export function showSecret(screen: Screen, clientId: string, secret: string): void {
  screen.out(
    `\n  client_id      ${clientId}\n  client_secret  ${secret}\n\nSave the secret now: it is not shown again.`,
  )
  if (secret.length < 16)
    screen.err('This secret is short and could be guessed; omit --secret to generate a strong one.')
}

export function showClients(
  screen: Screen,
  clients: readonly Client[],
  as: 'json' | 'table',
): void {
  if (as === 'json') screen.out(JSON.stringify(clients.map(toWire), null, 2))
  else if (clients.length === 0)
    screen.out('There are no clients; add one with dragoman clients add.')
  else for (const line of table(clients)) screen.out(line)
}

const time = (ms: number): string => new Date(ms).toISOString()

function toWire({ createdAt, disabledAt, secrets, ...rest }: Client) {
  return {
    ...rest,
    createdDate: time(createdAt),
    ...(disabledAt === undefined ? {} : { disabledDate: time(disabledAt) }),
    secrets: secrets.map((secret) => ({
      createdDate: time(secret.createdAt),
      ...(secret.expiresAt === undefined ? {} : { expiryDate: time(secret.expiresAt) }),
    })),
  }
}

function table(clients: readonly Client[]): string[] {
  const cells = clients.map((client) => [
    client.siteId,
    client.clientId,
    client.scopes.join(','),
    client.disabled ? 'disabled' : 'enabled',
    time(client.createdAt).slice(0, 10),
    client.providerIds.join(','),
  ])
  const rows = [['SITE', 'CLIENT', 'SCOPES', 'STATE', 'CREATED', 'PROVIDERS'], ...cells]
  const widths =
    rows[0]?.map((_, column) =>
      rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
    ) ?? []
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
