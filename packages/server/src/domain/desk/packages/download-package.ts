/**
 * A job, or the part of it that a caller sees, as one ZIP that is written while it is sent: one
 * file at a time, whatever the number of tasks. The manifest comes last, because only then is it
 * known what could not be packed.
 */
import {
  type FileAnswer,
  formatTime,
  HubError,
  limits,
  type PackageFormat,
  type PackageQuery,
  type SegmentState,
  type TextParts,
} from '@dragoman/contract'
import type { PackedFile, PackedSegment } from '@dragoman/text/exchange'
import { type NewEntry, zipStream } from '@dragoman/text/formats'
import type { Hub } from '../../../hub.ts'
import type { JobRow } from '../../../store/tables.ts'
import type { Call } from '../../access/caller.ts'
import { listStored, mustBeStored, streamStored } from '../../files/serve.ts'
import type { TaskPath } from '../../handover/asset-tasks.ts'
import { reachProviderJob } from '../../handover/provider-jobs.ts'
import { mustFindJob } from '../../jobs/find-job.ts'
import { safeName } from '../../jobs/requests/archives/place-requests.ts'
import { writeFields } from '../../jobs/requests/content-file.ts'
import { mustFindRequest } from '../../jobs/requests/find-request.ts'
import { groupBy } from '../../jobs/requests/move-requests.ts'
import { mustFindFields } from '../../jobs/requests/sealed-contents.ts'
import type { FilePieces } from '../../language/worker/exchange-work.ts'
import { runSafely, textWork } from '../../language/worker/run.ts'
import {
  type LeftOut,
  type Manifest,
  type ManifestTask,
  manifestName,
  manifestTask,
  writeManifest,
} from './manifest.ts'
import { glossaryOf, learn, newKnown, projectFile, tmxOf } from './omegat.ts'
import { type LookUps, mostLookUps, packTask, statesOf } from './pack-task.ts'
import { into, type PackageTask, packageTasks } from './package-tasks.ts'

export async function downloadPackage(
  hub: Hub,
  call: Call,
  at: TaskPath,
  { format = 'xliff12', target, state = [] }: PackageQuery,
): Promise<FileAnswer> {
  await reachProviderJob(hub, call, at.providerId, at.jobId)
  const job = await mustFindJob(hub.db.read, call.caller.siteId, at.jobId)
  const tasks = into(target, await packageTasks(hub, call, at))
  await mustFit(hub, job, tasks)
  const making: Making = {
    hub,
    job,
    at,
    format,
    states: new Set(state),
    lookUps: { left: mostLookUps },
  }
  return {
    fileName: `${safeName(job.job_name)}.${format}.zip`,
    contentType: 'application/zip',
    bytes: zipStream(entriesOf(making, tasks)),
  }
}

export type Making = {
  readonly hub: Hub
  readonly job: JobRow
  readonly at: TaskPath
  readonly format: PackageFormat
  readonly states: ReadonlySet<SegmentState>
  readonly lookUps: LookUps
}

/** The hub takes no larger package back. */
async function mustFit(
  hub: Hub,
  { site_id, job_id }: JobRow,
  tasks: readonly PackageTask[],
): Promise<void> {
  const fileIds = tasks.flatMap(({ request }) => request.file_id ?? [])
  const files = new Map(
    (await listStored(hub, site_id, job_id, fileIds)).map(({ file_id, size }) => [file_id, size]),
  )
  const size = fileIds.reduce((sum, fileId) => sum + (files.get(fileId) ?? 0), 0)
  if (size > limits.packageBytes)
    throw new HubError('CONTENT_TOO_LARGE', { what: 'The package', limit: limits.packageBytes })
}

/** What is in the package so far. */
type Filled = { readonly packed: ManifestTask[]; readonly leftOut: LeftOut[] }

async function* entriesOf(making: Making, tasks: readonly PackageTask[]): AsyncGenerator<NewEntry> {
  const filled: Filled = { packed: [], leftOut: [] }
  if (making.format === 'omegat') yield* projectsOf(making, tasks, filled)
  else for (const task of tasks) yield* fileOf(making, task, filled)
  yield { name: manifestName, content: writeManifest(manifestOf(making, filled)) }
}

async function* fileOf(
  making: Making,
  task: PackageTask,
  filled: Filled,
): AsyncGenerator<NewEntry> {
  const isOriginal = making.format === 'original'
  const path = `${task.folder}/${task.name}${isOriginal ? '' : '.xlf'}`
  const content = await (isOriginal ? originalOf(making, task) : xliffOf(making, task))
  if (content === undefined) return
  if (isLeftOut(content)) filled.leftOut.push(content)
  else {
    filled.packed.push(manifestTask(task.request, task.name, path))
    yield { name: path, content }
  }
}

