/**
 * What changed between two schemas, seen from a client: what it sends must still be accepted, and
 * what it receives must still have the form that it knows. Named schemas are compared once for each
 * direction, and changes inside them carry their name.
 */
import { nameOf, type Schema } from '../document.ts'

/** `sent` by clients in parameters and bodies, or `received` by them in responses. */
export type Direction = 'sent' | 'received'

export type Change = {
  /** The call or the schema that changed: `POST /v2/jobs`, `Job`. */
  readonly on: string
  /** The place in it, such as `body.name` or `upstream`; empty for all of it. */
  readonly at: string
  readonly says: string
  readonly breaks: boolean
  /** The new field itself. */
  readonly added?: Schema
}

/** Lists in answers that grow: a client falls back on the HTTP status. */
const growing = ['Error code', 'TokenError error']

type Schemas = Readonly<Record<string, Schema>>
type SchemaPlace = { readonly on: string; readonly at: string }
type SchemaPair = { readonly was: Schema; readonly is: Schema; readonly place: SchemaPlace }
export type CompareSchemas = (direction: Direction, pair: SchemaPair) => Change[]

/**
 * `done` holds the named schemas that were compared already, so that each is reported once and
 * circles end.
 */
export function schemasComparer(
  were: Schemas,
  are: Schemas,
  done = new Set<string>(),
): CompareSchemas {
  return (direction, { was, is, place }) => {
    const names = [was.$ref, is.$ref].flatMap((one) => (one === undefined ? [] : nameOf(one)))
    if (names.length === 2) {
      const key = [direction, ...names].join(' ')
      if (done.has(key)) return []
      done.add(key)
    }
    const at = names.length === 2 && names[1] !== undefined ? { on: names[1], at: '' } : place
    const [from, to] = [resolve(were, was), resolve(are, is)]
    // A form is tried on its own: what it meets on the way is not reported yet.
    const tries = (one: Schema, other: Schema) =>
      schemasComparer(were, are, new Set(done))(direction, { was: one, is: other, place: at })
    if (from.anyOf || to.anyOf) return compareForms(direction, [from, to], at, tries)
    return compareOne(direction, { was: from, is: to, place: at }, schemasComparer(were, are, done))
  }
}

