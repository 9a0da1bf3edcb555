/**
 * A project's `dragoman.yml`, searched from the current folder upwards: what to push, where to, and where translations go.
 * Errors name line and column.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type FormatId, formatIds, isFormatId } from '@dragoman/contract/wire'
import { UsageError } from '../command.ts'
import { type Located, locate } from './yaml-place.ts'

export type Project = {
  /** The folder that paths are relative to; nothing is written outside it. */
  readonly root: string
  readonly hub?: string
  readonly clientId?: string
  readonly name?: string
  readonly source?: string
  readonly targets?: readonly string[]
  readonly provider?: string
  readonly files?: readonly string[]
  readonly ignore?: readonly string[]
  readonly labels?: readonly string[]
  readonly output?: string
  /** Maps codes of the project to accepted ones. */
  readonly languages?: Readonly<Record<string, string>>
  /** How every file is read, where its name and bytes shall not decide. */
  readonly format?: FormatId
}

const fileNames = ['dragoman.yml', 'dragoman.yaml']
const texts = ['hub', 'clientId', 'name', 'source', 'provider', 'output', 'format'] as const
const lists = ['targets', 'files', 'ignore', 'labels'] as const
const known: readonly string[] = [...texts, ...lists, 'languages']

/** The project in `named`, or in the nearest file above; without one, the current folder with defaults. */
export async function readProject(cwd: string, named?: string): Promise<Project> {
  const file = named === undefined ? findAbove(cwd) : resolve(cwd, named)
  if (file === undefined) return { root: cwd }
  const text = readText(file)
  return { root: dirname(file), ...read(await locate(text, file)) }
}

function findAbove(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const found = fileNames.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (found !== undefined) return found
    if (dirname(folder) === folder) return undefined
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`)
  }
}

function read({ value, fault }: Located): Omit<Project, 'root'> {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw fault([], 'the file must contain keys and values.')
  const given = value as Record<string, unknown>
  for (const key of Object.keys(given))
    if (!known.includes(key)) {
      const hint = /secret/i.test(key) ? ' Set the secret in the environment: HUB_CLIENT_SECRET.' : ''
      throw fault([key], `"${key}" is unknown; the keys are ${known.join(', ')}.${hint}`)
    }
  const found: Record<string, unknown> = {}
  for (const key of texts) {
    if (given[key] === undefined || given[key] === null) continue
    if (typeof given[key] !== 'string' || given[key] === '') throw fault([key], `${key} must be a string.`)
    found[key] = given[key]
  }
  if (typeof found.format === 'string' && !isFormatId(found.format))
    throw fault(['format'], `"${found.format}" is no format; there are ${formatIds.join(', ')}.`)
  for (const key of lists) {
    if (given[key] === undefined || given[key] === null) continue
    const list = [given[key]].flat()
    list.forEach((one, at) => {
      if (typeof one !== 'string' || one === '')
        throw fault(Array.isArray(given[key]) ? [key, at] : [key], `${key} must be a list of strings.`)
    })
    found[key] = list
  }
  if (given.languages !== undefined && given.languages !== null) found.languages = readTable(given.languages, fault)
  return found
}

function readTable(value: unknown, fault: Located['fault']): Record<string, string> {
  const says = 'languages must be a map such as { zh-Hant: zh-tw }.'
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fault(['languages'], says)
  for (const [code, accepted] of Object.entries(value))
    if (typeof accepted !== 'string' || accepted === '') throw fault(['languages', code], says)
  return value as Record<string, string>
}
