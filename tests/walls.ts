/**
 * Checks a source tree against the rules of ARCHITECTURE.md ("What may import what") and returns
 * one sentence per violation. Works on text alone, so that the test can also check a made-up tree.
 */
import { dirname, join, normalize } from 'node:path/posix'

/** Path from the repository root (`packages/server/src/hub.ts`) to its text. */
export type Tree = ReadonlyMap<string, string>
type Import = {
  readonly from: string
  readonly to: string
  readonly lazy: boolean
  readonly typeOnly: boolean
}

/**
 * Our packages, and which others each may import. `cli` loads the server lazily, so that its other
 * commands start fast.
 */
const packageWalls: Record<string, { may: readonly string[]; lazily?: readonly string[] }> = {
  contract: { may: [] },
  text: { may: ['contract'] },
  certify: { may: ['contract'] },
  server: { may: ['text', 'certify', 'contract', 'docs'], lazily: ['sdk'] },
  sdk: { may: ['contract'] },
  cli: { may: ['sdk', 'text', 'certify', 'contract'], lazily: ['server'] },
  console: { may: ['sdk', 'contract'] },
  docs: { may: ['contract'] },
}
/** The packages of connectors/, and all that each may import from outside. */
const connectorWalls: Record<string, RegExp> = {
  walker: /^node:crypto$/,
  payload: /^(node:crypto|@dragoman\/(sdk|walker)(\/\w+)?|payload|react)$/,
}
const packageNames: Record<string, string> = { dragoman: 'cli' }

/**
 * The floors of the server, each with those it may use. `ground` stands for the rooms that every
 * floor may use.
 */
const floors: Record<string, readonly string[]> = {
  main: [
    'commands',
    'doors',
    'domain',
    'outgoing',
    'hub',
    'store',
    'blobs',
    'validation',
    'config',
    'ground',
  ],
  commands: ['doors', 'domain', 'hub', 'store', 'blobs', 'validation', 'config', 'ground'],
  doors: ['domain', 'outgoing', 'hub', 'store', 'blobs', 'validation', 'config', 'ground'],
  domain: ['outgoing', 'hub', 'store', 'blobs', 'config', 'ground'],
  outgoing: ['hub', 'ground'],
  hub: ['store', 'blobs', 'config', 'ground'],
  store: ['ground'],
  validation: ['ground'],
  blobs: ['ground'],
  config: ['ground'],
  ground: [],
}
/** Rooms of the ground floor: what a process needs, and taking turns. */
const ground = new Set(['process', 'turns'])

/** The wings of the domain and what each may import, lowest first; without cycles. */
const wings: Record<string, readonly string[]> = {
  access: [],
  people: ['access'],
  files: ['access'],
  settings: ['access'],
  listeners: ['files', 'access'],
  language: ['files', 'access'],
  engines: ['language', 'listeners', 'files', 'access'],
  jobs: ['engines', 'language', 'settings', 'listeners', 'files', 'access'],
  views: ['jobs', 'settings', 'files', 'access'],
  handover: ['jobs', 'engines', 'language', 'settings', 'listeners', 'files', 'access'],
  desk: ['handover', 'jobs', 'engines', 'language', 'files', 'people', 'access'],
  upstream: ['handover', 'jobs', 'engines', 'language', 'listeners', 'files', 'access'],
  sites: ['handover', 'jobs', 'engines', 'listeners', 'files', 'people', 'access'],
  operations: [
    'desk',
    'handover',
    'views',
    'jobs',
    'engines',
    'language',
    'listeners',
    'settings',
    'files',
    'people',
    'access',
  ],
}

/**
 * The folders of the doors, and which others each may use. `app.ts` above them composes them all.
 */
const doorTree: Record<string, readonly string[]> = {
  http: [],
  transfer: ['http'],
  oauth: ['http'],
  pages: ['http'],
  soap: ['http'],
  rest: ['http', 'transfer'],
  assistants: ['http', 'rest'],
  console: ['http', 'rest'],
  upstream: ['http'],
  work: [],
  sandbox: ['http', 'work'],
}

