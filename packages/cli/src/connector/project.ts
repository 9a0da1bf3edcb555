/**
 * A project's `dragoman.yml`, found by searching from the current folder upwards: what to push,
 * where to, and where translations go. Errors name line and column.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type FormatId, formatIds, HubError, isFormatId } from '@dragoman/contract/wire'
import { mapLanguage } from '@dragoman/sdk'
import { UsageError } from '../command.ts'
import { didYouMean } from '../nearest.ts'
import { isTooClever } from './glob-match.ts'
import { unknownBlank } from './output-pattern.ts'
import { keysOf, projectKeys } from './project-keys.ts'
import { type Located, locate } from './yaml-place.ts'

/**
 * Some of the files: a file, a folder or a glob, with their own output and format if these differ
 * from the project's.
 */
type FilesEntry = { readonly source: string; readonly output?: string; readonly format?: FormatId }

export type Project = {
  /** The folder that paths are relative to; nothing is written outside it. */
  readonly root: string
  readonly hub?: string
  readonly clientId?: string
  readonly name?: string
  readonly source?: string
  readonly targets?: readonly string[]
  readonly provider?: string
  readonly files?: readonly FilesEntry[]
  readonly ignore?: readonly string[]
  readonly labels?: readonly string[]
  readonly output?: string
  /** Maps codes of the project to accepted ones. */
  readonly languages?: Readonly<Record<string, string>>
  /** The format of every file, instead of detecting it by name and bytes. */
  readonly format?: FormatId
}

export const projectFiles = ['dragoman.yml', 'dragoman.yaml'] as const

/**
 * The project in `named`, or in the nearest file above; without one, the current folder with
 * defaults.
 */
export async function readProject(cwd: string, named?: string): Promise<Project> {
  const file = named === undefined ? findAbove(cwd) : resolve(cwd, named)
  if (file === undefined) return { root: cwd }
  const text = readText(file)
  return { root: dirname(file), ...read(await locate(text, file)) }
}

function findAbove(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const found = projectFiles.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (found !== undefined) return found
    if (dirname(folder) === folder) return undefined
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`,
    )
  }
}

type Fault = Located['fault']
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function read({ value, fault }: Located): Omit<Project, 'root'> {
  if (value === null || value === undefined) return {}
  if (!isMap(value)) throw fault([], 'the file must contain keys and values.')
  mustBeKnown(value, Object.keys(projectKeys), [], fault)
  const given = Object.fromEntries(
    Object.entries(value).filter(([, one]) => one !== undefined && one !== null),
  )
  const found: Record<string, unknown> = {}
  for (const key of keysOf('text'))
    if (key in given) found[key] = mustBeText(given[key], [key], fault)
  for (const key of keysOf('list')) if (key in given) found[key] = readList(given[key], key, fault)
  if ('files' in given) found.files = readFiles(given.files, fault)
  if ('languages' in given) found.languages = readTable(given.languages, fault)
  const project = found as Omit<Project, 'root'>
  checkHub(project.hub, fault)
  checkFormat(project.format, ['format'], fault)
  checkOutput(project.output, ['output'], fault)
  checkLanguages(project, Array.isArray(given.targets), fault)
  return project
}

function mustBeKnown(
  given: object,
  known: readonly string[],
  path: readonly (string | number)[],
  fault: Fault,
): void {
  for (const key of Object.keys(given))
    if (!known.includes(key)) {
      const hint = /secret/i.test(key)
        ? ' Keep the secret with dragoman login, or set it in the environment: HUB_CLIENT_SECRET.'
        : didYouMean(key, known)
      throw fault([...path, key], `"${key}" is unknown; the keys are ${known.join(', ')}.${hint}`)
    }
}

function mustBeText(
  value: unknown,
  path: readonly (string | number)[],
  fault: Fault,
  name = path[0],
): string {
  if (typeof value !== 'string' || value === '') throw fault(path, `${name} must be a string.`)
  return value
}

function readList(value: unknown, key: string, fault: Fault): string[] {
  return [value].flat().map((one: unknown, at) => {
    if (typeof one === 'string' && one !== '') return one
    throw fault(Array.isArray(value) ? [key, at] : [key], `${key} must be a list of strings.`)
  })
}

function readFiles(value: unknown, fault: Fault): FilesEntry[] {
  return [value].flat().map((one: unknown, at): FilesEntry => {
    const path = Array.isArray(value) ? ['files', at] : ['files']
    if (typeof one === 'string' && one !== '') return { source: one }
    if (!isMap(one))
      throw fault(
        path,
        'files must be a list of paths, or of entries such as { source: content/en/**, output: … }.',
      )
    mustBeKnown(one, ['source', 'output', 'format'], path, fault)
    if (!('source' in one))
      throw fault(path, 'this entry needs a source: a file, a folder or a glob.')
    const texts = Object.entries(one).map(([key, text]) => [
      key,
      mustBeText(text, [...path, key], fault, key),
    ])
    const entry = Object.fromEntries(texts) as FilesEntry
    if (isTooClever(entry.source))
      throw fault(
        [...path, 'source'],
        'an entry with its own output can use *, **, ? and {a,b} only.',
      )
    checkOutput(entry.output, [...path, 'output'], fault)
    checkFormat(entry.format, [...path, 'format'], fault)
    return entry
  })
}

function readTable(value: unknown, fault: Fault): Record<string, string> {
  const says = 'languages must be a map such as { zh-Hant: zh-tw }.'
  if (!isMap(value)) throw fault(['languages'], says)
  for (const [code, accepted] of Object.entries(value))
    if (typeof accepted !== 'string' || accepted === '') throw fault(['languages', code], says)
  return value as Record<string, string>
}

function checkHub(hub: string | undefined, fault: Fault): void {
  if (hub !== undefined && !/^https?:/.test(URL.canParse(hub) ? new URL(hub).protocol : ''))
    throw fault(['hub'], `hub must be a URL such as https://hub.example.org, not "${hub}".`)
}

function checkFormat(
  format: string | undefined,
  path: readonly (string | number)[],
  fault: Fault,
): void {
  if (format !== undefined && !isFormatId(format))
    throw fault(path, `"${format}" is no format; there are ${formatIds.join(', ')}.`)
}

function checkOutput(
  output: string | undefined,
  path: readonly (string | number)[],
  fault: Fault,
): void {
  const unknown = output === undefined ? undefined : unknownBlank(output)
  if (unknown !== undefined) throw fault(path, unknown)
}

function checkLanguages(
  { source, targets = [], languages = {} }: Partial<Project>,
  isList: boolean,
  fault: Fault,
) {
  const check = (code: string, path: readonly (string | number)[]) => {
    try {
      mapLanguage(code, languages)
    } catch (error) {
      if (!(error instanceof HubError)) throw error
      throw fault(
        path,
        error.message.replace('the option `languages`', 'languages, such as { de: de-DE }'),
      )
    }
  }
  for (const code of Object.keys(languages)) check(code, ['languages', code])
  if (source !== undefined) check(source, ['source'])
  for (const [at, code] of targets.entries()) check(code, isList ? ['targets', at] : ['targets'])
}
