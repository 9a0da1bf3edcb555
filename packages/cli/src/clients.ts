/**
 * `dragoman clients`: manages the hub's clients. It works on the database beside a running hub,
 * which applies changes within five seconds, or with --hub by calls to a running hub.
 */
import { buffer } from 'node:stream/consumers'
import { type ClientChange, parseDuration, type Scope } from '@dragoman/contract/wire'
import { readThumbprints } from './certificates.ts'
import { addHelp, changeHelp, listHelp, rotateHelp, setHelp, theHub } from './clients-help.ts'
import {
  type Command,
  many,
  readArgs,
  type Screen,
  text,
  UsageError,
  verbsOnly,
} from './command.ts'
import { type AtHub, atHub, clientsOver, isLocal, show } from './operating/clients-over-http.ts'
import { showClients, showSecret } from './show.ts'

type Change = 'disable' | 'enable' | 'remove'

const verbsOf = async (values: AtHub, screen: Screen) =>
  isLocal(values)
    ? (await import('@dragoman/server/commands')).clientsOf(screen.env)
    : clientsOver(values, screen)

/**
 * In the wrong folder, or without its settings, the client would be added to a hub that nobody
 * runs.
 */
async function warnOfNewHub(screen: Screen): Promise<void> {
  const { newDatabaseOf } = await import('@dragoman/server/commands')
  const path = newDatabaseOf(screen.env)
  if (path !== undefined)
    screen.err(
      `There is no database at ${path}: a new hub is created there. For another hub, set DRAGOMAN_DATA or DRAGOMAN_CONFIG, or use --hub.`,
    )
}

const add: Command = {
  says: 'add a client, and its site if it is new',
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
        certificate: { type: 'string', multiple: true },
        ...atHub,
      },
    })
    const { site, id, scope, provider = [], 'page-format': pageFormat = 'full' } = values
    const certificates = readThumbprints(values.certificate ?? [])
    if (id === undefined || scope === undefined)
      throw new UsageError('A client needs --id and --scope.')
    if (pageFormat !== 'full' && pageFormat !== 'plain')
      throw new UsageError('--page-format must be full or plain.')
    const scopes = scope
      .flatMap((list) => list.split(/[\s,]+/))
      .filter((name) => name !== '') as Scope[]
    if (site === undefined && !scopes.includes('operator'))
      throw new UsageError('A client needs --site, unless it is an operator.')
    const secret = await readSecret(values.secret)
    const input = {
      siteId: site ?? '',
      clientId: id,
      scopes,
      providerIds: provider,
      pageFormat,
      certificates,
      ...secret,
    } as const
    if (isLocal(values)) await warnOfNewHub(screen)
    const made = await (await verbsOf(values, screen)).add(input)
    if (values.json)
      screen.out(JSON.stringify({ ...made, secret: made.secret || undefined }, null, 2))
    else {
      const where =
        site === undefined ? '' : made.newSite ? ` to the new site ${site}` : ` to site ${site}`
      screen.out(`Client ${id} was added${where}, with the scopes ${made.scopes.join(', ')}.`)
      if (made.secret === '') screen.out('It authenticates with its certificate and has no secret.')
      else showSecret(screen, id, made.secret)
    }
    return 0
  },
}

const list: Command = {
  says: 'list the clients',
  help: listHelp,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: { site: { type: 'string' }, ...atHub } })
    const found = await (await verbsOf(values, screen)).list(values.site)
    showClients(screen, found, values.json ? 'json' : 'table')
    return 0
  },
}

const rotate: Command = {
  says: 'give a client a new secret; the old one works for a while',
  help: rotateHelp,
  run: async (args, screen) => {
    const options = {
      id: { type: 'string' },
      secret: { type: 'string' },
      overlap: { type: 'string' },
    } as const
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { ...options, ...atHub },
    })
    const id = readId(values.id, positionals)
    const overlap = parseDuration(values.overlap ?? '24h')
    if (!overlap)
      throw new UsageError(
        `--overlap must be a duration like 90s, 5m, 2h or 3d, not "${values.overlap}".`,
      )
    const asked = { overlap, ...(await readSecret(values.secret)) }
    const { secret, oldUntil } = await (await verbsOf(values, screen)).rotate(id, asked)
    const until = new Date(oldUntil).toISOString()
    if (values.json)
      screen.out(JSON.stringify({ clientId: id, secret, oldSecretsUntil: until }, null, 2))
    else {
      screen.out(`Client ${id} has a new secret; the old one works until ${until}.`)
      showSecret(screen, id, secret)
    }
    return 0
  },
}

