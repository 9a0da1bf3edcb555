/**
 * `dragoman clients --hub`: the same command through calls to a running hub instead of on its
 * database; and `clients show`.
 */
import { type ClientChange, formatDuration, type Client as Shown } from '@dragoman/contract/wire'
import type { Client, ClientVerbs } from '@dragoman/server/commands'
import { showHelp } from '../clients-help.ts'
import { type Command, readArgs, type Screen, UsageError } from '../command.ts'
import { json } from '../table.ts'
import { type ReachFlags, reach } from './reach.ts'

/**
 * With --hub, which client calls: an admin of a site or an operator. --local is the default without
 * --hub.
 */
export const atHub = {
  hub: { type: 'string' },
  'client-id': { type: 'string' },
  local: { type: 'boolean' },
  json: { type: 'boolean' },
} as const
export type AtHub = { hub?: string; 'client-id'?: string; local?: boolean }

export function isLocal({ hub, local }: AtHub): boolean {
  if (local && hub !== undefined) throw new UsageError('Use --local or --hub, not both.')
  return hub === undefined
}

export function clientsOver(flags: ReachFlags, screen: Screen): ClientVerbs {
  const change = (clientId: string, body: ClientChange) =>
    reach(flags, screen, (hub) => hub.call('changeClient', { params: { clientId }, body }))
  return {
    add: ({ siteId, providerIds, secret, since, ...rest }) => {
      mustBeUnset(secret)
      const body = {
        ...rest,
        ...(siteId && { siteId }),
        ...(providerIds?.length && { providers: providerIds }),
      }
      return reach(flags, screen, async (hub) => {
        const { clientSecret = '', providers, ...made } = await hub.call('createClient', { body })
        return { ...made, providerIds: providers, newSite: false, secret: clientSecret }
      })
    },
    list: (siteId) =>
      reach(flags, screen, async (hub) => {
        const found: Client[] = []
        for await (const client of hub.each('listClients', {
          query: siteId === undefined ? {} : { siteId },
        }))
          found.push(asListed(client))
        return found
      }),
    rotate: (clientId, { secret, overlap }) => {
      mustBeUnset(secret)
      const body = overlap ? { overlap: formatDuration(overlap) } : {}
      return reach(flags, screen, async (hub) => {
        const made = await hub.call('rotateClientSecret', { params: { clientId }, body })
        return { secret: made.clientSecret, oldUntil: Date.parse(made.oldSecretsUntil) }
      })
    },
    set: change,
    disable: async (clientId) => void (await change(clientId, { disabled: true })),
    enable: async (clientId) => void (await change(clientId, { disabled: false })),
    remove: (clientId) =>
      reach(
        flags,
        screen,
        async (hub) => void (await hub.call('deleteClient', { params: { clientId } })),
      ),
  }
}

function mustBeUnset(secret: string | undefined): void {
  if (secret !== undefined)
    throw new UsageError('With --hub, the hub generates the secret; omit --secret.')
}

/**
 * In the form in which clients in the database are listed. A call does not say when a client was
 * disabled.
 */
const asListed = (client: Shown): Client => ({
  clientId: client.clientId,
  siteId: client.siteId,
  scopes: client.scopes,
  providerIds: client.providers,
  pageFormat: client.pageFormat,
  certificates: client.certificates,
  createdAt: Date.parse(client.createdDate),
  disabled: client.disabled,
  secrets: client.secrets.map(({ createdDate, expiryDate }) => ({
    createdAt: Date.parse(createdDate),
    ...(expiryDate === undefined ? {} : { expiresAt: Date.parse(expiryDate) }),
  })),
})

export const show: Command = {
  says: 'show one client, with when it last called',
  help: showHelp,
  run: async (args, screen) => {
    const options = { id: { type: 'string' }, ...atHub } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const [clientId, ...more] = [...(values.id === undefined ? [] : [values.id]), ...positionals]
    if (!clientId || more.length > 0) throw new UsageError('Specify one client with --id.')
    const flags = isLocal(values) ? { local: true } : values
    const client = await reach(flags, screen, (hub) =>
      hub.call('findClient', { params: { clientId } }),
    )
    if (values.json) screen.out(json(client))
    else for (const line of linesOf(client)) screen.out(line)
    return 0
  },
}

function linesOf(client: Shown): string[] {
  const facts: readonly (readonly [string, string])[] = [
    ['client', client.clientId],
    ['site', client.siteId || '(none: an operator)'],
    ['scopes', client.scopes.join(', ')],
    ['state', client.disabled ? 'disabled' : 'enabled'],
    ['created', client.createdDate],
    ['last used', client.lastUsedDate ?? 'never'],
    ['providers', client.providers.join(', ')],
    [
      'quotas',
      Object.entries(client.quotas)
        .map(([name, value]) => `${name}=${value}`)
        .join(', '),
    ],
    ['networks', client.allowFrom.join(', ')],
    ['certificates', client.certificates.join(', ')],
    [
      'secrets',
      client.secrets
        .map((one) => `made ${one.createdDate}${one.expiryDate ? `, ends ${one.expiryDate}` : ''}`)
        .join('; '),
    ],
  ]
  return facts.flatMap(([name, value]) => (value === '' ? [] : [`${name.padEnd(12)}  ${value}`]))
}
