/**
 * A provider's JSON schema for `extendedMetadata`: looked over when it is saved, and run under a time limit when it is used.
 * All patterns of a schema share one limit. Whatever it does, a job is refused with a sentence and the hub goes on.
 */
import { setImmediate } from 'node:timers/promises'
import { createContext, Script } from 'node:vm'
import { type Detail, HubError } from '@dragoman/contract'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { LRUCache } from 'lru-cache'
import { advice, type Pattern, readSchema, type Schema, type SchemaFault } from './schema-rules.ts'

/** How long one document, or all patterns of a schema on hard texts, may keep the processor. V8 stops a running expression too. */
const mostMs = 150

/** Refuses a schema that cannot be compiled or would be dangerous to run. Others get a turn between its parts. */
export async function mustBeSafeSchema(schema: Schema): Promise<void> {
  const read = readSchema(schema)
  if ('fault' in read) throw refusal(read.fault)
  await setImmediate()
  const slow = slowPattern(read.patterns)
  if (slow) throw refusal({ path: slow.path, message: `the patterns take too long on some texts; ${advice}` })
  await setImmediate()
  const check = compile(schema)
  if (typeof check !== 'function') throw refusal(check)
  await setImmediate()
  const { trouble } = tryOn(check, {})
  if (trouble !== undefined) throw refusal({ path: 'extendedMetadataSchema', message: `on an empty object ${trouble}` })
}

function refusal({ path, message }: SchemaFault): HubError {
  return new HubError('INVALID_REQUEST', { because: `${path}: ${message}.` }, { details: [{ path, message }] })
}

/** Tried on texts that are hard for it, for the forms that an analysis overlooks; the pattern at which time ran out. */
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
 * Runs `work` and says whether it ended in time; its result is kept by the caller. Where the machine was busy with others,
 * the work had less of the processor than its time, and is tried again with more.
 */
function inTime(work: () => unknown): boolean {
  const before = process.cpuUsage()
  for (let timeout = mostMs; ; timeout *= 2) {
    if (endsWithin(work, timeout)) return true
    const { user, system } = process.cpuUsage(before)
    if (user + system > mostMs * 800) return false
  }
}

function endsWithin(work: () => unknown, timeout: number): boolean {
  context ??= createContext({})
  context.work = work
  try {
    timed.runInContext(context, { timeout })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  } finally {
    context.work = undefined
  }
}
const timed = new Script('work()')
let context: { work?: unknown } | undefined

// Neither optimizing nor writing a part again at each reference: both take longer than a check ever saves.
const options: Options = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  logger: false,
  inlineRefs: false,
  code: { optimize: false },
}
const dialectOf = ({ $schema }: Schema) => (/2019-09|2020-12/.test(String($schema ?? '').slice(0, 100)) ? Ajv2020 : Ajv)
const plain = ({ $schema: _, $id: __, ...rest }: Schema): Schema => rest

/** By the schema of schemas: one of each dialect, made when it is first needed. */
const judges = new Map<typeof Ajv | typeof Ajv2020, Ajv | Ajv2020>()

function compile(schema: Schema): ValidateFunction | SchemaFault {
  const Dialect = dialectOf(schema)
  const judge = judges.get(Dialect) ?? new Dialect(options)
  judges.set(Dialect, judge)
  const fault = (because: string): SchemaFault => ({
    path: 'extendedMetadataSchema',
    message: `it is not a valid JSON schema: ${because}`,
  })
  try {
    if (!judge.validateSchema(plain(schema))) return fault(judge.errorsText())
    return new Dialect({ ...options, meta: false, validateSchema: false }).compile(plain(schema))
  } catch (error) {
    return fault((error as Error).message)
  }
}

/** Compiled schemas by their text: right on every node, since the text is the key. */
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

/** What is wrong with the metadata by this schema (JSON text), or nothing. */
export function metadataFaults(schemaText: string, metadata: unknown): Detail[] {
  const check = compiledOf(schemaText)
  const told = (message: string): Detail[] => [{ path: 'extendedMetadata', message }]
  // Saved before there was this rule.
  if (typeof check !== 'function')
    return told(`cannot be checked: the schema of its provider must be saved anew. ${check.path}: ${check.message}`)
  const { trouble, faults = [] } = tryOn(check, metadata)
  return trouble === undefined ? faults : told(`cannot be checked by the schema of its provider: ${trouble}`)
}

function tryOn(check: ValidateFunction, metadata: unknown): { faults?: Detail[]; trouble?: string } {
  let valid: unknown = false
  try {
    const ended = inTime(() => {
      valid = check(metadata)
    })
    if (!ended) return { trouble: `it takes more than ${mostMs} ms` }
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