const refusedNames = new Set(
  `utils util helpers helper common misc lib core shared base manager handler handlers processor service services impl
   inner data info types constants interfaces enums`.split(/\s+/),
)
/** Exceptions to the refused names. */
const grantedNames = new Set([
  'packages/server/src/doors/soap/service.ts',
  'packages/contract/src/schemas/common.ts',
])

const outside = {
  http: /^(fastify|@fastify\/.*|undici|pino-http|@tus\/.*|soap|fast-xml-parser|node:https?|node:http2)$/,
  sql: /^(kysely|pg|better-sqlite3|node:sqlite|@photostructure\/sqlite)$/,
  s3: /^@aws-sdk\//,
}
/** Doors accept HTTP calls, `outgoing` sends them, and the process has the sockets. */
const seesHttp = new Set(['main', 'doors', 'outgoing', 'ground'])
/** The hub's clock, the SDK's and the console's. */
const clocks = new Set([
  'packages/server/src/store/clock.ts',
  'packages/sdk/src/clock.ts',
  'packages/console/src/clock.ts',
])
const builderCall = /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql`/

export function findBreaches(tree: Tree): string[] {
  const sources = new Map(
    [...tree].filter(
      ([path]) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path) && !path.includes('.test.'),
    ),
  )
  const imports = [...sources].flatMap(([path, text]) => readImports(path, text))
  const connectors = [...tree].filter(
    ([path]) => /^connectors\/[^/]+\/src\/.*\.tsx?$/.test(path) && !path.includes('.test.'),
  )
  return [
    ...connectors.flatMap(([path, text]) => [
      ...readImports(path, text).flatMap(checkConnector),
      ...checkText(path, withoutComments(text)),
    ]),
    ...[...tree.keys()].flatMap(checkName),
    ...imports.flatMap((found) => [
      ...checkPackage(found),
      ...checkFloor(found),
      ...checkDomain(found),
      ...checkDoors(found),
      ...checkOutside(found),
    ]),
    ...[...sources].flatMap(([path, text]) => checkText(path, withoutComments(text))),
    ...checkRooms([...sources.keys()]),
    ...findCircles(
      [...tree].flatMap(([path, text]) => readImports(path, text)).filter(({ to }) => tree.has(to)),
    ),
  ]
}

export function readImports(path: string, text: string): Import[] {
  const found: Import[] = []
  const add = (name: string, lazy: boolean, typeOnly: boolean) => {
    const to = name.startsWith('.') ? normalize(join(dirname(path), name)) : name
    found.push({ from: path, to, lazy, typeOnly })
  }
  const code = withoutComments(text)
  for (const [, type, name] of code.matchAll(
    /^\s*(?:import|export)\s+(type\s)?(?:[\w*${}\s,]*?from\s*)?['"]([^'"]+)['"]/gm,
  ))
    if (name) add(name, false, type !== undefined)
  for (const [, name] of code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g))
    if (name) add(name, true, false)
  return found
}

const withoutComments = (text: string): string =>
  text.replace(/(^|[\s;{}(,])\/\*[\s\S]*?\*\//g, '$1').replace(/(^|\s)\/\/[^\n]*/g, '$1')

const packageOf = (path: string): string | undefined => /^packages\/([^/]+)\//.exec(path)?.[1]
const inServer = (path: string): string | undefined =>
  /^packages\/server\/src\/(.*)$/.exec(path)?.[1]

function floorOf(path: string): string | undefined {
  const rest = inServer(path)
  if (rest === undefined) return undefined
  const [first = '', ...more] = rest.split('/')
  if (more.length === 0) return first.replace(/\.ts$/, '')
  return ground.has(first) ? 'ground' : first
}

function checkName(path: string): string[] {
  if (grantedNames.has(path)) return []
  const parts = path.replace(/^packages\/[^/]+\//, '').split('/')
  const bad = parts
    .flatMap((part) => part.split('.')[0] ?? [])
    .find((part) => refusedNames.has(part.toLowerCase()))
  return bad === undefined ? [] : [`${path}: "${bad}" is no name; say what it does.`]
}

/**
 * In a folder with more files, nobody finds anything. Migrations have numbers, and only ever become
 * more.
 */
const mostFiles = 30
const numbered = 'packages/server/src/store/migrations'

function checkRooms(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts]
    .filter(([folder, many]) => many > mostFiles && folder !== numbered)
    .map(
      ([folder, many]) =>
        `${folder} has ${many} files, more than ${mostFiles}: split it into rooms.`,
    )
}

function checkPackage({ from, to, lazy, typeOnly }: Import): string[] {
  const own = packageOf(from) ?? ''
  const wall = packageWalls[own]
  if (!wall) return [`${from}: the package "${own}" is not in the plan.`]
  if (to.startsWith('packages/') || to.startsWith('..'))
    return to.startsWith(`packages/${own}/src/`)
      ? []
      : [`${from} reaches out of its package by a path: ${to}.`]
  const other = /^@dragoman\/([^/]+)/.exec(to)?.[1] ?? packageNames[to]
  if (other === undefined || wall.may.includes(other)) return []
  if (wall.lazily?.includes(other))
    return lazy || typeOnly ? [] : [`${from} must load ${to} lazily, by import().`]
  return [
    `${from} must not import ${to}: ${own} may import ${wall.may.join(', ') || 'none of ours'}.`,
  ]
}

function checkConnector({ from, to }: Import): string[] {
  const own = from.split('/')[1] ?? ''
  const wall = connectorWalls[own]
  if (!wall) return [`${from}: the connector "${own}" is not in the plan.`]
  const isOwn = to.startsWith(`connectors/${own}/src/`)
  return isOwn || (!to.startsWith('connectors/') && wall.test(to))
    ? []
    : [`${from} must not import ${to}: a connector uses its system, the SDK and the walker.`]
}

function checkFloor({ from, to }: Import): string[] {
  const [upper, lower] = [floorOf(from), floorOf(to)]
  if (upper === undefined || lower === undefined || upper === lower) return []
  const may = floors[upper]
  if (!may) return [`${from}: the floor "${upper}" is not in the plan.`]
  return may.includes(lower) ? [] : [`${from} must not import ${to}: imports go down only.`]
}

function checkDomain({ from, to }: Import): string[] {
  const breaches: string[] = []
  if (/\/domain\/.*-rows\.ts$/.test(to) && dirname(from) !== dirname(to))
    breaches.push(`${from} must not import ${to}: rows are private to their folder; call a verb.`)
  const [, upper] = /^domain\/([^/]+)\//.exec(inServer(from) ?? '') ?? []
  const [, lower] = /^domain\/([^/]+)\//.exec(inServer(to) ?? '') ?? []
  if (upper !== undefined && !Object.hasOwn(wings, upper))
    breaches.push(`${from}: domain/${upper} is not in the plan.`)
  else if (
    upper !== undefined &&
    lower !== undefined &&
    upper !== lower &&
    !wings[upper]?.includes(lower)
  )
    breaches.push(
      `${from} must not import ${to}: domain/${upper} stands beside or below domain/${lower}.`,
    )
  return breaches
}

function checkDoors({ from, to }: Import): string[] {
  const [own, other] = [inServer(from) ?? '', inServer(to) ?? '']
  if (own === 'commands/commands.ts' && other.startsWith('doors/'))
    return [`${from} must not import ${to}: a command of the CLI never loads a door.`]
  const [, upper] = /^doors\/([^/]+)\//.exec(own) ?? []
  const [, lower] = /^doors\/([^/]+)\//.exec(other) ?? []
  if (upper === undefined) return []
  if (!Object.hasOwn(doorTree, upper)) return [`${from}: doors/${upper} is not in the plan.`]
  if (other === 'doors/app.ts')
    return [`${from} must not import ${to}: the app stands above its doors.`]
  if (lower === undefined || upper === lower || doorTree[upper]?.includes(lower)) return []
  return [`${from} must not import ${to}: doors/${upper} stands beside or below doors/${lower}.`]
}

function checkOutside({ from, to, lazy, typeOnly }: Import): string[] {
  const floor = floorOf(from)
  if (floor === undefined) return checkClient(from, to, lazy || typeOnly)
  const isRows = from.endsWith('-rows.ts')
  const breaches: string[] = []
  if (outside.http.test(to) && !seesHttp.has(floor))
    breaches.push(`${from} must not import ${to}: only doors see HTTP.`)
  if (outside.sql.test(to) && floor !== 'store' && !(floor === 'domain' && isRows))
    breaches.push(`${from} must not import ${to}: SQL is in store/ and in the rows of the domain.`)
  if (outside.s3.test(to) && floor !== 'blobs')
    breaches.push(`${from} must not import ${to}: only blobs/ see the object store.`)
  return breaches
}

/**
 * The contract does no I/O; the client runs in browsers; both the client and the command line load
 * without the schemas.
 */
function checkClient(from: string, to: string, isLight: boolean): string[] {
  const own = packageOf(from)
  if (own === 'contract' && !/^(\.|packages\/|typebox)/.test(to))
    return [`${from} must not import ${to}: the contract does no I/O.`]
  if (
    own === 'sdk' &&
    !from.startsWith('packages/sdk/src/node/') &&
    /^node:|\/sdk\/src\/node\//.test(to)
  )
    return [`${from} must not import ${to}: what needs Node is in sdk/src/node/.`]
  if (
    (own === 'sdk' || own === 'cli' || own === 'certify' || own === 'console') &&
    to === '@dragoman/contract' &&
    !isLight
  )
    return [`${from} must import @dragoman/contract/wire, which has no schemas.`]
  return []
}

function checkText(path: string, code: string): string[] {
  const floor = floorOf(path)
  const breaches: string[] = []
  const refuse = (pattern: RegExp, why: string) => {
    const found = pattern.exec(code)
    if (found) breaches.push(`${path} has "${found[0].trim()}": ${why}`)
  }
  if (!clocks.has(path)) {
    refuse(
      /\bDate\.now\b|\bnew Date\(\s*\)|\bnew Date\b(?!\s*\()/,
      'nothing reads the time but through the clock.',
    )
    refuse(
      /(?<![.\w])now\(\)\s*(at time zone|[-+]\s*interval)|\bcurrent_timestamp\b|\bdatetime\('now'/i,
      'no SQL reads the time.',
    )
  }
  if (floor === undefined) return breaches
  if (floor !== 'store')
    refuse(/['"`](postgres|sqlite)['"`]|\bdb\.name\b/, 'which database it is, only store/ knows.')
  if (floor === 'domain' || floor === 'doors')
    refuse(
      /['"`](s3|file|sqlite|postgres):/,
      'what lies behind a URL of the configuration, only its adapter knows.',
    )
  if (floor !== 'blobs') refuse(/['"`]s3['"`]/, 'what blob store it is, only blobs/ knows.')
  if (floor !== 'store' && !(floor === 'domain' && path.endsWith('-rows.ts')))
    refuse(builderCall, 'SQL is in store/ and in the rows of the domain.')
  return breaches
}

/** Import cycles among files, type imports included; each is reported once. */
function findCircles(imports: readonly Import[]): string[] {
  const edges = new Map<string, string[]>()
  for (const { from, to } of imports) edges.set(from, [...(edges.get(from) ?? []), to])
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path)
    if (at >= 0) circles.push(`A circle: ${[...trail.slice(at), path].join(' -> ')}.`)
    if (at >= 0 || done.has(path)) return
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return circles
}
