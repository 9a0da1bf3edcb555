/**
 * One call of an endpoint by its schema: valid at first, then spoilt in its path, query, headers or
 * body.
 */
import {
  type Endpoint,
  type ErrorCode,
  endpoints,
  failsOf,
  methodOf,
  pathOf,
  scopesOf,
} from '@dragoman/contract'
import { priceList } from '../price-list.ts'
import type { AttackCall } from './attack-call.ts'
import { type AttackedHub, type AttackedSite, attackers } from './attacked-hub.ts'
import { nastyText, pick } from './fuzzed-text.ts'
import { fitting, type Known, type Node, spoiltJson, worsened } from './fuzzed-values.ts'
import type { Chance } from './history-walk.ts'
import type { LearnedIds } from './learned-ids.ts'

export type FuzzedCall = {
  readonly endpoint: Endpoint
  readonly call: AttackCall
  /** The codes that may refuse it; unknown if path or headers are spoilt. */
  readonly may?: readonly ErrorCode[]
}
export type Attacking = {
  readonly hub: AttackedHub
  readonly site: AttackedSite
  readonly own: LearnedIds
  readonly foreign: LearnedIds
}

/** Appears in every text of a site, and must appear in no response to another. */
export const markOf = ({ siteId }: AttackedSite): string => `~${siteId}~`

/** These faults may be refused before an endpoint is found. */
const loose = new Set(['path', 'headers', 'token'])
/** Endpoints that create the targets of an attack, called first. */
const makers = [
  'createJob',
  'addRequests',
  'addRequests',
  'createSourceFile',
  'createSourceContent',
  'submitJob',
  'changeAssetTasks',
] as const

export async function fuzzCall(at: Attacking, chance: Chance): Promise<FuzzedCall> {
  const names = Object.keys(endpoints) as (keyof typeof endpoints)[]
  const endpoint: Endpoint = endpoints[chance() < 0.25 ? pick(chance, makers) : pick(chance, names)]
  const own = at.own.about(chance)
  const foreign = at.foreign.about(chance)
  const known: Known = {
    mark: markOf(at.site),
    id: (name) => (chance() < 0.97 ? own : foreign)(name, pathOf(endpoint)) ?? 'AAAAAAAAAA',
  }
  // Spoils only one part of a call, so that it is not refused for another; a third of the calls are
  // valid.
  const spoils = pick(chance, [
    'nothing',
    'nothing',
    'nothing',
    'nothing',
    'body',
    'body',
    'bytes',
    'query',
    'path',
    'headers',
    'token',
  ] as const)
  const path = pathFor(endpoint, chance, known, spoils === 'path')
  const query = queryFor(endpoint, chance, known, spoils === 'query')
  const body = bodyFor(endpoint, chance, known, spoils)
  const headers = headersFor(chance, body !== undefined, spoils === 'headers')
  const token = await tokenFor(at, endpoint, chance, spoils === 'token')
  if (token !== undefined) headers.push(['authorization', token])
  const call = {
    method: methodOf(endpoint),
    path: `/v2${path}${query}`,
    headers,
    ...(body && { body }),
  }
  return { endpoint, call, ...(!loose.has(spoils) && { may: failsOf(endpoint) }) }
}

function pathFor(endpoint: Endpoint, chance: Chance, known: Known, spoilt: boolean): string {
  const names = Object.keys((endpoint.params as Node | undefined)?.properties ?? {})
  const victim = spoilt && names.length > 0 ? pick(chance, names) : undefined
  const path = pathOf(endpoint).replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === victim) return encoded(nastyText(chance).slice(0, 3_000), chance)
    return name === 'level' ? '1' : known.id(name)
  })
  if (!spoilt || victim !== undefined) return path
  return pick(chance, [
    `${path}/`,
    `${path}//`,
    `/.${path}`,
    `${path};x=1`,
    path.toUpperCase(),
    `${path}/%2e%2e`,
    `${path}\xff`,
  ])
}

/** Percent-encoded correctly, or as bytes that are not UTF-8. */
function encoded(text: string, chance: Chance): string {
  if (chance() < 0.2)
    return [...Buffer.from(text, 'latin1')]
      .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .join('')
  return encodeURIComponent(text.toWellFormed())
}

