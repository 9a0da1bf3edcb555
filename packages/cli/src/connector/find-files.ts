/**
 * The files of a push: globs, files and folders, relative to the project, without the folders of
 * git and of this command.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { FormatId } from '@dragoman/contract/wire'
import type { Source } from '@dragoman/sdk'
import { fileSource } from '@dragoman/sdk/node'
import { UsageError } from '../command.ts'
import { hasMarks, isConfiguration, readHead } from '../files/configuration.ts'

export type FoundFile = {
  /** Relative to the project's folder, with slashes: the sourceNativeId of its requests. */
  readonly path: string
  readonly sha256: string
  readonly source: Source
  /** The format that the hub will detect; absent if no format fits. */
  readonly format?: FormatId
  /** The format to tell the hub; without it the hub detects the format. */
  readonly said?: FormatId
}

type FindOptions = {
  readonly patterns: readonly string[]
  readonly ignore: readonly string[]
  readonly from: string
  /** Files that a pull has written are not sources, unless named explicitly. */
  readonly isPulled: (path: string) => boolean
}

const never = ['**/node_modules/**', '**/.git/**', '.dragoman/**', 'dragoman.yml', 'dragoman.yaml']

export async function findFiles(
  root: string,
  given: FindOptions,
): Promise<{ files: FoundFile[]; left: number; configuration: string[] }> {
  const { glob } = await import('tinyglobby')
  const asked = await Promise.all(
    given.patterns.map((pattern) => asPattern(pattern, given.from, root)),
  )
  const patterns = asked.map(({ pattern }) => pattern)
  const named = new Set(asked.flatMap(({ file }) => file ?? []))
  const found = await glob(patterns, {
    cwd: root,
    ignore: [...never, ...given.ignore],
    dot: false,
    onlyFiles: true,
    followSymbolicLinks: false,
    expandDirectories: false,
  })
  if (found.length === 0)
    throw new UsageError(
      `No file matches ${given.patterns.map((one) => `"${one}"`).join(', ')} in ${given.from}.`,
    )
  const all = [...new Set(found.map((path) => path.split(sep).join('/')))].sort()
  const sources = all.filter((path) => named.has(path) || !given.isPulled(path))
  const left = all.length - sources.length
  if (sources.length === 0)
    throw new UsageError(
      `All ${left} files that match lie where pull writes translations (output). Name them one by one to push them.`,
    )
  const configuration: string[] = []
  for (const path of sources)
    if (!named.has(path) && (await configures(root, path))) configuration.push(path)
  const paths = sources.filter((path) => !configuration.includes(path))
  if (paths.length === 0)
    throw new UsageError(
      `All files that match are configuration: ${configuration.join(', ')}. Name them one by one to push them.`,
    )
  const files: FoundFile[] = []
  for (const path of paths) files.push(await readFile(join(root, path), path))
  return { files, left, configuration }
}

const configures = async (root: string, path: string): Promise<boolean> =>
  isConfiguration(path, hasMarks(path) ? await readHead(join(root, path)) : '')

/**
 * A pattern on the command line is relative to the current folder; a folder means everything in it.
 */
async function asPattern(
  pattern: string,
  from: string,
  root: string,
): Promise<{ pattern: string; file?: string }> {
  const path = resolve(from, pattern)
  const there = await stat(path).catch(() => undefined)
  const within = relative(root, path).split(sep).join('/')
  if (within.startsWith('..')) throw new UsageError(`"${pattern}" is outside the project ${root}.`)
  if (there?.isDirectory()) return { pattern: within === '' ? '**/*' : `${escaped(within)}/**/*` }
  return there ? { pattern: escaped(within), file: within } : { pattern: within }
}

/** An existing file of exactly this name is not a pattern, whatever characters it has. */
const escaped = (path: string): string => path.replace(/[()[\]{}!*+?@\\]/g, '\\$&')

/** The hash covers the version that will be sent: the source refuses any other. */
async function readFile(place: string, path: string): Promise<FoundFile> {
  const source = await fileSource(place, fileNameOf(path))
  const hash = createHash('sha256')
  for await (const piece of createReadStream(place)) hash.update(piece as Buffer)
  return { path, sha256: hash.digest('hex'), source }
}

/** The hub accepts a name without folders. */
const fileNameOf = (path: string): string => path.split('/').at(-1) ?? path
