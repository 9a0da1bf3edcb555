/**
 * Where translations go: a pattern such as `translated/{lang}/{path}`, filled for each request. No
 * path leads out of the project, even through links, and no two translations share one. The SDK
 * sanitises names from the hub.
 */
import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { findLanguage, type JobRequest } from '@dragoman/contract/wire'
import { distinctPath, folded, safePath } from '@dragoman/sdk/node'
import { Refusal, UsageError } from '../../command.ts'
import { matchesGlob, restOf } from '../glob-match.ts'
import { fillPattern, unknownBlank, usualPattern } from '../output-pattern.ts'
import type { Project } from '../project.ts'

export type Placed = { readonly request: JobRequest; readonly path: string }

export function mustBePattern(pattern: string): void {
  const unknown = unknownBlank(pattern)
  if (unknown !== undefined) throw new UsageError(unknown)
}

/**
 * Where the files of a project go: by `--output`, otherwise by their entry in `files`, otherwise by
 * `output`.
 */
export type Outputs = {
  patternFor(path: string): string
  restFor(path: string): string
  /** The project's own name for a code of the hub. */
  nameOf(code: string): string
  /** Every pattern that may apply. */
  readonly all: readonly string[]
}

export function outputsOf(
  { files = [], output, languages = {}, targets = [] }: Project,
  named?: string,
): Outputs {
  const entryFor = (path: string) => files.find(({ source }) => matchesGlob(source, path))
  const common = named ?? output ?? usualPattern
  const names = Object.entries(languages).sort(
    ([a], [b]) => Number(targets.includes(b)) - Number(targets.includes(a)),
  )
  const own = named === undefined ? files.flatMap((entry) => entry.output ?? []) : []
  const isCovered =
    named === undefined && output === undefined && own.length > 0 && own.length === files.length
  return {
    patternFor: (path) => named ?? entryFor(path)?.output ?? common,
    restFor: (path) => {
      const source = entryFor(path)?.source
      return source === undefined ? path : restOf(source, path)
    },
    nameOf: (code) =>
      names.find(([, accepted]) => findLanguage(accepted) === findLanguage(code))?.[0] ?? code,
    all: [...new Set(isCovered ? own : [...own, common])],
  }
}

export async function placeAll(
  root: string,
  outputs: Outputs,
  requests: readonly JobRequest[],
): Promise<Placed[]> {
  const taken = new Map<string, Placed>()
  for (const request of requests) {
    const own = await mustBeInside(root, fill(outputs, request), request)
    const alike = taken.get(folded(own))
    const path = alike && alike.path !== own ? distinctPath(own, request.sourceNativeId) : own
    const other = taken.get(folded(path))?.request
    if (other)
      throw new UsageError(
        `"${outputs.patternFor(request.sourceNativeId)}" gives the same path for ${told(other)} and ${told(request)}: ${relative(root, path)}. Use {lang} and {path}.`,
      )
    taken.set(folded(path), { request, path })
  }
  return [...taken.values()]
}

const told = ({ requestName, targetNativeLanguageCode }: JobRequest) =>
  `"${requestName}" (${targetNativeLanguageCode})`

function fill({ patternFor, restFor, nameOf }: Outputs, request: JobRequest): string {
  const given = request.sourceNativeId
  // Key-value content has no file; it is written as JSON.
  const path = safePath(request.fileName === undefined ? `${given}.json` : given)
  return fillPattern(patternFor(given), {
    lang: safePath(nameOf(request.targetNativeLanguageCode)),
    path,
    rest: restFor(path),
  })
}

async function mustBeInside(root: string, filled: string, request: JobRequest): Promise<string> {
  const path = resolve(root, filled)
  const refuse = () =>
    new Refusal(
      `${told(request)} would be written to ${path}, outside ${root}. Nothing was written.`,
    )
  if (isAbsolute(filled) || filled.includes('\0') || isOutside(root, path)) throw refuse()
  const kept = relative(root, path).split(sep).find(isRepository)
  if (kept !== undefined)
    throw new Refusal(
      `${told(request)} would be written to ${path}, inside ${kept}, which belongs to the repository. Nothing was written.`,
    )
  // A link in the path may also lead outside: the existing parts must really be inside.
  const there = await nearest(path)
  if (isOutside(await realpath(root), await realpath(there)) && there !== root) throw refuse()
  return path
}

/**
 * Git runs what stands in its folder. Some file systems ignore case, and dots and blanks at the
 * end, or know a short name.
 */
const isRepository = (name: string): boolean =>
  /^(?:\.git|\.hg|\.svn|\.bzr|git~\d)[\s.\u200b-\u200f\u202a-\u202e\u206a-\u206f\ufeff]{0,64}$/i.test(
    name,
  )

function isOutside(root: string, path: string): boolean {
  const within = relative(root, path)
  return within === ''
    ? false
    : within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within)
}

async function nearest(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const found = await realpath(at).catch(() => undefined)
    if (found !== undefined || dirname(at) === at) return found ?? at
  }
}

export const besideRoot = (root: string, path: string): string =>
  relative(root, path) || join('.', path)
