/**
 * A provider's JSON schema for `extendedMetadata` is untrusted: its size and depth are capped, references stay inside it,
 * patterns that backtrack are refused when it is saved, and it runs under a time limit when it is used.
 */
import { Script } from 'node:vm'
import { type Detail, HubError } from '@dragoman/contract'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import safeRegex from 'safe-regex2'

type Schema = Record<string, unknown>

/** How long one document may take. V8 stops a running regular expression too. */
const mostMs = 50

/** Refuses a schema that cannot be compiled or would be dangerous to run. */
export function mustBeSafeSchema(schema: Schema): void {
  walk(schema, 'extendedMetadataSchema')
  try {
    compile(schema)
  } catch (error) {
    refuse('extendedMetadataSchema', `it is not a valid JSON schema: ${(error as Error).message}`)
  }
}

function walk(value: unknown, path: string): void {
  if (Array.isArray(value)) for (const [at, item] of value.entries()) walk(item, `${path}/${at}`)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [key, inner] of Object.entries(value)) {
    const here = `${path}/${key}`
    if ((key === '$ref' || key === '$dynamicRef') && typeof inner === 'string' && !inner.startsWith('#'))
      refuse(here, 'references may only lead inside the schema (they begin with #)')
    if (key === '$data') refuse(here, '$data is not supported')
    if (key === 'pattern' && typeof inner === 'string') mustNotBacktrack(inner, here)
    if (key === 'patternProperties' && typeof inner === 'object' && inner !== null)
      for (const pattern of Object.keys(inner)) mustNotBacktrack(pattern, `${here}/${pattern}`)
    walk(inner, here)
  }
}

/** By its form first; then by a try on texts that are hard for it, for the forms that an analysis overlooks. */
function mustNotBacktrack(pattern: string, path: string): void {
  const advice = 'write it without nested or overlapping repetitions'
  if (!safeRegex(pattern)) refuse(path, `the pattern can take for ever on some texts; ${advice}`)
  let regex: RegExp
  try {
    regex = new RegExp(pattern, 'u')
  } catch (error) {
    refuse(path, `the pattern is not a regular expression: ${(error as Error).message}`)
  }
  const letters = [...new Set(`a0 ${pattern.replace(/\\./g, '')}`)].slice(0, 24)
  const hard = letters.map((letter) => `${letter.repeat(1_000)}\u0001`)
  if (!inTime(() => hard.every((text) => [regex.test(text)])))
    refuse(path, `the pattern takes too long on some texts; ${advice}`)
}

function refuse(path: string, message: string): never {
  throw new HubError('INVALID_REQUEST', { because: `${path}: ${message}.` }, { details: [{ path, message }] })
}

/** Runs `work` and says whether it ended in time; its result is kept by the caller. */
function inTime(work: () => unknown): boolean {
  try {
    timed.runInNewContext({ work }, { timeout: mostMs })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  }
}
const timed = new Script('work()')

function compile(schema: Schema): ValidateFunction {
  const { $schema, $id: _, ...rest } = schema
  const Dialect = /2019-09|2020-12/.test(String($schema ?? '')) ? Ajv2020 : Ajv
  return new Dialect({ strict: false, allErrors: false, validateFormats: false, logger: false }).compile(rest)
}

/** Compiled schemas by their text: right on every node, since the text is the key. */
const compiled = new Map<string, ValidateFunction>()

/** What is wrong with the metadata by this schema (JSON text), or nothing. */
export function metadataFaults(schemaText: string, metadata: unknown): Detail[] {
  let validate = compiled.get(schemaText)
  if (!validate) {
    validate = compile(JSON.parse(schemaText))
    if (compiled.size >= 100) compiled.clear()
    compiled.set(schemaText, validate)
  }
  const check = validate
  let valid: unknown = false
  const ended = inTime(() => {
    valid = check(metadata)
  })
  if (!ended) return [{ path: 'extendedMetadata', message: `checking it took more than ${mostMs} ms` }]
  if (valid) return []
  return (check.errors ?? []).slice(0, 20).map((error) => ({
    path: `extendedMetadata${error.instancePath}`,
    message: error.message ?? 'is not valid',
  }))
}
