/**
 * The walk over jobs whose provider translates by itself: Pseudo, an engine, a chain with and
 * without people, another hub. Nobody knows when a translation comes, so there is no model of each
 * step; in the end, whatever happened on the way, every request has its translation, told once for
 * each delivery, and the desk shows the text that the connector gets.
 */
import { findLostWork } from '../../../packages/server/src/domain/operations/integrity/lost-work.ts'
import { type DatabaseKind, startHub, type TestHub } from '../../hub.ts'
import { startEngine, type TranslationEngine } from '../../translation-engine.ts'
import { findBrokenLaws } from '../history-laws.ts'
import { type Chance, chanceOf } from '../history-walk.ts'
import { openTally, type Tally } from '../tally.ts'
import type { Got } from './callers.ts'
import { sourceOf } from './model.ts'
import type { Segment } from './moves.ts'
import type { StartNode } from './node.ts'
import { openPlace, type WalkPlace } from './place.ts'

export type DrivenPlan = {
  readonly walks: number
  readonly seed: number
  /** A node is killed in one of so many walks. */
  readonly killEvery: number
  readonly say?: (line: string) => void
}

const kinds = ['Pseudo', 'an engine', 'a chain', 'a chain with people', 'another hub'] as const
type Kind = (typeof kinds)[number]
type Job = { readonly kind: Kind; readonly jobId: string; readonly providerId: string }
type Around = {
  readonly place: WalkPlace
  readonly engine: TranslationEngine
  readonly beyond: TestHub
  readonly providers: Readonly<Record<Kind, string>>
}

const names = ['complete', 'reopen', 'archive', 'unarchive'] as const
const decisions = ['approve', 'reject', 'cancel'] as const
const moves = [...names, ...names, ...decisions, 'redeliver', 'wait', 'trouble', 'calm'] as const
type DrivenMove = (typeof moves)[number]

export async function walkDriven(
  database: DatabaseKind,
  start: StartNode,
  { walks, seed, killEvery, say }: DrivenPlan,
): Promise<Tally> {
  const tally = openTally(`the walk over driven work on ${database}`, say)
  const engine = await startEngine()
  const beyond = await startHub({ database: 'sqlite' })
  let place: WalkPlace | undefined
  try {
    place = await openPlace(database, start)
    const around = { place, engine, beyond, providers: await addProviders(place, engine, beyond) }
    for (let at = 0; at < walks; at += 1) {
      const own = seed * 1_000_003 + at
      const chance = chanceOf(own)
      const job = await submitted(around, kinds[at % kinds.length] ?? 'Pseudo', at)
      const steps = Array.from(
        { length: 2 + Math.floor(chance() * 7) },
        () => moves[Math.floor(chance() * moves.length)] ?? 'wait',
      )
      const dying = at % killEvery === killEvery - 1 ? Math.floor(chance() * steps.length) : -1
      for (const [index, step] of steps.entries()) {
        if (index === dying) await place.arm(1 + Math.floor(chance() * 6))
        await take(around, job, step, chance)
        if (index === dying) await place.mend()
      }
      for (const says of await end(around, job))
        tally.found(`seed ${own} (${database}): ${job.kind}, ${steps.join(', ')}: ${says}`)
      tally.round()
    }
    return tally.end()
  } finally {
    await place?.close()
    await engine.close()
    await beyond.close()
  }
}

