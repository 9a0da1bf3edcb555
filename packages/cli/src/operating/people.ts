/** `dragoman people`: who may use the console, their sessions, and links to sign in with. */
import { type Role, roles } from '@dragoman/contract/wire'
import { type Command, readArgs, type Screen, text, UsageError, verbsOnly } from '../command.ts'
import { json } from '../table.ts'
import { listCommand } from './list-command.ts'
import { moment } from './moment.ts'
import { reach, reachHelp, reachOptions } from './reach.ts'

const siteFilter = { query: 'siteId', shown: 'NAME', says: 'only people with a role in this site' }

const list = listCommand({
  name: 'people list',
  says: 'list the people of the console with their roles',
  about: 'Lists the people who may use the console, newest first, with their roles in each site.',
  call: 'listPeople',
  filters: { site: siteFilter },
  columns: [
    { title: 'PERSON', of: (person) => person.personId },
    { title: 'NAME', of: (person) => person.name },
    { title: 'E-MAIL', of: (person) => person.email ?? '' },
    { title: 'ROLES', of: (person) => person.sites.flatMap(rolesAt).join(', ') },
    { title: 'SIGNS IN BY', of: (person) => person.signsInBy.join(', ') || '(not yet)' },
    {
      title: 'LAST SIGN-IN',
      of: (person) => (person.lastSignInDate ? moment(person.lastSignInDate) : 'never'),
    },
    { title: 'STATE', of: (person) => (person.disabled ? 'disabled' : '') },
  ],
  none: 'There are no people yet; dragoman people link --role admin prints a link for the first one.',
})

type Held = {
  readonly siteId: string
  readonly roles: readonly string[]
  readonly providers?: readonly string[]
  readonly languages?: readonly string[]
}
const rolesAt = ({ siteId, roles, providers, languages }: Held): string[] => [
  ...roles.map((role) => (siteId === '' ? role : `${role}@${siteId}`)),
  ...(providers
    ? [`of ${providers.join(' ')}${languages ? ` into ${languages.join(' ')}` : ''}`]
    : []),
]

const several = { ...text, multiple: true } as const
const roleOptions = { role: several, provider: several, language: several, site: text } as const
const roleHelp = `  --role LIST      ${roles.join(', ')}
  --provider LIST  with translator, reviewer or provider-manager: they see only the work of these providers
  --language LIST  and only work into these languages`

const listed = (given: readonly string[] = []): string[] =>
  given.flatMap((one) => one.split(/[\s,]+/)).filter((name) => name !== '')

type RoleValues = {
  readonly role?: string[]
  readonly provider?: string[]
  readonly language?: string[]
}

/** The roles, providers and languages that the options name. */
function rolesIn({ role, provider, language }: RoleValues) {
  const named = listed(role)
  const unknown = named.find((name) => !roles.includes(name as Role))
  if (unknown !== undefined)
    throw new UsageError(`Unknown role "${unknown}"; the roles are ${roles.join(', ')}.`)
  const [providers, languages] = [listed(provider), listed(language)]
  return {
    roles: named as Role[],
    ...(providers.length > 0 && { providers }),
    ...(languages.length > 0 && { languages }),
  }
}

const sessions = listCommand({
  name: 'people sessions',
  says: 'list the open sessions of the console',
  about:
    'Lists the open sessions of the console, newest first: whose they are, from where, and when they end.',
  call: 'listSessions',
  filters: {
    person: { query: 'personId', shown: 'ID', says: 'only those of this person' },
    site: siteFilter,
  },
  columns: [
    { title: 'SESSION', of: (session) => session.sessionId },
    { title: 'NAME', of: (session) => session.name },
    { title: 'ADDRESS', of: (session) => session.address },
    { title: 'BEGAN', of: (session) => moment(session.createdDate) },
    { title: 'LAST USED', of: (session) => moment(session.lastUsedDate) },
    { title: 'ENDS', of: (session) => moment(session.expiryDate) },
  ],
  none: 'Nobody is signed in.',
})

