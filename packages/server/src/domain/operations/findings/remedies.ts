/**
 * What the hub does for a finding, in the transaction of the call. Each locks its thing and looks
 * again: it answers what it did and the act for the audit log, or undefined if there is nothing to
 * remedy any more.
 */
import type { RemedyName } from '@dragoman/contract'
import type { Change } from '../../../hub.ts'
import { removeNode } from '../../../store/nodes.ts'
import type { Act } from '../../access/audit/acts.ts'
import { sendLater } from '../../handover/submit-job.ts'
import { lockIfAny } from '../../jobs/find-job.ts'
import { resumeSoon } from '../../jobs/resume-soon.ts'
import { enableListener, replayParked, resumeListener } from '../../listeners/resume.ts'
import { listLostJobs } from '../integrity/lost-work.ts'
import { retryParked } from '../tasks/operate-tasks.ts'
import type { RuleMatch } from './finder.ts'

export type Done = { readonly says: string; readonly act: Act }
export type Remedy = (change: Change, found: RuleMatch) => Promise<Done | undefined>

export const remedies: Readonly<Record<RemedyName, Remedy>> = {
  retry: async ({ hub, tx }, { thingId, siteId }) => {
    if (!(await retryParked(hub, tx, siteId, Number(thingId)))) return undefined
    return {
      says: `Task ${thingId} is due now.`,
      act: { thing: 'task', verb: 'retried', id: thingId, ...of(siteId) },
    }
  },

  replay: async (change, found) => {
    const many = await replayParked(change, listener(found))
    return many
      ? { says: `${count(many)} sent again.`, act: onListener(found, 'deliveries replayed') }
      : undefined
  },

  resume: async (change, found) => {
    const many = await resumeListener(change, listener(found))
    return many === undefined
      ? undefined
      : { says: `${count(many)} sent now.`, act: onListener(found, 'deliveries replayed') }
  },

  enable: async (change, found) => {
    const many = await enableListener(change, listener(found))
    if (many === undefined) return undefined
    return {
      says: `The listener is enabled; ${count(many)} sent now.`,
      act: onListener(found, 'enabled'),
    }
  },

  send: async (change, { thingId, siteId = '' }) => {
    const act = { thing: 'job', verb: 'sent again', id: thingId, siteId } as const
    if (await sendLater(change, siteId, thingId))
      return { says: `The task that sends job ${thingId} is due now.`, act }
    const job = await lockIfAny(change.tx, siteId, thingId)
    if (!job || (await listLostJobs(change.tx, [thingId])).length === 0) return undefined
    await resumeSoon(change, job)
    return { says: `The waiting requests of job ${thingId} are sent to its provider again.`, act }
  },

  forget: async ({ tx }, { thingId }) => {
    await removeNode(tx, thingId)
    return {
      says: `Node ${thingId} is no longer listed.`,
      act: { thing: 'node', verb: 'forgotten', id: thingId },
    }
  },
}

const of = (siteId: string | undefined) => (siteId === undefined ? {} : { siteId })
const listener = ({ siteId = '', thingId }: RuleMatch) => ({
  site_id: siteId,
  listener_id: thingId,
})
const onListener = (
  { siteId, thingId }: RuleMatch,
  verb: 'deliveries replayed' | 'enabled',
): Act => ({
  thing: 'listener',
  verb,
  id: thingId,
  ...of(siteId),
})
const count = (many: number): string => (many === 1 ? '1 delivery is' : `${many} deliveries are`)