async function addProviders(
  { callers }: WalkPlace,
  engine: TranslationEngine,
  beyond: TestHub,
): Promise<Record<Kind, string>> {
  const add = async (name: string, typeId: string, config: object = {}): Promise<string> => {
    const got = await callers.call('admin', 'POST', '/providers', {
      body: { name, typeId, config },
    })
    if (got?.status !== 201) throw new Error(`no provider ${name}: ${JSON.stringify(got?.body)}`)
    return String(got.body.id)
  }
  const found = await callers.call('admin', 'GET', '/providers')
  const there: { id: string; name: string }[] = found?.body.providers ?? []
  const by = await add('Engine', 'machine-translation', { url: engine.url })
  const people = await add('People', 'manual')
  const clientId = 'the-hub-before'
  const made = await beyond.call<{ clientSecret: string }>('POST', '/v2/clients', {
    as: 'demo-admin',
    body: { clientId, scopes: ['content'] },
  })
  const pseudo = await beyond.call<{ providers: { id: string; name: string }[] }>(
    'GET',
    '/v2/providers',
    { as: 'demo-admin' },
  )
  const { clientSecret } = made.body
  const providerId = pseudo.body.providers.find(({ name }) => name === 'Pseudo')?.id
  return {
    Pseudo: there.find(({ name }) => name === 'Pseudo')?.id ?? '',
    'an engine': by,
    'a chain': await add('Chain', 'chain', { steps: [{ engines: [by] }] }),
    'a chain with people': await add('Both', 'chain', { steps: [{ engines: [by] }, { people }] }),
    'another hub': await add('Beyond', 'upstream', {
      ...{ url: beyond.url, clientId, clientSecret, providerId, review: 'WAIT' },
    }),
  }
}

async function submitted({ place, providers }: Around, kind: Kind, at: number): Promise<Job> {
  const { call } = place.callers
  const must = (got: Got | undefined): Got => {
    if (!got || got.status >= 300) throw new Error(`no job: ${got?.status} ${got?.body?.message}`)
    return got
  }
  const body = { jobName: `Driven ${at}` }
  const { jobId } = must(await call('connector', 'POST', '/jobs', { body })).body
  const requests = [0, 1, 2].map((one) => ({
    ...{ requestName: `r${one}`, sourceNativeId: `${one}`, sourceNativeLanguageCode: 'en-us' },
    targetNativeLanguageCodes: ['de-de'],
    fields: [{ key: 'a', value: sourceOf(at * 3 + one, 0) }],
  }))
  must(await call('connector', 'POST', `/jobs/${jobId}/requests/add`, { body: { requests } }))
  const providerId = providers[kind]
  must(await call('connector', 'PUT', `/jobs/${jobId}/submit`, { body: { providerId } }))
  return { kind, jobId, providerId }
}

/** Accepted or not: nobody waits for what it leads to. */
async function take(
  { place, engine }: Around,
  { jobId, providerId }: Job,
  move: DrivenMove,
  chance: Chance,
): Promise<void> {
  const { call } = place.callers
  const job = `/jobs/${jobId}`
  const idsOf = async (query: string): Promise<string[]> => {
    const got = await call('connector', 'GET', `${job}/requests${query}`)
    return ((got?.body?.requests ?? []) as { requestId: string }[]).map((one) => one.requestId)
  }
  if (move === 'trouble')
    engine.be(chance() < 0.5 ? () => 'breaks' : () => ({ status: 503, body: { error: 'busy' } }))
  else if (move === 'calm') engine.be()
  else if (move === 'wait') await place.advance(chance() < 0.5 ? '10s' : '1h')
  else if (move === 'redeliver')
    await call('connector', 'POST', `/providers/${providerId}/invocations`, { body: { jobId } })
  else if (move === 'cancel') {
    const [id] = await idsOf('')
    const assetTasksUpdate = { statusCode: 'CANCELLED' }
    const body = { assetTaskIds: [id], assetTasksUpdate }
    if (id) await call('admin', 'PATCH', `/providers/${providerId}${job}/assetTasks`, { body })
  } else if (move === 'approve' || move === 'reject') {
    const ids = await idsOf('?statusCode=REVIEW_TRANSLATION')
    const body = { requestIds: ids.slice(0, 2) }
    if (ids.length > 0) await call('connector', 'PUT', `${job}/requests/${move}`, { body })
  } else await call('connector', 'PUT', `${job}/${move === 'reopen' ? 'intranslation' : move}`)
}