const end: Command = {
  says: 'end a session immediately',
  help: `Usage: dragoman people end SESSION [OPTION]…

Ends an open session of the console. Its person must sign in again.

${reachHelp}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: reachOptions,
    })
    const [sessionId, ...more] = positionals
    if (!sessionId || more.length > 0) throw new UsageError('Specify one session.')
    const ended = await reach(values, screen, (hub) =>
      hub.call('endSession', { params: { sessionId } }),
    )
    screen.out(values.json ? json(ended) : `The session ${sessionId} of ${ended.name} was ended.`)
    return 0
  },
}

const give: Command = {
  says: 'give a person other roles in a site',
  help: `Usage: dragoman people roles PERSON [--role LIST] [--provider LIST] [--language LIST] [--site NAME] [OPTION]…

Replaces the roles of a person in one site; without --role, the person loses access to the site. Additional roles revoke
earlier links. An admin gives roles in their own site, an operator in the one that --site names (the role operator has none).

${roleHelp}
  --site NAME      for an operator: the site

${reachHelp}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { ...reachOptions, ...roleOptions },
    })
    const [personId, ...more] = positionals
    if (!personId || more.length > 0) throw new UsageError('Specify one person.')
    const { site } = values
    const body = { sites: [{ ...rolesIn(values), ...(site !== undefined && { siteId: site }) }] }
    const changed = await reach(values, screen, (hub) =>
      hub.call('changePerson', { params: { personId }, body }),
    )
    const held = changed.sites.flatMap(rolesAt).join(', ')
    screen.out(values.json ? json(changed) : `${changed.name} now has ${held || 'no role'}.`)
    return 0
  },
}

const link: Command = {
  says: 'print a link to sign in with: for a new person, or for one who forgot their password',
  help: `Usage: dragoman people link --role ROLE[,ROLE]… [--provider LIST] [--language LIST] [--site NAME] [--json]
       dragoman people link --email ADDRESS [--site NAME] [--json]

Prints a link that opens the console once within 24 hours. With --role it adds a new person, who chooses a name, an
address and a password or passkey. With --email it lets that person set a new password or passkey.

${roleHelp}
  --site NAME      the site of these roles (default: the oldest site); the role operator has none
  --email ADDRESS  an existing person; with --site the one of that site, if several have the address
  --json           print JSON

Works on the database of the hub set in the environment (DRAGOMAN_DATA or DRAGOMAN_DATABASE_URL), also while it runs.
The link begins with DRAGOMAN_PUBLIC_URL, or with the address that the hub listens on.`,
  run: async (args, screen) => {
    const options = { ...roleOptions, email: text, json: { type: 'boolean' } } as const
    const { values } = readArgs({ args, options })
    const { email, site } = values
    const given = rolesIn(values)
    if ((email === undefined) === (given.roles.length === 0))
      throw new UsageError('Specify either --role or --email.')
    const { makeSignInLink } = await import('@dragoman/server/commands')
    const asked = email === undefined ? given : { email }
    const made = await makeSignInLink(screen.env, {
      ...asked,
      ...(site !== undefined && { siteId: site }),
    })
    const expiryDate = new Date(made.expiresAt).toISOString()
    if (values.json) screen.out(json({ link: made.link, expiryDate, sites: made.sites }))
    else
      screen.out(`${made.link}\n\nIt works once, until ${expiryDate}. Whoever has it can sign in.`)
    return 0
  },
}

const hash: Command = {
  says: 'hash a password for DRAGOMAN_ADMIN_PASSWORD_HASH',
  help: `Usage: dragoman people hash [--json] < FILE

Reads a password from standard input, up to the first line break, and prints its hash for DRAGOMAN_ADMIN_PASSWORD_HASH.
The password must have at least 12 characters. In a .env file or a shell, put the hash in single quotes: it contains $.`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: { json: { type: 'boolean' } } })
    const password = await readLine(screen)
    const { hashPassword } = await import('@dragoman/server/commands')
    const hashed = await hashPassword(password)
    screen.out(values.json ? json({ hash: hashed }) : hashed)
    return 0
  },
}

async function readLine(screen: Screen): Promise<string> {
  if (process.stdin.isTTY) screen.err('Type the password, then press Enter:')
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.includes('\n')) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}

const verbs: Readonly<Record<string, Command>> = { list, link, roles: give, sessions, end, hash }

export const people = verbsOnly(
  'people',
  'list the people of the console and their sessions, give roles, print sign-in links',
  verbs,
)
