/**
 * Where translations go: a pattern such as `translated/{lang}/{path}`, filled for each request. No path leads out of the
 * project, even through links, and no two translations share one. The SDK sanitises names from the hub.
 */
import { realpath } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { JobRequest } from '@dragoman/contract/wire'
import { findLanguage } from '@dragoman/contract/wire'
import { distinctPath, folded, safePath } from '@dragoman/sdk/node'
import { Refusal, UsageError } from '../command.ts'

export type Placed = { readonly request: JobRequest; readonly path: string }

export const usualPattern = '{lang}/{path}'
const blanks = ['lang', 'path', 'dir', 'name', 'ext'] as const

export function mustBePattern(pattern: string): void {
  const unknown = [...pattern.matchAll(/\{([^{}]*)\}/g)].find(([, name]) => !blanks.some((blank) => blank === name))
  if (unknown)
    throw new UsageError(
      `${unknown[0]} is unknown in "${pattern}"; you can use ${blanks.map((one) => `{${one}}`).join(' ')}.`,
    )
}

export async function placeAll(root: string, pattern: string, requests: readonly JobRequest[]): Promise<Placed[]> {
  const taken = new Map<string, Placed>()
  for (const request of requests) {
    const own = await mustBeInside(root, fill(pattern, request), request)
    const alike = taken.get(folded(own))
    const path = alike && alike.path !== own ? distinctPath(own, request.sourceNativeId) : own
    const other = taken.get(folded(path))?.request
    if (other)
      throw new UsageError(
        `"${pattern}" gives the same path for ${told(other)} and ${told(request)}: ${relative(root, path)}. Use {lang} and {path}.`,
      )
    taken.set(folded(path), { request, path })
  }
  return [...taken.values()]
}

const told = ({ requestName, targetNativeLanguageCode }: JobRequest) => `"${requestName}" (${targetNativeLanguageCode})`

function fill(pattern: string, request: JobRequest): string {
  const given = request.sourceNativeId
  // Key-value content has no file; it is written as JSON.
  const path = safePath(request.fileName === undefined ? `${given}.json` : given)
  const ext = extname(path)
  const values: Record<string, string> = {
    lang: safePath(request.targetNativeLanguageCode),
    path,
    dir: dirname(path),
    name: basename(path, ext),
    ext: ext.slice(1),
  }
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/**
 * Whether `pull` would write to this path: it matches the pattern, with an accepted code other than the source language as
 * {lang}. A pattern that begins with {path} matches everything, and is ignored.
 */
export function isPulled(pattern: string, source: string): (path: string) => boolean {
  if (/^\.?\/?\{(?!lang)/.test(pattern)) return () => false
  const parts: Record<string, string> = { lang: '([^/]{1,35})', path: '.+', dir: '.*', name: '[^/]+', ext: '[^/.]*' }
  const clean = pattern.replace(/^(\.\/)+/, '')
  const text = clean.split(/\{(\w{1,10})\}/).map((part, at) => (at % 2 === 1 ? (parts[part] ?? '') : escaped(part)))
  const fits = new RegExp(`^${text.join('')}$`, 's')
  const isTarget = (code: string) => findLanguage(code) !== undefined && findLanguage(code) !== findLanguage(source)
  return (path) => {
    const [found, ...codes] = fits.exec(path) ?? []
    return found !== undefined && codes.every((code) => code === undefined || isTarget(code))
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

async function mustBeInside(root: string, filled: string, request: JobRequest): Promise<string> {
  const path = resolve(root, filled)
  const refuse = () =>
    new Refusal(`${told(request)} would be written to ${path}, outside ${root}. Nothing was written.`)
  if (isAbsolute(filled) || filled.includes('\0') || isOutside(root, path)) throw refuse()
  // A link on the way may also lead out: existing parts must really lie inside.
  const there = await nearest(path)
  if (isOutside(await realpath(root), await realpath(there)) && there !== root) throw refuse()
  return path
}

function isOutside(root: string, path: string): boolean {
  const within = relative(root, path)
  return within === '' ? false : within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within)
}

async function nearest(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const found = await realpath(at).catch(() => undefined)
    if (found !== undefined || dirname(at) === at) return found ?? at
  }
}

export const besideRoot = (root: string, path: string): string => relative(root, path) || join('.', path)
