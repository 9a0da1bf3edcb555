/**
 * Checks a call against the schemas of its endpoint. Bodies are never coerced; query values, which
 * are always text, are converted to the type of their schema. Reports each fault with its path, 50
 * at most.
 */
import { type Detail, HubError, languageRefusal } from '@dragoman/contract'
import type { TSchema } from 'typebox'
import { checkerOf } from './check-value.ts'
import { type Finding, type Findings, openFindings } from './findings.ts'
import type { Node } from './schema-node.ts'

type Where = 'body' | 'query'

const maxDetails = 50

/** The check of a schema, compiled on first use. */
export function compiledOnce<V, R>(
  compile: (schema: TSchema) => (value: V) => R,
  schema: TSchema,
): (value: V) => R {
  let check: ((value: V) => R) | undefined
  return (value) => {
    check ??= compile(schema)
    return check(value)
  }
}

/**
 * A check of bodies by this schema: returns the body with one spelling per field and without null
 * ones.
 */
export function bodyCheck(
  schema: TSchema,
  options: { maxDetails?: number } = {},
): (body: unknown) => unknown {
  const steps = bodySteps(schema, options)
  return (body) => {
    for (const _ of steps(body));
    return body
  }
}

/** The same check with pauses, for bodies with thousands of items. */
export function bodySteps(
  schema: TSchema,
  options: { maxDetails?: number } = {},
): (body: unknown) => Generator<void> {
  const forms = ((schema as Node).anyOf ?? [schema as Node]).map((form) => ({
    form,
    ...checkerOf(form),
  }))
  return function* (body) {
    const findings = openFindings(options.maxDetails ?? maxDetails)
    if (body === undefined)
      throw invalid('body', [{ path: '', message: 'it is missing; send a JSON object' }])
    const chosen = forms.find(({ form }) => looksLike(form, body)) ?? forms.at(-1)
    if (chosen?.steps) yield* chosen.steps(body, findings)
    else chosen?.check(body, findings)
    mustBeNone('body', findings)
  }
}

/** Guesses which of several forms a body was meant to have: its errors are the useful ones. */
function looksLike(form: Node, body: unknown): boolean {
  if (form.type === 'array') return Array.isArray(body)
  return (
    typeof body === 'object' &&
    body !== null &&
    (form.required ?? []).every((name) => Object.hasOwn(body, name))
  )
}

/** The names of the parameters of a query. */
export function queryNames(schema: TSchema): Set<string> {
  const { properties = {}, aliases = {} } = schema as Node
  return new Set([...Object.keys(properties), ...Object.keys(aliases)])
}

/** A check of query values by this schema: drops unknown ones. */
export function queryCheck(schema: TSchema): (query: Record<string, unknown>) => unknown {
  const node = schema as Node
  const { check } = checkerOf(node)
  const names = queryNames(schema)
  return (query) => {
    const known: Record<string, unknown> = {}
    for (const name of names) {
      const value = query[name]
      if (value === undefined) continue
      for (const text of Array.isArray(value) ? value : [value]) mustBeText(name, String(text))
      known[name] = typed(node.properties?.[node.aliases?.[name] ?? name], name, value)
    }
    const findings = openFindings(maxDetails)
    check(known, findings)
    mustBeNone('query', {
      ...findings,
      list: findings.list.map((finding) => withRepeated(finding, known)),
    })
    return known
  }
}

/** A list is often written with commas. */
function withRepeated(finding: Finding, query: Readonly<Record<string, unknown>>): Finding {
  const [, name = ''] = /^(\w+)\[\d+\]$/.exec(finding.path) ?? []
  const values = query[name]
  if (!Array.isArray(values) || !values.some((value) => String(value).includes(','))) return finding
  return {
    ...finding,
    message: `${finding.message}; for several, repeat the parameter: ${name}=…&${name}=…`,
  }
}

/**
 * Converts a query value to the type of its schema; the check refuses a value that does not fit.
 */
function typed(node: Node | undefined, name: string, value: unknown): unknown {
  if (node?.type === 'array') return Array.isArray(value) ? value : [value]
  if (Array.isArray(value))
    throw invalid('query', [{ path: name, message: 'may appear only once' }])
  if (node?.type === 'integer' && /^-?\d{1,15}$/.test(String(value))) return Number(value)
  if (node?.type === 'number' && /^-?\d{1,15}(?:\.\d{1,9})?$/.test(String(value)))
    return Number(value)
  if (node?.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** Path and query are text that the stores must be able to store and compare. */
export function mustBeText(name: string, text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw invalid('query', [{ path: name, message: 'contains a character that is not allowed' }])
}

function mustBeNone(where: Where, { list }: Findings): void {
  if (list.length === 0) return
  const details = list.map(({ path, message }) => ({ path, message }))
  throw refusal(where, list, details)
}

function refusal(where: Where, list: readonly Finding[], details: Detail[]): HubError {
  const code = list.find(({ language }) => language !== undefined)?.language
  if (code !== undefined)
    return new HubError('INVALID_LANGUAGE', { because: languageRefusal(code) }, { details })
  const large = list.find(({ maxBytes }) => maxBytes !== undefined)
  if (large)
    return new HubError(
      'CONTENT_TOO_LARGE',
      { what: large.path, limit: large.maxBytes ?? 0 },
      { details },
    )
  return invalid(where, details)
}

function invalid(where: Where, details: Detail[]): HubError {
  const [first] = details
  const because = `${[first?.path, first?.message].filter(Boolean).join(' ')}.`
  return new HubError(
    where === 'body' ? 'INVALID_REQUEST' : 'INVALID_PARAMETER',
    { because },
    { details },
  )
}
