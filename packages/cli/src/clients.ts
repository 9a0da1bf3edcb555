/** `dragoman clients`: who may call the hub. Works beside a running hub, which follows within half a minute. */
import { parseDuration, type Scope } from '@dragoman/contract/wire'
import { addHelp, changeHelp, listHelp, overviewHelp, rotateHelp } from './clients-help.ts'
import { type Command, readArgs, UsageError } from './command.ts'
import { showClients, showSecret } from './show.ts'

type Change = 'disable' | 'enable' | 'remove'

const add: Command = {
  says: 'add a client, and its site when that is new',
  help: addHelp,
  run: async (args, screen) => {
    const { values } = readArgs({
      args,
      options: {
        site: { type: 'string' },
        id: { type: 'string' },
        secret: { type: 'string' },
        scope: { type: 'string', multiple: true },
        provider: { type: 'string', multiple: true },
        'page-format': { type: 'string' },
        json: { type: 'boolean' },
      },
    })
    const { site, id, scope, provider = [], 'page-format': pageFormat = 'full' } = values
    if (site === undefined || id === undefined || scope === undefined)
      throw new UsageError('A client needs --site, --id and --scope.')
    if (pageFormat !== 'full' && pageFormat !== 'plain') throw new UsageError('--page-format is full or plain.')
    const scopes = scope.flatMap((list) => list.split(/[\s,]+/)).filter((name) => name !== '') as Scope[]
    const secret = await readSecret(values.secret)
    const input = { siteId: site, clientId: id, scopes, providerIds: provider, pageFormat, ...secret } as const
    const { enrolClient, withHub } = await import('@dragoman/server/commands')
    const made = await withHub(screen.env, (hub) => enrolClient(hub, input))
    if (values.json) screen.out(JSON.stringify(made, null, 2))
    else {
      const where = made.newSite ? `the new site ${site}` : `site ${site}`
      screen.out(`Client ${id} was added to ${where}, with the scopes ${made.scopes.join(', ')}.`)
      showSecret(screen, id, made.secret)
    }
    return 0
  },
}

const list: Command = {
  says: 'list the clients',
  help: listHelp,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: { site: { type: 'string' }, json: { type: 'boolean' } } })
    const { listClients, withHub } = await import('@dragoman/server/commands')
    const found = await withHub(screen.env, (hub) => listClients(hub, values.site))
    showClients(screen, found, values.json ? 'json' : 'table')
    return 0
  },
}

const rotate: Command = {
  says: 'give a client a new secret; the old one goes on for a while',
  help: rotateHelp,
  run: async (args, screen) => {
    const options = { id: { type: 'string' }, secret: { type: 'string' }, overlap: { type: 'string' } } as const
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { ...options, json: { type: 'boolean' } },
    })
    const id = readId(values.id, positionals)
    const overlap = parseDuration(values.overlap ?? '24h')
    if (!overlap) throw new UsageError(`--overlap is a duration like 90s, 5m, 2h or 3d, not "${values.overlap}".`)
    const asked = { overlap, ...(await readSecret(values.secret)) }
    const { rotateSecret, withHub } = await import('@dragoman/server/commands')
    const { secret, oldUntil } = await withHub(screen.env, (hub) => rotateSecret(hub, id, asked))
    const until = new Date(oldUntil).toISOString()
    if (values.json) screen.out(JSON.stringify({ clientId: id, secret, oldSecretsUntil: until }, null, 2))
    else {
      screen.out(`Client ${id} has a new secret; the old one works until ${until}.`)
      showSecret(screen, id, secret)
    }
    return 0
  },
}

const change = (name: Change, says: string, done: string): Command => ({
  says,
  help: changeHelp(name, says),
  run: async (args, screen) => {
    const options = { id: { type: 'string' }, json: { type: 'boolean' } } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const clientId = readId(values.id, positionals)
    const verbs = await import('@dragoman/server/commands')
    const verb = { disable: verbs.disableClient, enable: verbs.enableClient, remove: verbs.dismissClient }[name]
    await verbs.withHub(screen.env, (hub) => verb(hub, clientId))
    screen.out(values.json ? JSON.stringify({ clientId, [name]: true }) : `Client ${clientId} ${done}`)
    return 0
  },
})

const verbs: Readonly<Record<string, Command>> = {
  add,
  list,
  rotate,
  disable: change(
    'disable',
    'refuse a client and its tokens',
    'is disabled; its tokens are refused within half a minute.',
  ),
  enable: change('enable', 'let a disabled client in again', 'is enabled.'),
  remove: change(
    'remove',
    'remove a client; its jobs stay',
    'was removed; its tokens are refused within half a minute.',
  ),
}

export const clients: Command = {
  says: 'add, list, rotate, disable, enable and remove clients',
  help: overviewHelp(verbs),
  verbs,
  run: async () => {
    throw new UsageError(`Say what to do with clients: ${Object.keys(verbs).join(', ')}.`)
  },
}

function readId(option: string | undefined, positionals: readonly string[]): string {
  const ids = [...(option === undefined ? [] : [option]), ...positionals]
  if (ids.length !== 1 || !ids[0]) throw new UsageError('Name one client with --id.')
  return ids[0]
}

/** `-` reads it from standard input, where no list of processes shows it. */
async function readSecret(option: string | undefined): Promise<{ secret?: string }> {
  if (option === undefined) return {}
  if (option !== '-') return { secret: option }
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return {
    secret: Buffer.concat(chunks)
      .toString()
      .replace(/\r?\n$/, ''),
  }
}