type Row = { request_id: string; status: string; has_error: number; version: number | null }
const mostWaits = 60

/** Everything goes on, and time with it, until every request has come to its end. */
async function end(around: Around, job: Job): Promise<string[]> {
  const { place, engine, beyond } = around
  const { call } = place.callers
  const { jobId, kind } = job
  const { read } = place.inner.db
  engine.be()
  for (const move of ['unarchive', 'reopen'] as const) {
    await until(place, jobId, async () => {
      await take(around, job, move, () => 0)
      const got = await call('connector', 'GET', `/jobs/${jobId}`)
      return got?.body.archiveStatus === 'ACTIVE' || move === 'reopen'
    })
  }
  const rows = (): Promise<Row[]> =>
    read
      .selectFrom('requests')
      .select(['request_id', 'status', 'has_error', 'desk_version as version'])
      .where('site_id', '=', 'demo')
      .where('job_id', '=', jobId)
      .execute()
  const isThere = ({ status }: Row) => /REVIEW|APPROVED|CANCELLED/.test(status)
  // People have the suggestions of the engine.
  const suggested = async (): Promise<ReadonlySet<string>> => {
    if (kind !== 'a chain with people') return new Set()
    const some = await read
      .selectFrom('machine_work')
      .select('request_id')
      .distinct()
      .where('site_id', '=', 'demo')
      .where('job_id', '=', jobId)
      .execute()
    return new Set(some.map(({ request_id }) => request_id))
  }
  const areDone = async (all: readonly Row[]): Promise<boolean> => {
    if (all.every(isThere)) return true
    const ids = await suggested()
    return all.every((row) => isThere(row) || ids.has(row.request_id))
  }
  await until(place, jobId, async () => {
    if (kind === 'another hub') await beyond.advance('1s')
    const all = await rows()
    // The connector was told of an error, or wants another text: it hands the job over again.
    if (all.some(({ has_error, status }) => Number(has_error) === 1 || status.endsWith('REJECTED')))
      await take(around, job, 'redeliver', () => 0)
    return areDone(all)
  })
  const wrong: string[] = []
  const all = await rows()
  if (!(await areDone(all)))
    wrong.push(`the requests stay ${all.map(({ status }) => status).join(', ')}`)
  for (const { says, what } of await findLostWork(place.inner)) wrong.push(`${what}: ${says}`)
  for (const { request_id: id, status } of all) {
    if (!/REVIEW|APPROVED/.test(status)) continue
    const [desk, review, given] = await Promise.all([
      call('admin', 'GET', `/providers/${job.providerId}/jobs/${jobId}/assetTasks/${id}/segments`),
      call('connector', 'GET', `/jobs/${jobId}/requests/${id}/segments`),
      call('connector', 'GET', `/jobs/${jobId}/requests/${id}/retrieve`),
    ])
    const text = given?.body?.translationContent?.[0]?.targetContent?.[0]?.value
    for (const [side, got] of [['desk', desk] as const, ['review', review] as const]) {
      const [segment] = (got?.body?.segments ?? []) as Segment[]
      const shown = segment?.target?.join('')
      if (shown === undefined || shown !== text)
        wrong.push(`${shown} is shown (${side}), and ${text} retrieved`)
    }
  }
  const broken = await findBrokenLaws(read, [jobId])
  // It is over: another hub would be asked about it for ever.
  await call('connector', 'PUT', `/jobs/${jobId}/complete`)
  return [...wrong, ...broken.filter((one) => !one.includes(' has no path: '))]
}

/** Asks again and again, with time between. */
async function until(place: WalkPlace, jobId: string, ask: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < mostWaits; tries += 1) {
    if (await ask()) return
    await place.rest(jobId)
    if (tries > 0) await place.advance(tries < 5 ? '21s' : '16m')
  }
}
