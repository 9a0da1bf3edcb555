/**
 * A provider at the desk: claims two tasks, drafts, translates, gives them back, claims them again
 * and delivers; further languages it delivers as packages. It repeats what was not answered; of a
 * target that it wrote already it must be told its own words.
 */
import { randomUUID } from 'node:crypto'
import type { TextParts } from '@dragoman/contract'
import { joined } from '../../packages/text/src/placeholders/wire-texts.ts'
import { deliverPackages, packages, type Task, type Written } from './package-steps.ts'
import { openRoundClient, type RoundClient } from './round-client.ts'
import { tasksOf } from './round-laws.ts'
import type { RoundPlace } from './round-place.ts'
import type { Receiver } from './round-receiver.ts'
import { deliveriesOf, keyOf, makeListeners } from './round-steps.ts'

export type DeskLedger = {
  readonly jobName: string
  readonly jobId: string
  readonly listeners: readonly string[]
  /** The person who has the task in the end, by request. */
  readonly assignees: ReadonlyMap<string, string | undefined>
  /** What was written last, by request. */
  readonly written: ReadonlyMap<string, readonly Written[]>
  /** By name and language. */
  readonly translations: ReadonlyMap<string, string>
}

const contents = {
  page: [{ key: 'body', value: '<p>Hello <b>big</b> world, {name}!</p>' }],
  labels: [
    { key: 'save', value: 'Save %s files' },
    { key: 'open', value: 'Open' },
    { key: 'close', value: 'Close' },
  ],
}

export async function beginDesk(place: RoundPlace, receiver: Receiver, jobName: string) {
  const key = keyOf(jobName)
  const connector = openRoundClient(place)
  const provider = openRoundClient(place, 'demo-provider')
  const listeners = await makeListeners(connector, receiver.url, key)
  const people = await makePeople(openRoundClient(place, 'demo-admin'), key)
  const { jobId } = await connector.post<{ jobId: string }>('/jobs', key('job'), { jobName })
  const { fmsFileId, ...transfer } = await connector.post<Parameters<RoundClient['upload']>[0]>(
    `/jobs/${jobId}/sourcefiles?fileName=page.html`,
    key('file'),
  )
  await connector.upload(
    { fmsFileId, ...transfer },
    new TextEncoder().encode(contents.page[0]?.value),
  )
  const request = (requestName: string, content: object) => ({
    ...{ requestName, sourceNativeId: requestName, sourceNativeLanguageCode: 'en-us' },
    targetNativeLanguageCodes: ['de-de', ...Object.keys(packages)],
    ...content,
  })
  const requests = [request('page', { fmsFileId }), request('labels', { fields: contents.labels })]
  await connector.post(`/jobs/${jobId}/requests/add`, key('requests'), { requests })
  const { providers } = await connector.get<{ providers: { id: string; name: string }[] }>(
    '/providers',
  )
  const providerId = providers.find(({ name }) => name === 'Manual')?.id
  await connector.put(`/jobs/${jobId}/submit`, { providerId })
  await connector.until('the job is at its provider', async () => {
    const { statusCode } = await connector.get<{ statusCode: string }>(`/jobs/${jobId}`)
    return (
      statusCode === 'SENT_TO_PROVIDER' && (await tasksOf(place.inner.db.read, jobId)).length === 0
    )
  })
  type Listed = { requestId: string; requestName: string; targetNativeLanguageCode: string }
  const { requests: listed } = await connector.get<{ requests: Listed[] }>(
    `/jobs/${jobId}/requests`,
  )
  const job = `/providers/${providerId}/jobs/${jobId}`
  const tasks = listed.map(
    ({ requestId, requestName: name, targetNativeLanguageCode: language }): Task => {
      return { name, language, requestId, path: `${job}/assetTasks/${requestId}` }
    },
  )
  return async (): Promise<DeskLedger> => {
    const written = new Map<string, readonly Written[]>()
    const translations = new Map<string, string>()
    const atDesk = tasks.filter(({ language }) => !(language in packages))
    for (const task of atDesk) {
      // Without a key the verbs themselves must bear a repetition.
      const once = (what: string) =>
        task.name === 'page' ? key(`${what} ${task.name}`) : undefined
      written.set(task.requestId, await work(provider, task, { once, people }))
      await provider.post(`${task.path}/segments/deliver`, once('deliver'), {})
    }
    for (const [requestId, targets] of await deliverPackages(provider, job, tasks, key))
      written.set(requestId, targets)
    for (const { name, language, requestId } of tasks) {
      const text = await connector.download(`/jobs/${jobId}/requests/${requestId}/retrievefile`)
      translations.set(`${name} ${language}`, text)
    }
    await deliveriesOf(connector, listeners)
    const assignees = new Map(
      tasks.map((task) => [task.requestId, atDesk.includes(task) ? people[1] : undefined]),
    )
    return { jobName, jobId, listeners, assignees, written, translations }
  }
}

