/**
 * Work that a driver had begun when its job was archived or completed goes on by itself (contract,
 * section 15): whatever happens to the job in between, no request waits for ever.
 */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { findLostWork } from '../../packages/server/src/domain/operations/integrity/lost-work.ts'
import type { Faults } from '../../packages/server/src/store/tasks/fault-port.ts'
import { sized } from '../draws.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'

const connector = 'demo-connector'
const operator = 'demo-operator'
type Body = Record<string, unknown>
type Seen = { requests: { requestId: string; statusCode: string }[] }
type Finding = { findingId: string; rule: string; thingId: string }

const moves = {
  archive: 'ARCHIVED',
  unarchive: 'ACTIVE',
  complete: 'COMPLETED',
  intranslation: 'IN_TRANSLATION',
} as const
type MoveName = keyof typeof moves
const interrupted: readonly (readonly [string, readonly MoveName[]])[] = [
  ['archived and unarchived', ['archive', 'unarchive']],
  ['completed and reopened', ['complete', 'intranslation']],
  [
    'completed, archived, unarchived and reopened',
    ['complete', 'archive', 'unarchive', 'intranslation'],
  ],
]

describe.each(databases)('work that is interrupted, on %s', (database) => {
  let hub: TestHub
  let pseudo: string
  /** What holds back translations that a driver has made. */
  let held: { readonly arrived: () => number; release(): void } | undefined
  beforeAll(async () => {
    hub = await startHub({ database })
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      { as: connector },
    )
    pseudo = body.providers.find(({ name }) => name === 'Pseudo')?.id ?? ''
  })
  afterEach(() => held?.release())
  afterAll(() => hub.close())

  const call = async <T = Body>(method: string, path: string, body?: unknown, as = connector) => {
    const answer = await hub.call<T>(method, `/v2${path}`, {
      as,
      ...(body !== undefined && { body }),
    })
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }

  /** From now on translations wait between their driver and their delivery. */
  function holdTranslations() {
    held?.release()
    const faults = hub.inner.faults as Faults
    const { translation } = faults
    let arrived = 0
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    Object.assign(faults, {
      translation: async (...given: Parameters<Faults['translation']>) => {
        arrived += 1
        await gate
        return translation(...given)
      },
    })
    held = {
      arrived: () => arrived,
      release: () => {
        Object.assign(faults, { translation })
        open()
        held = undefined
      },
    }
    return held
  }

  async function submitted(many: number): Promise<string> {
    const { jobId } = await call('POST', '/jobs', { jobName: 'Interrupted' })
    const requests = Array.from({ length: many }, (_, at) => ({
      requestName: `r${at}`,
      sourceNativeId: `s${at}`,
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fields: [{ key: 'a', value: `text ${at}` }],
    }))
    await call('POST', `/jobs/${jobId}/requests/add`, { requests })
    await call('PUT', `/jobs/${jobId}/submit`, { providerId: pseudo })
    return String(jobId)
  }
  const statusesOf = async (jobId: string) => {
    const rows = await hub.inner.db.read
      .selectFrom('requests')
      .select('status')
      .where('job_id', '=', jobId)
      .execute()
    return new Set(rows.map(({ status }) => status))
  }
  const tasksOf = (jobId: string) =>
    hub.inner.db.read.selectFrom('tasks').select('name').where('job_id', '=', jobId).execute()
  const noneLeft = (jobId: string) =>
    until('no task of the job is left', async () => (await tasksOf(jobId)).length === 0)
  async function move(jobId: string, name: MoveName): Promise<void> {
    await call('PUT', `/jobs/${jobId}/${name}`)
    await until(`the job is ${moves[name]}`, async () => {
      const { statusCode, archiveStatus } = await call('GET', `/jobs/${jobId}`)
      return [statusCode, archiveStatus].includes(moves[name])
    })
  }

  it.each(interrupted)('a job that was %s gets all of its translations', async (_, names) => {
    const gate = holdTranslations()
    const jobId = await submitted(3)
    await until('a translation is made', async () => gate.arrived() > 0)
    const [first, ...others] = names
    await move(jobId, first as MoveName)
    gate.release()
    await noneLeft(jobId)
    expect(await statusesOf(jobId)).toEqual(new Set(['SENT_TO_PROVIDER']))
    for (const name of others) await move(jobId, name)
    await hub.advance('1m')
    expect(await statusesOf(jobId)).toEqual(new Set(['REVIEW_TRANSLATION']))
    const updates = await call<{ statusupdates: { requestIds: string[] }[] }>(
      'GET',
      `/statusupdates?jobId=${jobId}`,
    )
    const told = updates.statusupdates.flatMap(({ requestIds }) => requestIds)
    expect([told.length, new Set(told).size], 'each once').toEqual([3, 3])
  })

  it('an 800-request job that was archived in between is translated, each request once', async () => {
    const gate = holdTranslations()
    const jobId = await submitted(800)
    await until('a translation is made', async () => gate.arrived() > 0)
    await move(jobId, 'archive')
    gate.release()
    await noneLeft(jobId)
    await move(jobId, 'unarchive')
    await hub.advance('1m')
    expect(await statusesOf(jobId)).toEqual(new Set(['REVIEW_TRANSLATION']))
    const delivered = await hub.inner.db.read
      .selectFrom('moves')
      .select('request_ids')
      .where('job_id', '=', jobId)
      .where('move', '=', 'deliver')
      .execute()
    const ids = delivered.flatMap(({ request_ids }) => JSON.parse(request_ids ?? '[]') as string[])
    expect([ids.length, new Set(ids).size]).toEqual([800, 800])
  })

  it('a request that has its translation, or its error, is not translated again', async () => {
    const jobId = await submitted(3)
    await noneLeft(jobId)
    expect(await statusesOf(jobId)).toEqual(new Set(['REVIEW_TRANSLATION']))
    const { requests } = await call<Seen>('GET', `/jobs/${jobId}/requests`)
    const before = requests.map(({ requestId }) => requestId)
    await hub.inner.db.transact((tx) =>
      tx
        .updateTable('requests')
        .set({ status: 'SENT_TO_PROVIDER', has_error: 1, error_message: null })
        .where('request_id', '=', before[0] ?? '')
        .execute(),
    )
    await move(jobId, 'complete')
    const gate = holdTranslations()
    await move(jobId, 'intranslation')
    await noneLeft(jobId)
    expect(gate.arrived()).toBe(0)
  })

  it('dragoman check finds a request whose work is lost, and the remedy of the finding sends it again', async () => {
    const gate = holdTranslations()
    const jobId = await submitted(2)
    await until('a translation is made', async () => gate.arrived() > 0)
    // As an earlier version left it.
    await hub.inner.db.transact((tx) =>
      tx.updateTable('jobs').set({ status: 'COMPLETED' }).where('job_id', '=', jobId).execute(),
    )
    gate.release()
    await noneLeft(jobId)
    await hub.inner.db.transact((tx) =>
      tx
        .updateTable('jobs')
        .set({ status: 'IN_TRANSLATION' })
        .where('job_id', '=', jobId)
        .execute(),
    )
    const { findings } = await checkHub(hub.inner, { fast: true })
    expect(findings).toEqual([
      expect.objectContaining({ check: 'lost work', weight: 'wrong', what: `job ${jobId}` }),
    ])
    const listed = await call<{ findings: Finding[] }>('GET', '/findings', undefined, operator)
    const [finding, ...more] = listed.findings.filter(({ thingId }) => thingId === jobId)
    expect([finding?.rule, more]).toEqual(['work-lost', []])
    await call('POST', `/findings/${finding?.findingId}/remedy`, undefined, operator)
    await hub.advance('1m')
    expect(await statusesOf(jobId)).toEqual(new Set(['REVIEW_TRANSLATION']))
    const after = await call<{ findings: Finding[] }>('GET', '/findings', undefined, operator)
    expect(after.findings.filter(({ thingId }) => thingId === jobId)).toEqual([])
    expect((await checkHub(hub.inner, { fast: true })).findings).toEqual([])
  })

  it('no order of moves leaves a request that waits for ever', async () => {
    const step = fc.constantFrom(
      'archive',
      'unarchive',
      'complete',
      'intranslation',
      'hold',
      'release',
    )
    const walk = async (steps: readonly string[]) => {
      holdTranslations()
      const jobId = await submitted(2)
      for (const name of steps) {
        if (name === 'hold') holdTranslations()
        else if (name === 'release') held?.release()
        else await hub.call('PUT', `/v2/jobs/${jobId}/${name}`, { as: connector })
        expect(await findLostWork(hub.inner), `${name} of ${steps}`).toEqual([])
      }
      held?.release()
      await hub.advance('1s')
      await hub.call('PUT', `/v2/jobs/${jobId}/unarchive`, { as: connector })
      await hub.advance('1s')
      await hub.call('PUT', `/v2/jobs/${jobId}/intranslation`, { as: connector })
      await hub.advance('1m')
      expect(await statusesOf(jobId), `${steps}`).toEqual(new Set(['REVIEW_TRANSLATION']))
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), walk), {
      numRuns: sized(5, 60),
    })
  })
})