function queryFor(endpoint: Endpoint, chance: Chance, known: Known, spoilt: boolean): string {
  const properties = Object.entries((endpoint.query as Node | undefined)?.properties ?? {})
  const pairs = properties.flatMap(([name, node]): [string, string][] => {
    const wanted = (endpoint.query as Node).required?.includes(name) || chance() < 0.3
    return wanted
      ? [fitting(node, name, chance, known)].flat().map((value) => [name, String(value)])
      : []
  })
  if (spoilt) {
    const name = properties.length > 0 ? pick(chance, properties)[0] : 'x'
    const value = chance() < 0.3 && name === 'filter' ? brokenFilter(chance) : nastyText(chance)
    pairs.push(chance() < 0.8 ? [name, value] : [value, name])
  }
  if (pairs.length === 0) return ''
  return `?${pairs.map(([name, value]) => `${encoded(name, chance)}=${encoded(value, chance)}`).join('&')}`
}

const words = [
  '(',
  ')',
  'not',
  'and',
  'or',
  'eq',
  'ne',
  'gt',
  "'x'",
  "'",
  'statusCode',
  'labels',
  'dueDate',
  '2026-01-01',
  'true',
  'in',
  ',',
]
const brokenFilter = (chance: Chance): string =>
  Array.from({ length: 1 + Math.floor(chance() * 60) }, () => pick(chance, words)).join(' ')

function bodyFor(
  endpoint: Endpoint,
  chance: Chance,
  known: Known,
  spoils: string,
): Buffer | undefined {
  if (!endpoint.body) return spoils === 'body' ? Buffer.from('{"x":1}') : undefined
  const good =
    endpoint.call === 'POST /settings/pricelists'
      ? priceList
      : fitting(endpoint.body as Node, '', chance, known)
  if (spoils === 'bytes') return spoiltJson(good, chance)
  if (spoils !== 'body') return Buffer.from(JSON.stringify(good))
  let value: unknown = good
  for (let times = 1 + Math.floor(chance() * 3); times > 0; times -= 1)
    value = worsened(value, chance)
  return Buffer.from(JSON.stringify(value) ?? '')
}

type Header = [name: string, value: string]
/** A value that HTTP allows: no line break, no NUL. */
const headerValue = (text: string): string =>
  Buffer.from(text.slice(0, 4_000))
    .toString('latin1')
    .replace(/[\0\r\n]/g, '')

function headersFor(chance: Chance, hasBody: boolean, spoilt: boolean): Header[] {
  const headers: Header[] = hasBody ? [['content-type', 'application/json']] : []
  if (chance() < 0.1) headers.push(['idempotency-key', `key-${Math.floor(chance() * 20)}`])
  if (!spoilt) return headers
  const text = headerValue(nastyText(chance))
  const ways: readonly Header[] = [
    ['content-type', text],
    ['content-type', 'multipart/form-data; boundary=x'],
    ['content-encoding', pick(chance, ['gzip', 'br', text])],
    ['idempotency-key', text],
    ['x-request-id', text],
    ['accept', text],
    ['origin', text],
    ['x-forwarded-for', text],
    ['x-forwarded-host', text],
    ['forwarded', text],
    ['range', `bytes=${text}`],
    ['if-none-match', text],
    ['cookie', text],
    ['traceparent', text],
    ['expect', '100-continue'],
    ['x-http-method-override', 'DELETE'],
    ['soapaction', text],
  ]
  return [...headers, pick(chance, ways)]
}

async function tokenFor(
  at: Attacking,
  endpoint: Endpoint,
  chance: Chance,
  spoilt: boolean,
): Promise<string | undefined> {
  const { hub, site } = at
  const [scope] = scopesOf(endpoint)
  const right = attackers.find((one) => one === scope) ?? 'content'
  const token = await hub.token(site.clients[chance() < 0.9 ? right : pick(chance, attackers)])
  if (!spoilt) return `Bearer ${token}`
  const [head = '', body = '', signature = ''] = token.split('.')
  return pick(chance, [
    undefined,
    '',
    'Bearer',
    `Bearer ${headerValue(nastyText(chance))}`,
    `bearer  ${token}  `,
    `Basic ${Buffer.from('x:y').toString('base64')}`,
    `Bearer ${head}.${body}.`,
    `Bearer ${head}.${body}.${signature.slice(0, -2)}AA`,
    `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
    `Bearer ${head}.${Buffer.from(JSON.stringify({ site: '\0', client_id: '\ud800' })).toString('base64url')}.${signature}`,
    `Bearer ${token}, Bearer ${token}`,
  ])
}
