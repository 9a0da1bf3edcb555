/**
 * The largest calls of every endpoint, generated from the table: its largest body in every
 * expensive shape at every position of its schema that accepts it, and its longest query.
 */
import {
  bodyBytesOf,
  bodyValuesOf,
  type Endpoint,
  endpoints,
  methodOf,
  pathOf,
  scopesOf,
} from '@dragoman/contract'
import type { Attacker } from './attacked-hub.ts'
import { type Form, fill, fillers, skeletons } from './body-shapes.ts'
import type { Node } from './fuzzed-values.ts'
import { legalBodies } from './legal-bodies.ts'

export type Case = {
  readonly name: string
  readonly as: Attacker
  readonly method: string
  /** Ids appear by name, in braces. */
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly query?: () => string
  /** `requestIds` are those of the job, if it needs some. */
  readonly body?: (requestIds: readonly string[]) => Buffer
  /** A job of its own, because it may be accepted; with requests, if it names them. */
  readonly needs?: 'job' | 'requests'
}
/** A body without its heavy part, which goes between head and tail. */
type Template = {
  readonly name: string
  readonly forms: readonly Form[]
  readonly head: string
  readonly tail: string
}

/** The head of a call is limited to 16 KiB. */
const queryBytes = 12_000

/**
 * Every case once: what equal code does to an equal body is sent to one endpoint, and a sample of
 * it to each other.
 */
export function largestCalls(): Case[] {
  const known: Known = { refused: new Set(), checked: new Map() }
  return Object.entries(endpoints as Record<string, Endpoint>).flatMap(([name, endpoint], at) => [
    ...(endpoint.body ? bodyCases(name, endpoint, known, at) : []),
    ...queryCases(name, endpoint),
  ])
}

type Known = {
  /** The limits under which the bodies that nobody gets to check were sent. */
  readonly refused: Set<string>
  /** The schemas whose bodies were sent, by their limit. */
  readonly checked: Map<unknown, number>
}

/** Whose valid bodies name requests. */
const namesRequests: ReadonlySet<string> = new Set([
  'changeRequests',
  'approveRequests',
  'rejectRequests',
])

function caseOf(
  name: string,
  endpoint: Endpoint,
  more: Pick<Case, 'query' | 'body' | 'needs'>,
): Case {
  const [scope = 'admin'] = scopesOf(endpoint)
  const headers = [['content-type', 'application/json']] as const
  const path = `/v2${pathOf(endpoint)}`
  return {
    name,
    as: scope === 'any' ? 'content' : scope,
    method: methodOf(endpoint),
    path,
    headers,
    ...more,
  }
}

function bodyCases(
  name: string,
  endpoint: Endpoint,
  { refused, checked }: Known,
  at: number,
): Case[] {
  const bytes = bodyBytesOf(endpoint)
  const made = (shape: string, body: () => Buffer) =>
    caseOf(`${name}, ${shape}`, endpoint, { body })
  const legal = (shape: string, body: NonNullable<Case['body']>) =>
    caseOf(`${name}, ${shape}`, endpoint, {
      body,
      needs: namesRequests.has(name) ? 'requests' : 'job',
    })
  const values = bodyValuesOf(endpoint)
  const places = placesOf(endpoint.body as Node)
  // Refused by their bytes, before anything is known of the schema.
  const over = places
    .slice(0, 2)
    .flatMap((place) =>
      fillersOf(place).map((filler) =>
        made(`${filler.name} ${place.name}`, () => put(place, fill(filler, bytes - 99))),
      ),
    )
  const within = places.flatMap((place) =>
    fillersOf(place).map((filler) =>
      made(`${filler.name} ${place.name}, within the limits`, () =>
        put(place, fill(filler, bytes - 99, values)),
      ),
    ),
  )
  const broken = Object.entries(skeletons).map(([shape, make]) =>
    made(shape, () => Buffer.from(make(bytes))),
  )
  const unread = [...over, ...broken]
  const sample = <T>(cases: readonly T[]): T[] =>
    [at, at + 7].flatMap((which) => cases[which % cases.length] ?? [])
  const isNewLimit = !refused.has(`${bytes} ${values}`)
  const isNewSchema = checked.get(endpoint.body) !== bytes
  refused.add(`${bytes} ${values}`)
  checked.set(endpoint.body, bytes)
  return [
    ...(isNewLimit ? unread : sample(unread)),
    ...(isNewSchema ? within : sample(within)),
    ...Object.entries(legalBodies[name] ?? {}).map(([shape, make]) =>
      legal(shape, (ids) => Buffer.from(JSON.stringify(make(ids)))),
    ),
  ]
}

const put = ({ head, tail }: Template, heavy: Buffer): Buffer =>
  Buffer.concat([Buffer.from(head), heavy, Buffer.from(tail)])
const fillersOf = ({ forms }: Template) => fillers.filter(({ form }) => forms.includes(form))
const every: readonly Form[] = ['list', 'object', 'text']

function placesOf(body: Node): Template[] {
  const nodes = body.anyOf ?? [body]
  return [
    { name: 'alone', forms: every, head: '', tail: '' },
    { name: 'under an unknown name', forms: every, head: '{"unknown":', tail: '}' },
    ...nodes.flatMap((node) =>
      node.items ? placesInItems(node.items, '', '[', ']') : placesIn(node, '', '{', '}'),
    ),
  ]
}

/** `of` names the list whose item contains the position. */
function placesIn(node: Node, of: string, head: string, tail: string): Template[] {
  const properties = Object.entries(node.properties ?? {})
  const text = properties.find(([, inner]) => inner.type === 'string')?.[0]
  return properties.flatMap(([name, inner]): Template[] => {
    const place = { name: `in ${name}${of}`, head: `${head}"${name}":`, tail }
    if (inner.type === 'array')
      return [
        { ...place, forms: ['list'] },
        ...(of === '' && inner.items
          ? placesInItems(inner.items, ` of ${name}`, `${place.head}[`, `]${tail}`)
          : []),
      ]
    if (inner.type === 'object' || inner.anyOf) return [{ ...place, forms: ['list', 'object'] }]
    return name === text || inner.language ? [{ ...place, forms: ['text'] }] : []
  })
}

const placesInItems = (items: Node, of: string, head: string, tail: string): Template[] =>
  items.type === 'object' ? placesIn(items, of || ' of the list', `${head}{`, `}${tail}`) : []

function queryCases(name: string, endpoint: Endpoint): Case[] {
  const made = (shape: string, query: () => string) =>
    caseOf(`${name}, ${shape}`, endpoint, { query })
  return Object.keys((endpoint.query as Node | undefined)?.properties ?? {}).flatMap(
    (parameter) => [
      made(`${parameter} again and again`, () => repeated(() => `${parameter}=a`)),
      made(`a long ${parameter}`, () => `?${parameter}=${'('.repeat(queryBytes)}`),
      made(`many unknown beside ${parameter}`, () => repeated((at) => `${parameter}${at}=`)),
    ],
  )
}

function repeated(unit: (at: number) => string): string {
  let text = `?${unit(0)}`
  for (let at = 1; text.length < queryBytes; at += 1) text += `&${unit(at)}`
  return text
}
