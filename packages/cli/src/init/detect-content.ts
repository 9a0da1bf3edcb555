/**
 * Finds what can be translated in a project: walks its folders, and lets each rule claim the files
 * it knows.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasMarks, isConfiguration, readHead } from '../files/configuration.ts'
import { type Configured, configuredLanguage } from './configured-language.ts'
import { type DetectedFiles, isText, rules } from './content-rules.ts'

const skipped = new Set(
  'node_modules bower_components vendor dist build out target bin obj coverage tmp Pods DerivedData __pycache__ venv'.split(
    ' ',
  ),
)
/** Enough for any real project, and the search ends soon. */
const maxFiles = 50_000
const maxDepth = 10

/** What is found, and what is not taken, with the reason. */
export type Content = {
  readonly found: DetectedFiles[]
  readonly left: LeftOut[]
  /** The source language that the project itself names, and where. */
  readonly configured?: Configured
}
export type LeftOut = { readonly why: string; readonly paths: readonly string[] }

export async function detectContent(root: string, source?: string): Promise<Content> {
  const all = await listFiles(root)
  const configuration: string[] = []
  for (const path of all) {
    const head = isText(path) && hasMarks(path) ? await readHead(join(root, path)) : ''
    if (isText(path) && isConfiguration(path, head)) configuration.push(path)
  }
  const paths = all.filter((path) => !configuration.includes(path))
  const configured = source === undefined ? await configuredLanguage(root, all) : undefined
  const found = detectIn(paths, source ?? configured?.language)
  const left = leftOut(paths, found)
  return {
    found,
    left: configuration.length > 0 ? [...left, { why: isNoContent, paths: configuration }] : left,
    ...(configured && { configured }),
  }
}

const isNoContent = 'they configure a program and are never content'

/**
 * Pure: files of a known format that no rule claims, and others beside the content. Source code is
 * neither.
 */
export function leftOut(paths: readonly string[], found: readonly DetectedFiles[]): LeftOut[] {
  const claimed = new Set(found.flatMap((one) => one.paths))
  const folders = [...new Set([...claimed].map(folderOf))].filter((folder) => folder !== '')
  const others = paths.filter((path) => !claimed.has(path) && !isCode(path)).sort()
  const untold = others.filter(isText)
  const unread = others.filter(
    (path) => !isText(path) && folders.some((folder) => path.startsWith(folder)),
  )
  return [
    { why: 'nothing tells where their translations go; name them with --files', paths: untold },
    { why: 'the hub cannot translate their format', paths: unread },
  ].filter(({ paths: some }) => some.length > 0)
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
const isCode = (path: string): boolean =>
  /\.(?:ts|php|js|mjs|cjs|tsx|jsx|css|java|kt|swift|py|rb|go|rs|c|h)$/i.test(path)

/** Pure: the paths of a project, with slashes. `source` is the language that the user named. */
export function detectIn(paths: readonly string[], source?: string): DetectedFiles[] {
  let left = [...paths].sort()
  const found: DetectedFiles[] = []
  for (const rule of rules)
    for (const one of rule(left, source)) {
      found.push(one)
      const claimed = new Set(one.paths)
      left = left.filter((path) => !claimed.has(path))
    }
  return found
}

async function listFiles(root: string): Promise<string[]> {
  const files: string[] = []
  const walk = async (folder: string, depth: number): Promise<void> => {
    if (depth > maxDepth) return
    for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(
      () => [],
    )) {
      if (files.length >= maxFiles) return
      if (entry.name.startsWith('.')) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile()) files.push(path)
      else if (entry.isDirectory() && !skipped.has(entry.name)) await walk(path, depth + 1)
    }
  }
  await walk('', 0)
  return files
}
