/**
 * A provider's JSON schema for `extendedMetadata`. It is checked when saved and runs under a time
 * limit, which all its patterns share. Whatever the schema does, a bad job is refused with an error
 * and the hub keeps running.
 */
import { setImmediate } from 'node:timers/promises'
import { createContext, Script } from 'node:vm'
import { type Detail, HubError } from '@dragoman/contract'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { LRUCache } from 'lru-cache'
import { advice, type Pattern, readSchema, type Schema, type SchemaFault } from './schema-rules.ts'

/**
 * Processor time for one document, or for all patterns of a schema on hard texts. V8 also stops a
 * running regular expression.
 */
const limitMs = 150

/** Refuses a schema that cannot be compiled or is dangerous to run. Yields between its steps. */
export async function mustBeSafeSchema(schema: Schema): Promise<void> {
  const read = readSchema(schema)
  if ('fault' in read) throw refusal(read.fault)
  await setImmediate()
  const slow = slowPattern(read.patterns)
  if (slow)
    throw refusal({
      path: slow.path,
      message: `the patterns take too long on some texts; ${advice}`,
    })
  await setImmediate()
  const check = compile(schema)
  if (typeof check !== 'function') throw refusal(check)
  await setImmediate()
  const { trouble } = tryOn(check, {})
  if (trouble !== undefined)
    throw refusal({ path: 'extendedMetadataSchema', message: `on an empty object ${trouble}` })
}

function refusal({ path, message }: SchemaFault): HubError {
  return new HubError(
    'INVALID_REQUEST',
    { because: `${path}: ${message}.` },
    { details: [{ path, message }] },
  )
}

/**
 * Tries the patterns on hard texts, for cases the analysis overlooks. Returns the pattern at which
 * the time ran out.
 */
function slowPattern(patterns: readonly Pattern[]): Pattern | undefined {
  let slow: Pattern | undefined
  const ended = inTime(() => {
    for (const one of patterns) {
      slow = one
      const regex = new RegExp(one.pattern, 'u')
      const letters = [...new Set(`a0 ${one.pattern.replace(/\\./g, '')}`)].slice(0, 24)
      for (const letter of letters) regex.test(`${letter.repeat(1_000)}\u0001`)
    }
  })
  return ended ? undefined : slow
}

/**
 * Runs `work` and returns whether it finished in time; the caller stores the result. One try proves
 * nothing: a busy machine gives it less processor time than the limit, and a virtual one may count
 * time that its host took away.
 */
function inTime(work: () => unknown): boolean {
  const before = process.cpuUsage()
  for (let tries = 1; ; tries += 1) {
    if (endsWithin(work, (limitMs / 2) * Math.max(1, tries - 1))) return true
    const { user, system } = process.cpuUsage(before)
    if (tries > 1 && user + system > limitMs * 800) return false
  }
}

function endsWithin(work: () => unknown, timeout: number): boolean {
  let hasEnded = false
  context ??= createContext({})
  context.work = () => {
    work()
    hasEnded = true
  }
  try {
    timed.runInContext(context, { timeout })
    return true
  } catch (error) {
    // The thread that keeps the time may begin so late that it reports a timeout after the work has
    // ended.
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return hasEnded
    throw error
  } finally {
    context.work = undefined
  }
}
const timed = new Script('work()')
let context: { work?: unknown } | undefined

// No optimization and no inlined references: both cost more time than they save in checks.
const options: Options = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  logger: false,
  inlineRefs: false,
  code: { optimize: false },
}
const dialectOf = ({ $schema }: Schema) =>
  /2019-09|2020-12/.test(String($schema ?? '').slice(0, 100)) ? Ajv2020 : Ajv
const plain = ({ $schema: _, $id: __, ...rest }: Schema): Schema => rest

/** Validates schemas by the meta-schema, one validator per dialect, made on first use. */
const validators = new Map<typeof Ajv | typeof Ajv2020, Ajv | Ajv2020>()

function compile(schema: Schema): ValidateFunction | SchemaFault {
  const Dialect = dialectOf(schema)
  const validator = validators.get(Dialect) ?? new Dialect(options)
  validators.set(Dialect, validator)
  const fault = (because: string): SchemaFault => ({
    path: 'extendedMetadataSchema',
    message: `it is not a valid JSON schema: ${because}`,
  })
  try {
    if (!validator.validateSchema(plain(schema))) return fault(validator.errorsText())
    return new Dialect({ ...options, meta: false, validateSchema: false }).compile(plain(schema))
  } catch (error) {
    return fault((error as Error).message)
  }
}

/** Compiled schemas by their text, and so correct on every node. */
const compiled = new LRUCache<string, ValidateFunction | SchemaFault>({ max: 100 })

function compiledOf(schemaText: string): ValidateFunction | SchemaFault {
  const known = compiled.get(schemaText)
  if (known) return known
  const schema = JSON.parse(schemaText) as Schema
  const read = readSchema(schema)
  const made = 'fault' in read ? read.fault : compile(schema)
  compiled.set(schemaText, made)
  return made
}

/** The errors of the metadata by this schema (JSON text). */
export function metadataFaults(schemaText: string, metadata: unknown): Detail[] {
  const check = compiledOf(schemaText)
  const error = (message: string): Detail[] => [{ path: 'extendedMetadata', message }]
  // Saved before this rule existed.
  if (typeof check !== 'function')
    return error(
      `cannot be checked: the schema of its provider must be saved again. ${check.path}: ${check.message}`,
    )
  const { trouble, faults = [] } = tryOn(check, metadata)
  return trouble === undefined
    ? faults
    : error(`cannot be checked by the schema of its provider: ${trouble}`)
}

/** Checks a schema and a sample before either is saved. */
export async function checkMetadata(given: {
  readonly extendedMetadataSchema: Schema
  readonly extendedMetadata?: unknown
}): Promise<{ faults: Detail[] }> {
  await mustBeSafeSchema(given.extendedMetadataSchema)
  if (given.extendedMetadata === undefined) return { faults: [] }
  return {
    faults: metadataFaults(JSON.stringify(given.extendedMetadataSchema), given.extendedMetadata),
  }
}

function tryOn(
  check: ValidateFunction,
  metadata: unknown,
): { faults?: Detail[]; trouble?: string } {
  let valid: unknown = false
  try {
    const ended = inTime(() => {
      valid = check(metadata)
    })
    if (!ended) return { trouble: `it takes more than ${limitMs} ms` }
  } catch (error) {
    return { trouble: (error as Error).message }
  }
  const faults = (check.errors ?? []).slice(0, 20).map((error) => ({
    path: `extendedMetadata${error.instancePath}`,
    message: error.message ?? 'is not valid',
  }))
  check.errors = null
  return valid ? {} : { faults }
}