const set: Command = {
  says: 'change scopes, providers, page format, quotas, rate, networks and certificates of a client',
  help: setHelp,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: {
        id: text,
        scope: many,
        provider: many,
        'page-format': text,
        quota: many,
        'rate-limit': text,
        'allow-from': many,
        certificate: many,
        ...atHub,
      },
    })
    const id = readId(values.id, positionals)
    const change = changeOf(values)
    if (Object.keys(change).length === 0)
      throw new UsageError('Specify what to change, for example --quota MaxReqsPerJob=5000.')
    const changed = await (await verbsOf(values, screen)).set(id, change)
    screen.out(
      values.json
        ? JSON.stringify(changed, null, 2)
        : `Client ${id} was changed; the change takes effect within five seconds.`,
    )
    return 0
  },
}

type SetValues = {
  scope?: string[]
  provider?: string[]
  'page-format'?: string
  quota?: string[]
  'rate-limit'?: string
  'allow-from'?: string[]
  certificate?: string[]
}

function changeOf(values: SetValues): ClientChange {
  const pageFormat = values['page-format']
  if (pageFormat !== undefined && pageFormat !== 'full' && pageFormat !== 'plain')
    throw new UsageError('--page-format must be full or plain.')
  const rate = values['rate-limit']
  const listed = (lists: readonly string[]) =>
    lists.flatMap((list) => list.split(/[\s,]+/)).filter((one) => one !== '')
  const networks =
    values['allow-from'] && listed(values['allow-from']).filter((one) => one !== 'any')
  return {
    ...(values.scope && { scopes: listed(values.scope) as Scope[] }),
    ...(values.provider && { providers: listed(values.provider).filter((one) => one !== 'none') }),
    ...(pageFormat && { pageFormat }),
    ...(values.quota && { quotas: Object.fromEntries(values.quota.map(readQuota)) }),
    ...(rate === undefined
      ? {}
      : { rateLimit: rate === 'default' ? 0 : readWhole('--rate-limit', rate) }),
    ...(networks && { allowFrom: networks }),
    ...(values.certificate && { certificates: readThumbprints(values.certificate) }),
  }
}

function readQuota(text: string): [string, number | null] {
  const [name = '', value = ''] = text.split('=')
  return [name, value === 'default' ? null : readWhole('--quota', value)]
}

function readWhole(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`${option} takes a whole number or "default", not "${text}".`)
  return Number(text)
}

const change = (name: Change, says: string, done: string): Command => ({
  says,
  help: changeHelp(name, says),
  run: async (args, screen) => {
    const options = { id: { type: 'string' }, ...atHub } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const clientId = readId(values.id, positionals)
    await (await verbsOf(values, screen))[name](clientId)
    screen.out(
      values.json ? JSON.stringify({ clientId, [name]: true }) : `Client ${clientId} ${done}`,
    )
    return 0
  },
})

const verbs: Readonly<Record<string, Command>> = {
  add,
  list,
  show,
  set,
  rotate,
  disable: change(
    'disable',
    'refuse a client and its tokens',
    'is disabled; its tokens are refused within five seconds.',
  ),
  enable: change('enable', 'enable a disabled client', 'is enabled.'),
  remove: change(
    'remove',
    'remove a client; its jobs stay',
    'was removed; its tokens are refused within five seconds.',
  ),
}

export const clients = verbsOnly(
  'clients',
  'add, list, show, change, rotate, disable, enable and remove clients',
  verbs,
  `${theHub}\n`,
)

function readId(option: string | undefined, positionals: readonly string[]): string {
  const ids = [...(option === undefined ? [] : [option]), ...positionals]
  if (ids.length !== 1 || !ids[0]) throw new UsageError('Specify one client with --id.')
  return ids[0]
}

/** `-` reads it from standard input, which process lists do not show. */
async function readSecret(option: string | undefined): Promise<{ secret?: string }> {
  if (option === undefined) return {}
  if (option !== '-') return { secret: option }
  const given = (await buffer(process.stdin)).toString()
  return { secret: given.replace(/\r?\n$/, '') }
}
