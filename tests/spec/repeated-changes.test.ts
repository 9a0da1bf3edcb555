/** Contract, sections 3, 5 and 15: a change that is sent again changes nothing and tells nobody. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { packagesOf } from '../packages-kit.ts'

type Row = Record<string, unknown>
const connector = 'demo-connector'
const provider = 'demo-provider'
const submitted = { statusCode: 'TRANSLATION_SUBMITTED', force: true }

describe.each(databases)('repeated changes on %s', (database) => {
  let hub: TestHub
  let kit: ReturnType<typeof packagesOf>
  beforeAll(async () => {
    hub = await startHub({ database })
    kit = packagesOf(hub)
  })
  afterAll(() => hub.close())

  const sent = async () => {
    const made = await kit.sent([{ fields: { a: 'Good morning' } }])
    const task = made.task(made.ids[0] ?? '')
    const write = (value: string) =>
      kit.call(provider, 'PUT', `${task}/translatedContent`, { fields: [{ key: 'a', value }] })
    const patch = (body: Row, path = task) => kit.call(provider, 'PATCH', path, body)
    const updates = async () => {
      const { body } = await kit.call<{ statusupdates: { statusCode: string }[] }>(
        connector,
        'GET',
        `/statusupdates?jobId=${made.jobId}`,
      )
      return body.statusupdates.map(({ statusCode }) => statusCode)
    }
    const request = async () => {
      const { body } = await kit.call<{ requests: Row[] }>(
        connector,
        'GET',
        `/jobs/${made.jobId}/requests`,
      )
      return body.requests[0] ?? {}
    }
    return { ...made, task, write, patch, updates, request }
  }

  it('TRANSLATION_SUBMITTED with nothing new is told once, also after the approval', async () => {
    const { jobId, ids, write, patch, updates, request } = await sent()
    await write('Guten Morgen')
    expect((await patch(submitted)).status).toBe(200)
    const before = await request()
    await hub.advance('1m')
    expect((await patch(submitted)).status).toBe(200)
    expect(await request()).toEqual(before)
    expect(await updates()).toEqual(['REVIEW_TRANSLATION'])
    await kit.call(connector, 'PUT', `/jobs/${jobId}/requests/approve`, { requestIds: ids })
    expect((await patch(submitted)).status).toBe(200)
    expect((await request()).statusCode).toBe('TRANSLATION_APPROVED')
    await write('Guten Morgen!')
    await patch(submitted)
    expect(await updates()).toEqual(['REVIEW_TRANSLATION', 'REVIEW_TRANSLATION'])
  })

  it('after a rejection the same translation may be delivered again', async () => {
    const { jobId, ids, write, patch, updates } = await sent()
    await write('Guten Morgen')
    await patch(submitted)
    await kit.call(connector, 'PUT', `/jobs/${jobId}/requests/reject`, {
      requestIds: ids,
      note: 'No',
    })
    expect((await patch(submitted)).status).toBe(200)
    expect(await updates()).toEqual(['REVIEW_TRANSLATION', 'REVIEW_TRANSLATION'])
  })

  it('the segments as they were delivered are told once, also after the approval', async () => {
    const { jobId, ids, task, patch, updates, request } = await sent()
    const { body } = await kit.call<{ segments: { segmentId: string; version: number }[] }>(
      provider,
      'GET',
      `${task}/segments`,
    )
    const [segment] = body.segments
    await kit.call(provider, 'PUT', `${task}/segments/${segment?.segmentId}`, {
      ...{ target: ['Guten Morgen'], state: 'TRANSLATED', version: segment?.version },
    })
    const deliver = async () =>
      expect((await kit.call(provider, 'POST', `${task}/segments/deliver`)).status).toBe(200)
    await deliver()
    await deliver()
    expect(await updates()).toEqual(['REVIEW_TRANSLATION'])
    await kit.call(connector, 'PUT', `/jobs/${jobId}/requests/approve`, { requestIds: ids })
    await deliver()
    expect((await request()).statusCode).toBe('TRANSLATION_APPROVED')
    expect(await updates()).toEqual(['REVIEW_TRANSLATION'])
    // An error was told since: the delivery says that it is over.
    await patch({ hasError: true, errorMessage: 'The picture is missing.' })
    await deliver()
    expect(await request()).toMatchObject({ statusCode: 'REVIEW_TRANSLATION', hasError: false })
    expect(await updates()).toHaveLength(3)
  })

  it('the same error is told once, another one again, and hasError false takes it away', async () => {
    const { job, patch, updates, request } = await sent()
    for (const errorMessage of ['The picture is missing.', 'The picture is missing.', 'Another.'])
      expect((await patch({ hasError: true, errorMessage })).status).toBe(200)
    expect(await updates()).toHaveLength(2)
    expect(await request()).toMatchObject({ hasError: true, latestErrorMessage: 'Another.' })
    const cleared = await patch({ hasError: false })
    expect([cleared.status, cleared.body.hasError, cleared.body.latestErrorMessage]).toEqual([
      200,
      false,
      undefined,
    ])
    expect(await request()).toMatchObject({ hasError: false })
    expect(await updates(), 'nobody is told').toHaveLength(2)
    for (const errorMessage of ['Closed today.', 'Closed today.'])
      expect((await patch({ hasError: true, errorMessage }, job)).status).toBe(200)
    expect(await updates()).toHaveLength(3)
    expect((await patch({ hasError: false }, job)).body).toMatchObject({ hasError: false })
    expect(await updates()).toHaveLength(3)
  })

  it('a reference that comes with a repeat is still saved', async () => {
    const { write, patch, request } = await sent()
    await write('Guten Morgen')
    await patch(submitted)
    await patch({ ...submitted, providerReference: 'r-1' })
    expect(await request()).toMatchObject({ providerReference: 'r-1' })
  })

  const submit = (jobId: string, providerId?: string) =>
    kit.call(connector, 'PUT', `/jobs/${jobId}/submit`, providerId ? { providerId } : {})
  it('a submission with another provider comes too late; the same one, or none, is repeated', async () => {
    const { jobId, job } = await sent()
    const manual = job.split('/')[2] ?? ''
    const { body } = await kit.call<{ providers: { id: string; name: string }[] }>(
      connector,
      'GET',
      '/providers',
    )
    const pseudo = body.providers.find(({ name }) => name === 'Pseudo')?.id
    for (const other of [pseudo, 'A'.repeat(22)]) {
      const refused = await submit(jobId, other)
      expect([refused.status, refused.body.code]).toEqual([409, 'JOB_ALREADY_SUBMITTED'])
    }
    for (const same of [manual, undefined]) {
      const { status, body } = await submit(jobId, same)
      expect([status, body.providerId]).toEqual([200, manual])
    }
  })

  it('an Idempotency-Key is honoured on PATCH and PUT', async () => {
    const { task, jobId } = await sent()
    const call = (method: string, path: string, key: string, body: Row, as = provider) =>
      hub.call(method, `/v2${path}`, { as, body, headers: { 'idempotency-key': key } })
    const first = await call('PATCH', task, 'one', { providerReference: 'a' })
    await kit.call(provider, 'PATCH', task, { providerReference: 'b' })
    const again = await call('PATCH', task, 'one', { providerReference: 'a' })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect((await kit.call(provider, 'GET', task)).body.providerReference).toBe('b')
    const other = await call('PATCH', task, 'one', { providerReference: 'c' })
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_CONFLICT'])
    const many = { assetTaskIds: [task.split('/').at(-1)], assetTasksUpdate: { hasError: true } }
    const list = task.split('/').slice(0, -1).join('/')
    const listed = await call('PATCH', list, 'many', many)
    const relisted = await call('PATCH', list, 'many', many)
    expect([listed.status, relisted.body]).toEqual([200, listed.body])
    const done = await call('PUT', `/jobs/${jobId}/complete`, 'done', {}, connector)
    await kit.call(connector, 'PUT', `/jobs/${jobId}/intranslation`)
    const redone = await call('PUT', `/jobs/${jobId}/complete`, 'done', {}, connector)
    expect([done.status, redone.body]).toEqual([200, done.body])
    expect((await kit.call(connector, 'GET', `/jobs/${jobId}`)).body.statusCode).toBe(
      'IN_TRANSLATION',
    )
    const refused = await call('PATCH', `/jobs/${jobId}`, 'late', { jobName: 'x' }, connector)
    expect(refused.status).toBe(409)
    expect(
      (await call('PATCH', `/jobs/${jobId}`, 'late', { jobName: 'y' }, connector)).status,
    ).toBe(409)
  })
})