const isLeftOut = (content: NewEntry['content'] | LeftOut): content is LeftOut =>
  typeof content === 'object' && 'because' in content

/** A project has one pair of languages: of a job with several, each is in a folder of its own. */
async function* projectsOf(
  making: Making,
  tasks: readonly PackageTask[],
  all: Filled,
): AsyncGenerator<NewEntry> {
  const { hub, job } = making
  const pairs = groupBy(
    tasks,
    ({ request }) => `${request.source_language} ${request.target_language}`,
  )
  for (const [at, pair] of pairs.entries()) {
    const { request, folder } = pair[0] as PackageTask
    const isOnlyTarget = pairs.filter(([first]) => first?.folder === folder).length === 1
    const base = pairs.length === 1 ? '' : `${folder}${isOnlyTarget ? '' : ` ${at + 1}`}/`
    const languages = { source: request.source_language, target: request.target_language }
    yield { name: `${base}omegat.project`, content: projectFile(languages) }
    for (const name of ['dictionary', 'omegat', 'target'])
      yield { name: `${base}${name}/`, content: '' }
    const known = newKnown()
    const filled: Filled = { packed: [], leftOut: [] }
    for (const task of pair) {
      const path = `${base}source/${task.name}.xlf`
      const content = await xliffOf(making, task, (one, own) => learn(known, languages, one, own))
      if (content && !isLeftOut(content)) {
        filled.packed.push(manifestTask(task.request, task.name, path))
        yield { name: path, content }
      } else if (content) filled.leftOut.push(content)
    }
    const head = { sourceLanguage: languages.source, time: hub.clock.now() }
    yield { name: `${base}tm/matches.tmx`, content: tmxOf(job.site_id, head, known.matches) }
    // OmegaT takes what it finds there for its own.
    yield { name: `${base}tm/auto/targets.tmx`, content: tmxOf(job.site_id, head, known.targets) }
    yield { name: `${base}glossary/terms.utf8`, content: glossaryOf(hub, job.site_id, languages) }
    // OmegaT copies it to target/, so that it comes back also if that folder comes alone.
    yield {
      name: `${base}source/${manifestName}`,
      content: writeManifest(manifestOf(making, filled)),
    }
    for (const one of filled.packed) all.packed.push(one)
    for (const one of filled.leftOut) all.leftOut.push(one)
  }
}

/** The source as it is; keys and values as their XML file. */
async function originalOf(
  { hub, states }: Making,
  { request }: PackageTask,
): Promise<NewEntry['content'] | undefined> {
  const { site_id, job_id, file_id, content_id } = request
  if (states.size > 0) {
    const seen = await statesOf(
      hub,
      await mustFindRequest(hub.db.read, site_id, job_id, request.request_id),
    )
    if (![...seen].some((state) => states.has(state))) return undefined
  }
  if (file_id === null) return writeFields(await mustFindFields(hub, site_id, job_id, content_id))
  return streamStored(hub, await mustBeStored(hub, site_id, job_id, file_id))
}

/** Undefined if the task is not in the states asked for. */
async function xliffOf(
  { hub, states, lookUps, format }: Making,
  { request, name: fileName }: PackageTask,
  look?: (segment: PackedSegment, own: TextParts | undefined) => void,
): Promise<AsyncIterable<Uint8Array> | LeftOut | undefined> {
  const { job_id: jobId, request_id: assetTaskId } = request
  try {
    const whole = await mustFindRequest(hub.db.read, request.site_id, jobId, assetTaskId)
    const task = await packTask(hub, whole, lookUps, { fromSource: format === 'omegat', look })
    if (states.size > 0 && ![...task.states].some((state) => states.has(state))) return undefined
    const file: Omit<PackedFile, 'segments'> = {
      ...{ jobId, assetTaskId, fileName },
      sourceLanguage: request.source_language,
      targetLanguage: request.target_language,
    }
    const dialect = format === 'xliff2' ? 'xliff2' : 'xliff12'
    const { segments } = task
    const asked = [dialect, file, segments] as const
    const { pieces } = await runSafely<FilePieces>(textWork.exchange, 'writePaged', asked, {
      siteId: request.site_id,
      moves: [segments],
    })
    return oneByOne(pieces)
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'NO_SEGMENTS') throw error
    return { assetTaskId, fileName, because: error.message }
  }
}

async function* oneByOne(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* pieces
}

const manifestOf = ({ hub, job, at, format }: Making, { packed, leftOut }: Filled): Manifest => ({
  ...{ package: 'dragoman', version: 1, format },
  ...{ jobId: job.job_id, jobName: job.job_name, providerId: at.providerId },
  createdTime: formatTime(hub.clock.now()),
  assetTasks: packed,
  leftOut,
})