async function makePeople(
  admin: RoundClient,
  key: (what: string) => string,
): Promise<[string, string]> {
  const make = async (name: string): Promise<string> => {
    const body = { name, email: `${randomUUID()}@example.org`, sites: [{ roles: ['admin'] }] }
    return (await admin.post<{ personId: string }>('/people', key(name), body)).personId
  }
  return [await make('Ada'), await make('Berta')]
}

type Work = { once(what: string): string | undefined; readonly people: readonly [string, string] }

async function work(
  provider: RoundClient,
  { path }: Task,
  { once, people: [one, two] }: Work,
): Promise<Written[]> {
  await provider.post(`${path}/claim`, once('claim'), { personId: one })
  const { segments } = await provider.get<{ segments: { segmentId: string; source: TextParts }[] }>(
    `${path}/segments`,
  )
  const drafts = segments.map(({ segmentId, source }): Written => {
    return { segmentId, target: joined(['Entwurf: ', ...source]), state: 'DRAFT', version: 0 }
  })
  await write(provider, `${path}/segments`, drafts)
  await mustStand(provider, path, drafts)
  const done = drafts.map(
    (draft): Written => ({
      ...draft,
      target: joined([...draft.target, '.']),
      state: 'TRANSLATED',
      version: 1,
    }),
  )
  const [first, ...others] = done as [Written, ...Written[]]
  await write(provider, `${path}/segments/${first.segmentId}`, [first], first)
  if (others.length > 0) await write(provider, `${path}/segments`, others)
  await mustStand(provider, path, done)
  await provider.post(`${path}/release`, once('release'))
  await provider.post(`${path}/claim`, once('claim again'), { personId: two })
  return done
}

/** A repetition is told that the target is what was sent. */
async function write(
  provider: RoundClient,
  path: string,
  sent: readonly Written[],
  body: object = { segments: sent },
) {
  const got = await provider.write(path, body)
  if (got.status === 200) return
  const { code, current } = JSON.parse(got.text) as { code: string; current?: Written }
  const own = sent.find(({ segmentId }) => segmentId === current?.segmentId)
  if (
    code !== 'VERSION_CONFLICT' ||
    !own ||
    shown({ ...own, version: own.version + 1 }) !== shown(current)
  )
    throw new Error(`A repeated target was refused: ${got.text}`)
}

/** What was answered is there, and written once. */
async function mustStand(
  provider: RoundClient,
  path: string,
  written: readonly Written[],
): Promise<void> {
  const { segments } = await provider.get<{ segments: Written[] }>(`${path}/segments`)
  for (const one of written) {
    const found = segments.find(({ segmentId }) => segmentId === one.segmentId)
    if (shown(found) !== shown({ ...one, version: one.version + 1 }))
      throw new Error(`A target that was answered is ${shown(found)}`)
  }
}

const shown = (one?: Written): string => JSON.stringify([one?.target, one?.state, one?.version])
