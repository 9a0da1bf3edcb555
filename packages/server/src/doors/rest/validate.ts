/**
 * Holds a call against the schemas of its endpoint. Bodies are never coerced; query values, which are always text, are
 * read by the type their schema names. The other spellings of a field are folded into ours first (contract, section 3).
 */
import { isDeepStrictEqual } from 'node:util'
import { type Detail, findLanguage, HubError, nearestLanguage, parseTime } from '@dragoman/contract'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'

/** The parts of a JSON schema that are looked at here. */
type Node = {
  type?: string
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  anyOf?: Node[]
  aliases?: Record<string, string>
  denyNull?: boolean
}
type Where = 'body' | 'query'

const ajv = new Ajv({ allErrors: true, strict: false, verbose: true, validateFormats: false, logger: false })
ajv.addKeyword({
  keyword: 'maxBytes',
  type: 'string',
  schemaType: 'number',
  validate: (most: number, text: string) => Buffer.byteLength(text) <= most,
})
ajv.addKeyword({
  keyword: 'maxCodePoints',
  type: 'string',
  schemaType: 'number',
  // No text has more characters than code units.
  validate: (most: number, text: string) => text.length <= most || [...text].length <= most,
})
ajv.addKeyword({
  keyword: 'notBlank',
  type: 'string',
  validate: (_: boolean, text: string) => text.trim() !== '',
})
ajv.addKeyword({
  keyword: 'language',
  type: 'string',
  validate: (_: boolean, text: string) => findLanguage(text) !== undefined,
})
ajv.addKeyword({
  keyword: 'time',
  type: 'string',
  validate: (_: boolean, text: string) => parseTime(text) !== undefined,
})
ajv.addKeyword({
  keyword: 'maxJsonBytes',
  schemaType: 'number',
  validate: (most: number, value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= most,
})
ajv.addKeyword({
  keyword: 'maxDepth',
  schemaType: 'number',
  validate: (most: number, value: unknown) => depthOf(value) <= most,
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let deepest = 0
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner))
  return deepest + 1
}

/** The check of a schema, compiled when it is first asked for. */
export function compiledOnce<V>(
  compile: (schema: TSchema) => (value: V) => unknown,
  schema: TSchema,
): (value: V) => unknown {
  let check: ((value: V) => unknown) | undefined
  return (value) => {
    check ??= compile(schema)
    return check(value)
  }
}

/** A check of bodies by this schema: gives back the body with one spelling a field and without absent (null) ones. */
export function bodyCheck(schema: TSchema, options: { mostDetails?: number } = {}): (body: unknown) => unknown {
  const forms = ((schema as Node).anyOf ?? [schema as Node]).map((form) => ({
    form,
    fold: folderOf(form),
    check: ajv.compile(form),
  }))
  return (body) => {
    if (body === undefined) throw invalid('body', [{ path: '', message: 'it is missing; send a JSON object' }])
    const chosen = forms.find(({ form }) => looksLike(form, body)) ?? forms.at(-1)
    if (!chosen) return body
    mustAgree('body', chosen.fold?.(body))
    if (!chosen.check(body)) throw refusal('body', chosen.check, options.mostDetails)
    return body
  }
}

/** Where a body may have several forms, the one it is meant to be: its errors are the ones that help. */
function looksLike(form: Node, body: unknown): boolean {
  if (form.type === 'array') return Array.isArray(body)
  return typeof body === 'object' && body !== null && (form.required ?? []).every((name) => Object.hasOwn(body, name))
}

/** A check of query values by this schema: unknown ones are dropped. */
export function queryCheck(schema: TSchema): (query: Record<string, unknown>) => unknown {
  const check = ajv.compile(schema)
  const node = schema as Node
  const fold = folderOf(node)
  const names = [...Object.keys(node.properties ?? {}), ...Object.keys(node.aliases ?? {})]
  return (query) => {
    const known: Record<string, unknown> = {}
    for (const name of names) {
      const value = query[name]
      if (value === undefined) continue
      for (const text of Array.isArray(value) ? value : [value]) mustBeText(name, String(text))
      known[name] = value
    }
    mustAgree('query', fold?.(known))
    for (const [name, value] of Object.entries(known)) known[name] = typed(node.properties?.[name], name, value)
    if (!check(known)) throw refusal('query', check)
    return known
  }
}

