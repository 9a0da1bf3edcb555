/**
 * Fills the demo site of the sandbox with jobs, through the same verbs as a connector's calls: some
 * stay open, some are with the manual provider, some are translated by Pseudo. Their due dates lie
 * around today.
 */
import { formatTime } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { newId } from '../../../store/ids.ts'
import type { Call } from '../../access/caller.ts'
import { listEnabledProviders } from '../../engines/providers.ts'
import { submitJob } from '../../handover/submit-job.ts'
import { addJob } from '../../jobs/create-job.ts'
import { addContentRequests } from '../../jobs/requests/add-requests.ts'

const day = 86_400_000
const topics = [
  'Spring campaign',
  'Help centre',
  'App strings',
  'Product pages',
  'Newsletter',
  'Release notes',
  'Onboarding',
  'Legal notes',
]
const targets = [['de-de', 'fr-fr'], ['ja-jp'], ['es-es', 'it-it', 'pt-br'], ['de-de', 'ar-ae']]
const texts = [
  'Welcome back. Your basket is waiting for you.',
  'Free returns within 30 days, no questions asked.',
  'Choose the plan that suits your team.',
  'We have updated our terms of service.',
]
/** Jobs of one transaction: few enough that other writers need not wait long. */
const atOnce = 50
/** Some of the first ones of a call are submitted; more would keep the hub busy with them. */
const maxSubmitted = 120

export async function seedJobs(
  hub: Hub,
  siteId: string,
  many: number,
): Promise<{ jobs: number; requests: number }> {
  const providers = await listEnabledProviders(hub.db.read, siteId)
  const find = (name: string) => providers.find((one) => one.name === name)?.provider_id
  const call = callOf(siteId)
  const seeded: { jobId: string; count: number }[] = []
  for (let from = 0; from < many; from += atOnce) {
    const part = await hub.db.transact(async (tx) => {
      const some: { jobId: string; count: number }[] = []
      for (let number = from; number < Math.min(many, from + atOnce); number += 1)
        some.push(await seedJob(hub, tx, call, number))
      return some
    })
    seeded.push(...part)
  }
  for (const [number, { jobId }] of seeded.slice(0, maxSubmitted).entries()) {
    const providerId =
      number % 4 === 1 ? find('Pseudo') : number % 8 === 2 ? find('Manual') : undefined
    if (providerId !== undefined) await submitJob(hub, call, jobId, { providerId })
  }
  const requests = seeded.reduce((sum, { count }) => sum + count, 0)
  return { jobs: many, requests }
}

async function seedJob(
  hub: Hub,
  tx: Db,
  call: Call,
  number: number,
): Promise<{ jobId: string; count: number }> {
  const topic = topics[number % topics.length] ?? ''
  const { jobId } = await addJob(hub, tx, call, {
    jobName: `${topic} ${number + 1}`,
    dueDate: formatTime(hub.clock.now() + ((number % 37) - 3) * day),
    ...(number % 5 === 0 && { labels: ['urgent'] }),
  })
  const body = {
    requestName: `${topic}, text`,
    sourceNativeId: `seed-${number}`,
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCodes: targets[number % targets.length] ?? [],
    fields: [
      { key: 'title', value: topic },
      { key: 'body', value: texts[number % texts.length] ?? '' },
    ],
  }
  const { items } = await addContentRequests(hub, tx, call, { jobId, body })
  return { jobId, count: items.length }
}

const callOf = (siteId: string): Call => ({
  caller: {
    siteId,
    clientId: 'demo-connector',
    scopes: ['content'],
    providerIds: [],
    pageFormat: 'full',
    since: undefined,
    quotas: {},
  },
  traceId: `sandbox-seed-${newId()}`,
})
