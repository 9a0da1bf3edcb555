/**
 * Limits on a provider's JSON schema, which is untrusted: the number of its parts is bounded and so
 * is compiling it, references stay inside the schema and never form an endless loop, and patterns
 * do not backtrack. Decided from the schema alone, so the result is the same on every machine.
 */
import { limits } from '@dragoman/contract'
import safeRegex from 'safe-regex2'
import { decodeUri, isObject } from '../../process/parse.ts'

export type Schema = Record<string, unknown>
export type SchemaFault = { readonly path: string; readonly message: string }
export type Pattern = { readonly pattern: string; readonly path: string }
type Seen = {
  readonly schemas: Schema[]
  readonly patterns: Pattern[]
  readonly refs: Map<Schema, Schema>
}

/** Keywords that change how references or results work; metadata needs none of them. */
const refusedTexts = ['$dynamicRef', '$recursiveRef', '$anchor', '$dynamicAnchor', '$id']
const refusedFlags = ['$async', '$recursiveAnchor']
/** Keywords that apply other schemas to the same value. A cycle of only these never ends. */
const listsInPlace = ['allOf', 'anyOf', 'oneOf']
const schemasInPlace = ['not', 'if', 'then', 'else']
const mapsInPlace = ['dependentSchemas', 'dependencies']

/** The patterns of the schema, or its fault. */
export function readSchema(
  schema: Schema,
): { patterns: readonly Pattern[] } | { fault: SchemaFault } {
  const seen: Seen = { schemas: [], patterns: [], refs: new Map() }
  const { $id: _, ...rest } = schema
  const fault =
    walk(rest, 'extendedMetadataSchema', rest, seen) ??
    seen.patterns.map(patternFault).find((one) => one !== undefined) ??
    circleIn(seen)
  return fault ? { fault } : { patterns: seen.patterns }
}

function walk(value: unknown, path: string, root: Schema, seen: Seen): SchemaFault | undefined {
  if (Array.isArray(value)) {
    const max = limits.metadataSchemaList
    if (value.length > max) return { path, message: `the list has more than ${max} items` }
    return firstFault(value.entries(), (at, item) => walk(item, `${path}/${at}`, root, seen))
  }
  if (!isObject(value)) return undefined
  seen.schemas.push(value)
  const max = limits.metadataSchemaObjects
  if (seen.schemas.length > max)
    return { path, message: `the schema has more than ${max} objects inside; make it simpler` }
  return firstFault(Object.entries(value), (key, inner) => {
    const here = `${path}/${key.slice(0, 100)}`
    return (
      keywordFault({ schema: value, key, inner, path: here }, root, seen) ??
      walk(inner, here, root, seen)
    )
  })
}

function firstFault<K>(
  entries: Iterable<readonly [K, unknown]>,
  look: (key: K, inner: unknown) => SchemaFault | undefined,
): SchemaFault | undefined {
  for (const [key, inner] of entries) {
    const fault = look(key, inner)
    if (fault) return fault
  }
  return undefined
}

type Keyword = {
  readonly schema: Schema
  readonly key: string
  readonly inner: unknown
  readonly path: string
}

function keywordFault(
  { schema, key, inner, path }: Keyword,
  root: Schema,
  seen: Seen,
): SchemaFault | undefined {
  if (key === '$data') return { path, message: '$data is not supported' }
  if (refusedTexts.includes(key) && typeof inner === 'string')
    return {
      path,
      message: `${key} is not supported; name a part under $defs and refer to it as #/$defs/name`,
    }
  if (refusedFlags.includes(key) && typeof inner === 'boolean')
    return { path, message: `${key} is not supported` }
  if (key === '$ref' && typeof inner === 'string')
    return referenceFault(inner, { schema, path }, root, seen)
  if (key === 'pattern' && typeof inner === 'string') seen.patterns.push({ pattern: inner, path })
  if (key === 'patternProperties' && isObject(inner))
    for (const pattern of Object.keys(inner))
      seen.patterns.push({ pattern, path: `${path}/${pattern.slice(0, 100)}` })
  const max = limits.metadataSchemaPatterns
  return seen.patterns.length > max
    ? { path, message: `the schema has more than ${max} patterns` }
    : undefined
}

function referenceFault(
  ref: string,
  { schema, path }: Pick<Keyword, 'schema' | 'path'>,
  root: Schema,
  seen: Seen,
): SchemaFault | undefined {
  if (ref !== '#' && !ref.startsWith('#/'))
    return { path, message: 'references may only lead inside the schema, such as #/$defs/name' }
  const target = findTarget(root, ref)
  if (target === undefined)
    return { path, message: `the reference ${ref.slice(0, 100)} leads nowhere` }
  if (isObject(target)) seen.refs.set(schema, target)
  return undefined
}

function findTarget(root: Schema, ref: string): unknown {
  let at: unknown = root
  for (const step of ref.split('/').slice(1)) {
    const name = decodeUri(step)?.replaceAll('~1', '/').replaceAll('~0', '~')
    if (name === undefined || typeof at !== 'object' || at === null || !Object.hasOwn(at, name))
      return undefined
    at = (at as Schema)[name]
  }
  return typeof at === 'boolean' || isObject(at) ? at : undefined
}

/**
 * Finds a schema that leads back to itself on the same value. A cycle that descends into the value
 * ends with the value.
 */
function circleIn({ schemas, refs }: Seen): SchemaFault | undefined {
  const state = new Map<Schema, 'open' | 'done'>()
  const isCyclic = (schema: Schema): boolean => {
    const known = state.get(schema)
    if (known !== undefined) return known === 'open'
    state.set(schema, 'open')
    const cyclic = [refs.get(schema) ?? [], inPlace(schema)].flat().some(isCyclic)
    state.set(schema, 'done')
    return cyclic
  }
  const message =
    'a reference leads back to itself on the same value, so that a check would never end'
  return schemas.some(isCyclic) ? { path: 'extendedMetadataSchema', message } : undefined
}

const inPlace = (schema: Schema): Schema[] =>
  [
    ...schemasInPlace.map((key) => schema[key]),
    ...listsInPlace.map((key) => schema[key]),
    ...mapsInPlace.map((key) => (isObject(schema[key]) ? Object.values(schema[key]) : [])),
  ]
    .flat()
    .filter(isObject)

function patternFault({ pattern, path }: Pattern): SchemaFault | undefined {
  const max = limits.metadataSchemaPatternCharacters
  if (pattern.length > max) return { path, message: `the pattern has more than ${max} characters` }
  if (!safeRegex(pattern))
    return { path, message: `the pattern can take for ever on some texts; ${advice}` }
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch (error) {
    return { path, message: `the pattern is not a regular expression: ${(error as Error).message}` }
  }
}

export const advice = 'write it without nested or overlapping repetitions'