/** A query value by the type its schema names; a value of another form is left for the check to refuse. */
function typed(node: Node | undefined, name: string, value: unknown): unknown {
  if (node?.type === 'array') return Array.isArray(value) ? value : [value]
  if (Array.isArray(value)) throw invalid('query', [{ path: name, message: 'may be given once only' }])
  if (node?.type === 'integer' && /^-?\d{1,15}$/.test(String(value))) return Number(value)
  if (node?.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** Path and query are text that the stores must be able to keep and compare. */
export function mustBeText(name: string, text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw invalid('query', [{ path: name, message: 'holds a character that is not allowed' }])
}

/** Two spellings of one field with different values; `path` is seen from where it is told. */
type Clash = { readonly path: string; readonly message: string }
/** Makes one spelling of each field and drops absent (null) ones, all the way down. */
type Folder = (value: unknown) => Clash | undefined

/** Undefined where there is nothing to fold. Made once a schema: thousands of objects may be in one body. */
function folderOf(node: Node): Folder | undefined {
  if (node.items) return listFolder(node.items)
  return node.properties && fieldsFolder(node.properties, Object.entries(node.aliases ?? {}))
}

function listFolder(items: Node): Folder | undefined {
  const fold = folderOf(items)
  return fold && ((value) => (Array.isArray(value) ? firstClash(value, fold) : undefined))
}

function firstClash(list: readonly unknown[], fold: Folder): Clash | undefined {
  for (let at = 0; at < list.length; at += 1) {
    const clash = fold(list[at])
    if (clash) return { ...clash, path: join(`[${at}]`, clash.path) }
  }
  return undefined
}

function fieldsFolder(properties: Record<string, Node>, aliases: readonly [string, string][]): Folder {
  const inner = Object.entries(properties).map(([name, node]) => ({ name, node, fold: folderOf(node) }))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const fields = value as Record<string, unknown>
    for (const [other, ours] of aliases) {
      const given = fields[other]
      if (given === undefined) continue
      delete fields[other]
      if (given === null) continue
      if (fields[ours] !== undefined && fields[ours] !== null && !isDeepStrictEqual(fields[ours], given))
        return { path: ours, message: `${ours} and ${other} are given with different values` }
      fields[ours] = given
    }
    for (const { name, node, fold } of inner) {
      if (fields[name] === null && !node.denyNull) delete fields[name]
      const clash = fold?.(fields[name])
      if (clash) return { ...clash, path: join(name, clash.path) }
    }
    return undefined
  }
}

function mustAgree(where: Where, clash: Clash | undefined): void {
  if (clash) throw invalid(where, [clash])
}

const join = (path: string, name: string): string => (path && !name.startsWith('[') ? `${path}.${name}` : path + name)

const mostDetails = 50

function refusal(where: Where, check: ValidateFunction, most = mostDetails): HubError {
  const found = check.errors ?? []
  // Of "a language code or *" only the first half helps.
  const codes = new Set(found.filter(({ keyword }) => keyword === 'language').map(({ instancePath }) => instancePath))
  const errors = found.filter(
    ({ keyword, instancePath }) =>
      (keyword !== 'anyOf' || found.length === 1) && (keyword !== 'const' || !codes.has(instancePath)),
  )
  const details = errors.slice(0, most).map((error) => ({ path: pathOf(error), message: sentence(error) }))
  const language = errors.find((error) => isLanguage(error))
  if (language) {
    const code = String(language.data)
    return new HubError('INVALID_LANGUAGE', { code: code.slice(0, 50), nearest: nearestLanguage(code) }, { details })
  }
  const large = errors.find((error) => error.keyword === 'maxJsonBytes')
  if (large) return new HubError('CONTENT_TOO_LARGE', { what: pathOf(large), limit: Number(large.schema) }, { details })
  return invalid(where, details)
}

/** An unknown code, or a null where a code belongs. */
function isLanguage(error: ErrorObject): boolean {
  const { language } = (error.parentSchema ?? {}) as { language?: boolean }
  return error.keyword === 'language' || (language === true && error.keyword === 'type' && error.data === null)
}

function invalid(where: Where, details: Detail[]): HubError {
  const [first] = details
  const because = `${[first?.path, first?.message].filter(Boolean).join(' ')}.`
  return new HubError(where === 'body' ? 'INVALID_REQUEST' : 'INVALID_PARAMETER', { because }, { details })
}

function pathOf(error: ErrorObject): string {
  const steps = error.instancePath.split('/').slice(1)
  const path = steps.reduce((all, step) => (/^\d+$/.test(step) ? `${all}[${step}]` : join(all, step)), '')
  return error.keyword === 'required' ? join(path, String(error.params.missingProperty)) : path
}

function sentence(error: ErrorObject): string {
  const { keyword, schema, data } = error
  if (keyword === 'required') return 'is missing'
  if (keyword === 'maxBytes')
    return `has ${Buffer.byteLength(String(data))} bytes in UTF-8; at most ${schema} are allowed`
  if (keyword === 'maxCodePoints') return `is longer than ${schema} characters`
  if (keyword === 'minLength' || keyword === 'notBlank') return 'must not be empty'
  if (keyword === 'language') return `is not an accepted language code; the nearest is ${nearestLanguage(String(data))}`
  if (keyword === 'time') return 'is not a date such as 2026-11-14 or 2026-11-14T10:00:00Z'
  if (keyword === 'maxJsonBytes') return `has more than ${schema} bytes`
  if (keyword === 'maxDepth') return `is nested more than ${schema} levels deep`
  if (keyword === 'enum') return `must be one of ${(schema as unknown[]).join(', ')}`
  if (keyword === 'pattern' && described(error)) return `is not valid; expected: ${described(error)}`
  if (keyword === 'anyOf') return 'has none of the allowed forms'
  return error.message ?? 'is not valid'
}

/** What the schema says of itself, without its full stop. */
const described = ({ parentSchema }: ErrorObject): string | undefined =>
  (parentSchema as { description?: string } | undefined)?.description?.replace(/\.$/, '')
