/**
 * The manifest of a package: what it is of and which file is which task. A package that comes back
 * with it is held to it.
 */
import type { PackageFormat } from '@dragoman/contract'
import { packageFormats } from '@dragoman/contract'
import { type LoneEntry, unpackLone } from '@dragoman/text/formats'
import type { RequestWithFile } from '../../jobs/requests/request.ts'

export const manifestName = 'manifest.json'

export type ManifestTask = {
  readonly assetTaskId: string
  readonly requestName: string
  readonly sourceNativeId: string
  readonly fileName: string
  /** Where it stands in the package. */
  readonly path: string
  readonly sourceNativeLanguageCode: string
  readonly targetNativeLanguageCode: string
  /** The file or content that is translated: another one is another version of the source. */
  readonly source: string
}
export type LeftOut = {
  readonly assetTaskId: string
  readonly fileName: string
  readonly because: string
}

export type Manifest = {
  readonly package: 'dragoman'
  readonly version: 1
  readonly format: PackageFormat
  readonly jobId: string
  readonly jobName: string
  readonly providerId: string
  readonly createdTime: string
  readonly assetTasks: readonly ManifestTask[]
  readonly leftOut: readonly LeftOut[]
}

export const manifestTask = (
  request: RequestWithFile,
  fileName: string,
  path: string,
): ManifestTask => ({
  assetTaskId: request.request_id,
  requestName: request.request_name,
  sourceNativeId: request.source_native_id,
  fileName,
  path,
  sourceNativeLanguageCode: request.source_language,
  targetNativeLanguageCode: request.target_language,
  source: sourceOf(request),
})

export const sourceOf = ({ file_id, content_id }: RequestWithFile): string =>
  file_id ?? content_id ?? ''

export const writeManifest = (manifest: Manifest): string =>
  `${JSON.stringify(manifest, null, 2)}\n`

/** What a returned manifest is read for. */
export type ReturnedManifest = Pick<Manifest, 'format' | 'jobId'> & {
  readonly assetTasks: readonly Pick<ManifestTask, 'assetTaskId' | 'path' | 'source'>[]
}

/** What is wrong with a manifest of ours, in words. */
export type BadManifest = { readonly problem: string }

/** For a worker: it may be large. `most`: the asset tasks that there are. */
export const readManifestEntry = (
  entry: LoneEntry,
  most: number,
): ReturnedManifest | BadManifest | undefined => readManifest(unpackLone(entry), most)

/** Undefined if it is not one of ours. */
export function readManifest(
  bytes: Uint8Array,
  most: number,
): ReturnedManifest | BadManifest | undefined {
  let given: unknown
  try {
    given = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
  const { package: kind, format, jobId, assetTasks } = (given ?? {}) as Record<string, unknown>
  const known = packageFormats.find((one) => one === format)
  if (kind !== 'dragoman' || !known || typeof jobId !== 'string' || !Array.isArray(assetTasks))
    return undefined
  // Before anything is made of them.
  if (assetTasks.length > most)
    return {
      problem: `Its ${manifestName} lists ${assetTasks.length} asset tasks, and the job has ${most}. Download the package again.`,
    }
  const tasks: ReturnedManifest['assetTasks'][number][] = []
  for (const [at, task] of assetTasks.entries()) {
    const { assetTaskId, path, source } = (task ?? {}) as Record<string, unknown>
    if (typeof assetTaskId !== 'string' || typeof path !== 'string' || typeof source !== 'string')
      return {
        problem: `Its ${manifestName} does not say assetTaskId, path and source of entry ${at + 1}. Download the package again.`,
      }
    tasks.push({ assetTaskId, path, source })
  }
  return { format: known, jobId, assetTasks: tasks }
}
