/**
 * The asset tasks of a job as its packages name them: a folder for each target language, and no
 * name twice in it.
 */
import { isSameLanguage, type PackageQuery } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Call } from '../../access/caller.ts'
import type { TaskPath } from '../../handover/asset-tasks.ts'
import { isOpen } from '../../handover/deliver-batch.ts'
import { contentFileName } from '../../jobs/requests/content-file.ts'
import type { RequestWithFile } from '../../jobs/requests/request.ts'
import { readRange } from '../../jobs/requests/requests-of-job.ts'
import { requestsSeen } from '../../jobs/work.ts'

/** `folder` and `name` are the same in every package of the job, whatever else is in it. */
export type PackageTask = {
  readonly request: RequestWithFile
  readonly folder: string
  readonly name: string
}

/** Those that the caller sees and that may still be delivered. */
export async function packageTasks(
  hub: Hub,
  call: Call,
  { jobId }: Pick<TaskPath, 'jobId'>,
): Promise<PackageTask[]> {
  const { siteId } = call.caller
  const requests = await readRange(hub.db.read, siteId, jobId, {
    after: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  const seen = await requestsSeen(hub, call.caller, jobId)
  const taken = new Map<string, number>()
  const tasks = requests.map((request): PackageTask => {
    const folder = safeName(request.target_language)
    const name = freeName(
      safeName(request.file_name ?? contentFileName(request.request_name)),
      folder,
      taken,
    )
    return { request, folder, name }
  })
  return tasks.filter(({ request }) => isOpen(request) && (!seen || seen.has(request.request_id)))
}

export function into(
  target: PackageQuery['target'],
  tasks: readonly PackageTask[],
): readonly PackageTask[] {
  if (target === undefined) return tasks
  return tasks.filter(({ request }) => isSameLanguage(request.target_language, target))
}

const longest = 120

/** A name that every file system takes. */
export function safeName(name: string): string {
  const plain = name
    .replace(/[\p{Cc}\p{Cs}<>:"/\\|?*]/gu, '_')
    .trim()
    .replace(/^\./, '_')
    .replace(/\.$/, '_')
  const dot = plain.lastIndexOf('.')
  const extension = dot > 0 && plain.length - dot <= 12 ? plain.slice(dot) : ''
  const stem = extension === '' ? plain : plain.slice(0, dot)
  const cut = [...stem].slice(0, longest).join('')
  return /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(cut)
    ? `_${cut}${extension}`
    : `${cut || 'file'}${extension}`
}

/** File systems may not tell capitals apart. `taken` has the last number of each name. */
function freeName(name: string, folder: string, taken: Map<string, number>): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const keyOf = (some: string) => `${folder}/${some}`.normalize('NFC').toLowerCase()
  const last = taken.get(keyOf(name)) ?? 0
  for (let number = last + 1; ; number += 1) {
    const free = number === 1 ? name : `${stem} (${number})${extension}`
    if (number > 1 && taken.has(keyOf(free))) continue
    taken.set(keyOf(name), number)
    if (number > 1) taken.set(keyOf(free), 1)
    return free
  }
}
