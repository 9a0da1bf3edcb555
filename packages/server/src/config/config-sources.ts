/**
 * Where the keys come from: the environment, which overrides the YAML or JSON file named by
 * DRAGOMAN_CONFIG. That of a hub is called hub.yml; its former name is that of a project's file.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parse } from 'yaml'
import { configKeys } from './config-keys.ts'

/** The hub refuses to start; the message tells the operator everything. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type Env = Readonly<Record<string, string | undefined>>

/** The keys of the file, overridden by those of the environment. */
export function gather(env: Env): Map<string, string> {
  const given = new Map<string, string>()
  const path = env.DRAGOMAN_CONFIG && fileOf(env.DRAGOMAN_CONFIG)
  if (path) for (const [key, text] of readFileKeys(path)) given.set(key, text)
  for (const [key, text] of Object.entries(env)) {
    if (!key.startsWith('DRAGOMAN_') || key.startsWith('DRAGOMAN_TEST_')) continue
    if (!Object.hasOwn(configKeys, key))
      throw new ConfigError(
        `${key} in the environment is not a key of Dragoman; docs/config.md lists them.`,
      )
    if (text) given.set(key, text)
  }
  return given
}

const formerName = /^dragoman\.ya?ml$/
const told = new Set<string>()

/** The file itself, or the one under the former name beside it. Tells of a former name once. */
function fileOf(named: string): string {
  const former = join(dirname(named), 'dragoman.yml')
  const isMissing = basename(named) === 'hub.yml' && !existsSync(named) && existsSync(former)
  const path = isMissing ? former : named
  if (formerName.test(basename(path)) && !told.has(path)) {
    told.add(path)
    const newName = join(dirname(path), 'hub.yml')
    process.emitWarning(
      `The settings of the hub are read from ${path}, which is the name of a project's file: rename it to ${newName}.`,
    )
  }
  return path
}

function readFileKeys(path: string): Map<string, string> {
  const refuse = (why: string) => new ConfigError(`DRAGOMAN_CONFIG names "${path}", ${why}.`)
  let content: unknown
  try {
    // Every scalar stays text as written: digits are not a number, and off is not false.
    content = parse(readFileSync(path, 'utf8'), { schema: 'failsafe', mapAsMap: true })
  } catch (error) {
    throw refuse(
      `which cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
    )
  }
  const given = new Map<string, string>()
  if (content === null || content === '') return given
  if (!(content instanceof Map)) throw refuse('which must contain keys and values')
  for (const [key, held] of content) {
    if (typeof key !== 'string' || !Object.hasOwn(configKeys, key) || key === 'DRAGOMAN_CONFIG')
      throw refuse(
        `where ${String(key)} is not a key of Dragoman that a file may contain; docs/config.md lists them`,
      )
    const text = Array.isArray(held) ? held.join(',') : held
    if (typeof text !== 'string')
      throw refuse(`where the value of ${key} is neither a string nor a list`)
    if (text) given.set(key, text)
  }
  return given
}
