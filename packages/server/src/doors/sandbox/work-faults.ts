/**
 * Faults in the work of the hub and of built-in providers: work that is delayed, reported as an
 * error, cancelled, mangled or left out. Everything goes through the same verbs as a real
 * provider's calls.
 */

import type { Call } from '../../domain/access/caller.ts'
import { TryLater } from '../../domain/engines/drivers/driver.ts'
import { changeAssetTasks, listAssetTasks } from '../../domain/handover/asset-tasks.ts'
import { giveUpTranslating, translateTask } from '../../domain/handover/translate-requests.ts'
import type { Hub } from '../../hub.ts'
import { newId } from '../../store/ids.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import type { Faults, Made } from '../../store/tasks/fault-port.ts'
import type { Task } from '../../store/tasks/hold-tasks.ts'
import { siblingKey } from '../../store/tasks/lanes.ts'
import type { AboutJob } from './about-job.ts'
import { acts, type Fault } from './fault.ts'
import { type FaultBox, laterOf } from './fault-box.ts'

/** Languages that are held back, then delivered alone. */
type Missing = { language: string | undefined; readonly state: 'kept back' | 'brought' }

export function workFaults(hub: Hub, box: FaultBox): Pick<Faults, 'task' | 'translation'> {
  const mangling = new Set<string>()
  const missing = new Map<string, Missing>()

  const before = async (
    task: Task,
    job: AboutJob,
    fault: Fault,
  ): Promise<'settled' | { again: number } | undefined> => {
    switch (fault.scenario) {
      case 'late-translation':
        return { again: laterOf(hub, fault) }
      case 'provider-error':
        await repeatLater(hub, task, laterOf(hub, fault))
        return giveUpTranslating(
          hub,
          task,
          new TryLater('The provider cannot translate this at the moment.'),
        )
      case 'provider-cancels-one':
      case 'provider-cancels-all':
        await cancel(
          hub,
          job,
          fault.scenario === 'provider-cancels-one' ? 1 : Number.POSITIVE_INFINITY,
        )
        return undefined
      case 'corrupt-translation': {
        const first = laterOf(hub, fault)
        await repeatLater(hub, task, first)
        // If the bad delivery is rejected just as the good one arrives, the good one was rejected
        // too: it is delivered again.
        await repeatLater(hub, task, first + first - hub.clock.now())
        mangling.add(job.jobId)
        return undefined
      }
      case 'missing-languages':
        await repeatLater(hub, task, laterOf(hub, fault))
        missing.set(job.jobId, { language: undefined, state: 'kept back' })
        return undefined
      default:
        return undefined
    }
  }

  return {
    task: async (task, run) => {
      const { siteId, jobId } = (task.payload ?? {}) as { siteId?: string; jobId?: string }
      const isSending = task.name === 'send-job'
      if ((!isSending && task.name !== translateTask) || !siteId || !jobId) return run()
      box.forget(jobId)
      const job = await box.about(siteId, jobId)
      if (!job) return run()
      for (const fault of box.find('work', job, undefined)) {
        if ((fault.scenario === 'stuck-sending') !== isSending) continue
        if (!acts(fault)) continue
        if (isSending) return { again: laterOf(hub, fault) }
        const instead = await before(task, job, fault)
        if (instead) return instead
      }
      try {
        return await run()
      } finally {
        if (!isSending) ended(jobId)
      }
    },
    translation: async (of, made) => {
      const kept = missing.get(of.jobId)
      if (kept) {
        kept.language ??= of.targetLanguage
        if ((kept.language === of.targetLanguage) === (kept.state === 'kept back')) return undefined
      }
      return mangling.has(of.jobId) ? mangle(made) : made
    },
  }

  /** A language held back is delivered alone next time; afterwards the job is normal. */
  function ended(jobId: string): void {
    mangling.delete(jobId)
    const kept = missing.get(jobId)
    if (kept?.state === 'kept back' && kept.language !== undefined)
      missing.set(jobId, { ...kept, state: 'brought' })
    else missing.delete(jobId)
  }
}

/** Delivers the same part of the job again, as the provider's next delivery. */
function repeatLater(hub: Hub, task: Task, dueAt: number): Promise<void> {
  const { name, causeId, siteId } = task
  const part = newId()
  const outside = task.outside && { lane: 'outside' as const, key: siblingKey(task.key, part) }
  const again = {
    name,
    payload: task.payload as object,
    dueAt,
    causeId,
    ...(siteId && { siteId }),
    ...outside,
  }
  return hub.db.transact((tx) => addTasks(hub.db, tx, hub.clock.now(), [again]))
}

/** A provider's call, as its own client would make it. */
export const asProvider = (siteId: string): Call => ({
  caller: {
    siteId,
    clientId: 'sandbox',
    scopes: ['admin'],
    providerIds: [],
    pageFormat: 'full',
    since: undefined,
    quotas: {},
  },
  traceId: 'sandbox-fault',
})

async function cancel(hub: Hub, job: AboutJob, many: number): Promise<void> {
  const call = asProvider(job.siteId)
  if (job.providerId === undefined) return
  const at = { providerId: job.providerId, jobId: job.jobId }
  for (let left = many, navNext: string | undefined; left > 0; ) {
    const page = await listAssetTasks(hub, call, at, navNext === undefined ? {} : { navNext })
    const open = page.items.filter(({ statusCode }) => statusCode !== 'CANCELLED').slice(0, left)
    const ids = open.map(({ assetTaskId }) => assetTaskId)
    if (ids.length > 0)
      await changeAssetTasks(hub, call, { ...at, assetTaskIds: ids }, { statusCode: 'CANCELLED' })
    left -= ids.length
    navNext = page.next
    if (navNext === undefined) return
  }
}

/** Keeps half of it, ending in the middle of a character. */
function mangle<T extends Made>(made: T): T {
  if ('bytes' in made)
    return { ...made, bytes: made.bytes.slice(0, Math.floor(made.bytes.length / 2)) }
  const fields = made.fields.map(({ key, value }) => ({
    key,
    value: `${value.slice(0, value.length / 2)}\ufffd`,
  }))
  return { ...made, fields }
}