const resolve = (schemas: Schemas, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolve(schemas, schemas[nameOf(schema.$ref)] ?? {})

/**
 * Each form that a client may send needs one that still takes it; each that it may receive, one
 * that it knows.
 */
function compareForms(
  direction: Direction,
  [was, is]: readonly [Schema, Schema],
  place: SchemaPlace,
  tries: (one: Schema, other: Schema) => Change[],
): Change[] {
  const [old, now] = [was.anyOf ?? [was], is.anyOf ?? [is]]
  const [asked, offered] = direction === 'sent' ? [old, now] : [now, old]
  return asked.flatMap((form) => {
    const found = offered.map((other) =>
      direction === 'sent' ? tries(form, other) : tries(other, form),
    )
    const fitting = found.find((changes) => changes.every(({ breaks }) => !breaks))
    if (fitting) return fitting
    return [
      {
        ...place,
        says: direction === 'sent' ? 'no longer accepts one of its forms' : 'may have a new form',
        breaks: true,
      },
    ]
  })
}

function compareOne(direction: Direction, pair: SchemaPair, compare: CompareSchemas): Change[] {
  const { was, is, place } = pair
  return [
    ...breaksOf(direction, was, is).map(
      (says): Change => ({
        ...place,
        says,
        breaks: !(says.startsWith('may be ') && growing.includes(`${place.on} ${place.at}`)),
      }),
    ),
    ...newValues(direction, pair),
    ...compareFields(direction, pair, compare),
    ...(['items', 'propertyNames', 'additionalProperties'] as const).flatMap((inside) => {
      const [old, now] = [was[inside], is[inside]]
      if (typeof old !== 'object' || typeof now !== 'object') return []
      return compare(direction, { was: old, is: now, place: { ...place, at: `${place.at}[]` } })
    }),
  ]
}

/** What of a single value breaks a client, each in words. */
function breaksOf(direction: Direction, was: Schema, is: Schema): string[] {
  const [asked, offered] = direction === 'sent' ? [was, is] : [is, was]
  const typed = offered.type === undefined || offered.type === asked.type
  // Every integer is a number.
  const fits = typed || (offered.type === 'number' && asked.type === 'integer')
  const says: string[] = []
  if (!fits) says.push(`was ${was.type ?? 'anything'}, is ${is.type ?? 'anything'}`)
  if (was.format !== is.format)
    says.push(`has the format ${is.format ?? 'none'}, had ${was.format ?? 'none'}`)
  if (direction === 'sent') {
    if (
      typeof is.pattern === 'string' &&
      is.pattern !== was.pattern &&
      !allMatch(valuesOf(was), is.pattern)
    )
      says.push(`must match ${is.pattern}`)
    says.push(...narrowed(was, is))
    if (isOpen(was) && !isOpen(is)) says.push('no longer accepts other fields')
  } else if (
    typeof was.additionalProperties === 'object' &&
    typeof is.additionalProperties !== 'object'
  )
    says.push('is no longer a map')
  const [known, possible] = [valuesOf(offered), valuesOf(asked)]
  if (known && !possible && direction === 'sent') says.push(`accepts only ${known.join(', ')}`)
  if (known && !possible && direction === 'received') says.push('may have any value')
  const strange = known && possible ? possible.filter((value) => !known.includes(value)) : []
  if (strange.length > 0)
    says.push(
      `${direction === 'sent' ? 'no longer accepts' : 'may be'} ${strange.map(String).join(', ')}`,
    )
  return says
}

const isOpen = ({ additionalProperties: more }: Schema): boolean =>
  more === undefined || more === true
const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  schema.enum ?? schema['x-accepted'] ?? (schema.const === undefined ? undefined : [schema.const])

const allMatch = (values: readonly unknown[] | undefined, pattern: string): boolean =>
  values?.every((value) => new RegExp(pattern, 'u').test(String(value))) ?? false

const least = ['minimum', 'minLength', 'minItems', 'minProperties'] as const
const most = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const

function narrowed(was: Schema, is: Schema): string[] {
  const limit = (schema: Schema, name: string, otherwise: number): number =>
    typeof schema[name] === 'number' ? schema[name] : otherwise
  const less = least.filter((name) => limit(is, name, -Infinity) > limit(was, name, -Infinity))
  const more = most.filter((name) => limit(is, name, Infinity) < limit(was, name, Infinity))
  return [...less, ...more].map((name) => `has ${name} ${is[name]}, had ${was[name] ?? 'none'}`)
}

/** Values that a client may send now; those that it may receive are a break and reported there. */
function newValues(direction: Direction, { was, is, place }: SchemaPair): Change[] {
  const [old, now] = [valuesOf(was), valuesOf(is)]
  if (direction !== 'sent' || !old || !now) return []
  const values = now.filter((value) => !old.includes(value))
  return values.length === 0
    ? []
    : [{ ...place, says: `accepts ${values.map(String).join(', ')}`, breaks: false }]
}

function compareFields(
  direction: Direction,
  { was, is, place }: SchemaPair,
  compare: CompareSchemas,
): Change[] {
  const [old, now] = [was.properties ?? {}, is.properties ?? {}]
  const must = (schema: Schema, name: string): boolean => schema.required?.includes(name) ?? false
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name): Change[] => {
    const [before, after] = [old[name], now[name]]
    const at = { on: place.on, at: place.at === '' ? name : `${place.at}.${name}` }
    if (after === undefined) return [{ ...at, says: 'was removed', breaks: true }]
    const demanded: Change[] =
      direction === 'sent' && must(is, name) && !must(was, name)
        ? [{ ...at, says: 'is required now', breaks: true }]
        : []
    if (before === undefined)
      return [...demanded, { ...at, says: 'is new', breaks: false, added: after }]
    const missing: Change[] =
      direction === 'received' && must(was, name) && !must(is, name)
        ? [{ ...at, says: 'may be missing now', breaks: true }]
        : []
    const discouraged: Change[] =
      after.deprecated && !before.deprecated
        ? [{ ...at, says: 'is deprecated', breaks: false }]
        : []
    return [
      ...demanded,
      ...missing,
      ...discouraged,
      ...compare(direction, { was: before, is: after, place: at }),
    ]
  })
}
