/**
 * A package that comes back, as far as its names tell: what form it has, which of its files count,
 * and its manifest. An outer folder, the rest of an OmegaT project and what operating systems add
 * do not count.
 */
import type { PackageFormat } from '@dragoman/contract'
import {
  type LoneEntry,
  openZipFile,
  type ZipEntry,
  type ZipFile,
  type ZipSource,
} from '@dragoman/text/formats'
import { runSafely } from '../../language/worker/run.ts'
import { type BadManifest, manifestName, type ReturnedManifest } from './manifest.ts'

export type ReturnedFile = { readonly path: string; readonly entry: ZipEntry }
export type ReturnedPackage = {
  readonly zip: ZipFile
  /** Undefined if neither a manifest nor a project tells it. */
  readonly format: PackageFormat | undefined
  readonly manifest: ReturnedManifest | undefined
  readonly files: readonly ReturnedFile[]
  /** What is wrong with the whole. */
  readonly problem?: string
}

const mostOfManifest = 16 * 1024 ** 2
const project = 'omegat.project'

const module = new URL('./manifest.ts', import.meta.url)

const readManifest = (
  siteId: string,
  entry: LoneEntry,
  most: number,
): Promise<ReturnedManifest | BadManifest | undefined> =>
  runSafely(module, 'readManifestEntry', [entry, most], { siteId })

/** A package has one for each pair of languages at most, and one of its own. */
const mostManifests = 100

/** `most`: the asset tasks that a manifest may list. */
export async function openPackage(
  siteId: string,
  source: ZipSource,
  most: number,
): Promise<ReturnedPackage> {
  const zip = await openZipFile(source)
  const all = withoutOuter(
    zip.entries
      .map((entry): ReturnedFile => ({ path: entry.name.replaceAll('\\', '/'), entry }))
      .filter(({ path }) => !path.endsWith('/') && !isJunk(path)),
  )
  const isManifest = ({ path, entry }: ReturnedFile) =>
    lastOf(path) === manifestName && entry.size <= mostOfManifest
  // The one of the whole package, else the one that stands beside the translated files.
  const depth = ({ path }: ReturnedFile) => path.split('/').length
  const manifests = all
    .filter(isManifest)
    .map((file) => ({ ...file, depth: depth(file) }))
    .sort((one, other) => one.depth - other.depth)
    .slice(0, mostManifests)
  let manifest: ReturnedManifest | undefined
  for (const { entry } of manifests) {
    const read = await readManifest(siteId, await zip.lone(entry), most)
    if (read && 'problem' in read)
      return { zip, format: undefined, manifest: undefined, files: [], problem: read.problem }
    manifest = read
    if (manifest) break
  }
  const rest = all.filter((file) => !isManifest(file))
  const isProject =
    rest.some(({ path }) => lastOf(path) === project) || rest.some(({ path }) => isTranslated(path))
  if (manifest?.format !== 'omegat' && (manifest || !isProject))
    return { zip, format: manifest?.format, manifest, files: rest }
  const files = rest.filter(({ path }) => isTranslated(path))
  // Without any folder of a project, the translated files were packed by themselves.
  const isBare = !rest.some(({ path }) =>
    ['source', 'target'].includes(path.split('/').at(-2) ?? ''),
  )
  if (isBare && !rest.some(({ path }) => lastOf(path) === project))
    return { zip, format: 'omegat', manifest, files: rest }
  if (files.length > 0) return { zip, format: 'omegat', manifest, files }
  const problem =
    'The project has no translated files in target/. In OmegaT, choose Project > Create Translated Documents, and pack the project again.'
  return { zip, format: 'omegat', manifest, files, problem }
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const isTranslated = (path: string): boolean => path.split('/').at(-2) === 'target'

const isJunk = (path: string): boolean =>
  path.startsWith('__MACOSX/') ||
  path.includes('/__MACOSX/') ||
  /^(?:\._.*|\.DS_Store|Thumbs\.db|desktop\.ini|.*~|.*\.bak)$/i.test(lastOf(path))

/**
 * Packing a folder puts it around everything: it is dropped, as often as there is one. A language
 * folder stays.
 */
function withoutOuter(files: readonly ReturnedFile[]): ReturnedFile[] {
  const steps = files.map(({ path }) => path.split('/'))
  const isRoot = (step: string | undefined) => step === manifestName || step === project
  let outer = 0
  for (const [level, step] of (steps[0] ?? []).entries()) {
    const isCommon =
      step !== 'target' && steps.every((one) => one.length > level + 1 && one[level] === step)
    const hasMore = steps.some((one) => one.length > level + 2 || isRoot(one[level + 1]))
    if (!isCommon || !hasMore) break
    outer = level + 1
  }
  return files.map(({ entry }, at) => ({ path: (steps[at] ?? []).slice(outer).join('/'), entry }))
}
