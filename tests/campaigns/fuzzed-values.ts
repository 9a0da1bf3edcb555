/** Values that roughly fit a schema of the endpoint table, and their mutations by an attacker. */
import { limits } from '@dragoman/contract'
import { nastyText, pick } from './fuzzed-text.ts'
import type { Chance } from './history-walk.ts'

/** The parts of a JSON schema used here. */
export type Node = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly items?: Node
  readonly anyOf?: readonly Node[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly language?: boolean
  readonly time?: boolean
  readonly additionalProperties?: unknown
}

/** What the attacker knows: ids from responses, and the mark of its own site. */
export type Known = { readonly mark: string; id(name: string): string }

const samples: Readonly<Record<string, readonly string[]>> = {
  typeid: ['manual', 'pseudo', 'api', 'machine-translation'],
  currency: ['EUR', 'JPY'],
  filter: [
    "statusCode eq 'CREATED'",
    "labels eq 'web' or not (hasError eq true)",
    'createdDate gt 2020-01-01 and dueDate lt 2030-01-01T00:00:00Z',
    "jobName eq 'it''s'",
  ],
  orderby: ['createdDate desc', 'dueDate, modifiedDate desc'],
  filename: ['page.html', 'texte.xlf', 'a b.json', 'memory.tmx'],
}
const languages = ['en-us', 'de-de', 'fr-fr', 'ja-jp', 'pt-br']
const times = ['2026-11-14', '2031-01-01T10:00:00Z', '2024-02-29T23:59:59.999+02:00']
/** For patterns that are stricter than an id. */
const shaped = ['0.125', '7', '3', 'EUR', 'a0'.repeat(32)]

/** A value that the schema of `name` accepts, as far as the schema says. */
export function fitting(node: Node, name: string, chance: Chance, known: Known): unknown {
  if (node.enum) return pick(chance, node.enum)
  if (node.const !== undefined) return node.const
  if (node.anyOf) return fitting(pick(chance, node.anyOf), name, chance, known)
  if (node.type === 'array')
    return Array.from({ length: 1 + Math.floor(chance() * 3) }, () =>
      fitting(node.items ?? {}, name, chance, known),
    )
  if (node.type === 'boolean') return chance() < 0.5
  if (node.type === 'integer' || node.type === 'number')
    return Math.floor(
      (node.minimum ?? 0) + chance() * Math.min(50, (node.maximum ?? 50) - (node.minimum ?? 0) + 1),
    )
  if (node.type === 'object') return fittingObject(node, chance, known)
  return fittingText(node, name, chance, known)
}

function fittingObject(node: Node, chance: Chance, known: Known): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(node.properties ?? {}))
    if (node.required?.includes(name) || chance() < (name === 'providerId' ? 0.8 : 0.4))
      made[name] = fitting(inner, name, chance, known)
  if (node.additionalProperties && chance() < 0.5)
    made[pick(chance, ['type', 'a', 'pattern'])] = pick(chance, ['x', 1, {}])
  // Content is exactly one of three.
  const contents = ['fields', 'fmsFileId', 'sourcecontentId'].filter(
    (name) => name in (node.properties ?? {}),
  )
  // A listener's states depend on its type; none means all.
  if (chance() < 0.8) delete made.statusCodes
  if (contents.length === 3) {
    for (const name of contents) delete made[name]
    const chosen = chance() < 0.6 ? 'fields' : pick(chance, contents)
    made[chosen] = fitting(node.properties?.[chosen] ?? {}, chosen, chance, known)
  }
  return made
}

function fittingText(node: Node, name: string, chance: Chance, known: Known): string {
  if (node.language) return pick(chance, languages)
  if (node.time) return pick(chance, times)
  const choices = samples[name.toLowerCase()]
  if (choices) return pick(chance, choices)
  if (/uri$/i.test(name)) return `http://127.0.0.1:9/${name}`
  if (name === 'email') return `person-${Math.floor(chance() * 1e6)}@example.org`
  if (/ids?$|^next$|^navnext$/i.test(name)) return known.id(name)
  const pattern = node.pattern && new RegExp(node.pattern)
  const text = `${name} ${known.mark} ${Math.floor(chance() * 1_000)}`
  if (pattern && !pattern.test(text)) return shaped.find((one) => pattern.test(one)) ?? 'x'
  return text
}

const strange: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  [],
  {},
  [null],
  [[]],
  { a: null },
  { toString: 1 },
  { length: 1e9 },
]

/** A copy with one part spoilt. */
export function worsened(value: unknown, chance: Chance): unknown {
  const deeper = chance() < 0.75
  if (deeper && Array.isArray(value) && value.length > 0) {
    const at = Math.floor(chance() * value.length)
    if (chance() < 0.1) return [...value, ...value]
    return value.map((one, place) => (place === at ? worsened(one, chance) : one))
  }
  if (deeper && typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    const copy: Record<string, unknown> = { ...value }
    const name = pick(chance, Object.keys(copy))
    const how = chance()
    if (how < 0.1) delete copy[name]
    else if (how < 0.2) copy[nastyText(chance).slice(0, 60)] = pick(chance, strange)
    else if (how < 0.25) copy[name.toUpperCase()] = copy[name]
    else copy[name] = worsened(copy[name], chance)
    return copy
  }
  const how = chance()
  if (how < 0.5) return nastyText(chance)
  if (how < 0.85) return pick(chance, strange)
  if (how < 0.9) return Array.from({ length: copiesOf(value) }, () => value)
  return nested(value, Math.floor(chance() * 100))
}

/**
 * Copies of copies must still fit into a text: no longer than the largest body that the hub reads.
 */
const copiesOf = (value: unknown): number =>
  Math.min(3_000, Math.ceil(limits.requestsJsonBytes / (JSON.stringify(value)?.length ?? 1)))

const nested = (value: unknown, levels: number): unknown =>
  levels > 0 ? [nested(value, levels - 1)] : value

/** The bytes of a body, unchanged or spoilt below the level of JSON. */
export function spoiltJson(value: unknown, chance: Chance): Buffer {
  const text = JSON.stringify(value) ?? ''
  const at = Math.floor(chance() * text.length)
  const ways: readonly (() => string)[] = [
    () => text.slice(0, at),
    () =>
      `${text.slice(0, at)}${String.fromCharCode(Math.floor(chance() * 256))}${text.slice(at + 1)}`,
    () => `\ufeff${text}`,
    () => `${text}${text}`,
    () => text.replaceAll(',', ',,'),
    () => text.replace('{', '{"__proto__":{"admin":true},'),
    () => text.replace('{', '{"jobName":"a","jobName":"b",'),
    () => `// hello\n${text}`,
    () => text.replace(/:[^,}]*/, ':01e5'),
    () => text.replace(/:[^,}]*/, ':-Infinity'),
    () => '['.repeat(70 + at),
    () => '\\ud83d'.repeat(3),
    () => `"${'\\u0000'.repeat(5)}"`,
  ]
  const how = chance()
  if (how < 0.15) return Buffer.from(text, 'utf16le')
  if (how < 0.3)
    return Buffer.concat([
      Buffer.from(text.slice(0, at)),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from(text.slice(at)),
    ])
  return Buffer.from(pick(chance, ways)())
}
