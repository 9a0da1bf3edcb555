/**
 * Which file of a returned package belongs to which asset task, and in words what cannot be placed.
 */

import type { Identity } from '@dragoman/text/exchange'
import { FormatError, type ZipEntry, type ZipFile } from '@dragoman/text/formats'
import type { TaskPath } from '../../handover/asset-tasks.ts'
import { runSafely, textWork } from '../../language/worker/run.ts'
import { sourceOf } from './manifest.ts'
import type { ReturnedFile, ReturnedPackage } from './open-package.ts'
import type { PackageTask } from './package-tasks.ts'

export type FileProblem = {
  readonly file: string
  readonly segmentId?: string
  readonly problem: string
}
export type Placed = { readonly path: string; readonly task: PackageTask; readonly entry: ZipEntry }
export type Matched = {
  readonly zip: ZipFile
  readonly form: 'xliff' | 'original'
  readonly placed: readonly Placed[]
  readonly problems: readonly FileProblem[]
}

/** The name of the whole package in its problems. */
export const whole = 'package'

export async function matchFiles(
  siteId: string,
  { jobId }: Pick<TaskPath, 'jobId'>,
  returned: ReturnedPackage,
  tasks: readonly PackageTask[],
): Promise<Matched> {
  const { zip, manifest, files, problem } = returned
  const refused = (says: string): Matched => ({
    ...{ zip, form: 'original', placed: [] },
    problems: [{ file: whole, problem: says }],
  })
  if (problem !== undefined) return refused(problem)
  if (manifest && manifest.jobId !== jobId)
    return refused(
      `It is a package of the job ${manifest.jobId.slice(0, 40)}, and this is the job ${jobId}.`,
    )
  if (files.length === 0) return refused('It has no files.')
  const found = returned.format === 'original' ? [] : await identifyAll(siteId, returned)
  const isOriginal =
    returned.format === undefined
      ? !found.some(({ identity }) => identity)
      : returned.format === 'original'
  const matched = isOriginal ? byPath(returned, tasks) : byIdentity(found, jobId, tasks)
  return { zip, ...matched, problems: [...matched.problems, ...absent(returned, tasks, matched)] }
}

type Placing = Omit<Matched, 'zip'>
type Identified = ReturnedFile & {
  readonly identity?: Identity | undefined
  readonly fault?: string
}

async function identifyAll(siteId: string, { zip, files }: ReturnedPackage): Promise<Identified[]> {
  const found: Identified[] = []
  for (const file of files) {
    try {
      const identity = await runSafely<Identity | undefined>(
        textWork.exchange,
        'identify',
        [await zip.lone(file.entry)],
        {
          siteId,
        },
      )
      found.push({ ...file, identity })
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      found.push({ ...file, fault: error.message })
    }
  }
  return found
}

function byIdentity(
  found: readonly Identified[],
  jobId: string,
  tasks: readonly PackageTask[],
): Placing {
  const known = new Map(tasks.map((task) => [task.request.request_id, task]))
  const seen = new Map<string, string>()
  const placed: Placed[] = []
  const problems: FileProblem[] = []
  for (const { path: file, entry, identity, fault } of found) {
    const task = identity && known.get(identity.assetTaskId)
    const before = identity && seen.get(identity.assetTaskId)
    if (fault !== undefined) problems.push({ file, problem: fault })
    else if (!identity) problems.push({ file, problem: notPart })
    else if (identity.jobId !== jobId)
      problems.push({
        file,
        problem: `It belongs to the job ${identity.jobId.slice(0, 40)}, and this is the job ${jobId}.`,
      })
    else if (!task) problems.push({ file, problem: notOpen })
    else if (before !== undefined)
      problems.push({ file, problem: `It is the same file as ${before}.` })
    else placed.push({ path: file, task, entry })
    if (identity) seen.set(identity.assetTaskId, before ?? file)
  }
  return { form: 'xliff', placed, problems }
}

const notPart = 'It is not a file of this package. Remove it, or download the package again.'
const notOpen =
  'Its asset task is not one that you can deliver in this job: it is gone or was cancelled.'

function byPath({ files }: ReturnedPackage, tasks: readonly PackageTask[]): Placing {
  const known = new Map(tasks.map((task) => [pathKey(`${task.folder}/${task.name}`), task]))
  const placed: Placed[] = []
  const problems: FileProblem[] = []
  for (const { path, entry } of files) {
    const task = known.get(pathKey(path))
    if (task) placed.push({ path, task, entry })
    else problems.push({ file: path, problem: notPart })
  }
  return { form: 'original', placed, problems }
}

/** Some systems write accents as separate characters. */
const pathKey = (path: string): string => path.normalize('NFC')

/**
 * The files that the manifest names and nobody sent, and those of another source than the job has
 * now.
 */
function absent(
  { manifest }: ReturnedPackage,
  tasks: readonly PackageTask[],
  { placed }: Placing,
): FileProblem[] {
  const there = new Set(placed.map(({ task }) => task.request.request_id))
  const known = new Map(tasks.map(({ request }) => [request.request_id, request]))
  return (manifest?.assetTasks ?? []).flatMap(({ assetTaskId, path, source }): FileProblem[] => {
    const request = known.get(assetTaskId)
    // Nobody waits for a task that was cancelled.
    if (!request) return []
    if (!there.has(assetTaskId))
      return [{ file: path, problem: 'The file is missing. A package comes back whole.' }]
    if (source === sourceOf(request)) return []
    return [
      {
        file: path,
        problem:
          'The source of this file has changed since the package was made. Download a new one.',
      },
    ]
  })
}
