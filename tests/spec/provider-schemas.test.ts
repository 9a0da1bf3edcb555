/**
 * A provider's JSON schema is written by a client: whatever it holds, saving and using it has a
 * bound and never a 500.
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'

type Schema = Record<string, unknown>
const many = <T>(length: number, make: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => make(at))
const properties = (length: number, make: (at: number) => unknown): Schema => ({
  properties: Object.fromEntries(many(length, (at) => [`p${at}`, make(at)])),
})
const chain = (length: number, link: (next: string) => unknown): Schema => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    many(length, (at) => [
      `d${at}`,
      at < length - 1 ? link(`#/$defs/d${at + 1}`) : { type: 'object' },
    ]),
  ),
})

/** Takes a few milliseconds on a thousand spaces. */
const slowish = `^(${many(10, (at) => ` * *${at}`).join('|')})$`

const refused: Record<string, Schema> = {
  'a reference to itself': { $ref: '#' },
  'a reference to itself in allOf': { allOf: [{ $ref: '#' }] },
  'a reference to itself in not': { not: { $ref: '#' } },
  'a reference to itself in a dependency': { dependencies: { a: { $ref: '#' } } },
  'a reference to itself below a property': { properties: { a: { $ref: '#/properties/a' } } },
  'two references to each other': {
    $ref: '#/$defs/a',
    $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }] } },
  },
  'a reference that leads nowhere': { $ref: '#/$defs/none' },
  'a reference to what is no schema': { $ref: '#/required', required: ['a'] },
  'a reference by an anchor': { $ref: '#x', $defs: { x: { $anchor: 'x' } } },
  'a dynamic reference': {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $dynamicAnchor: 'x',
    properties: { a: { $dynamicRef: '#x' } },
  },
  'an id inside': { $defs: { a: { $id: 'http://x/', $ref: '#' } } },
  'an asynchronous schema': { $async: true, type: 'string' },
  'references that double': chain(60, (next) => ({ allOf: [{ $ref: next }, { $ref: next }] })),
  'thousands of references': chain(1_500, (next) => ({ $ref: next })),
  'thousands of patterns': properties(1_000, (at) => ({ pattern: `^a${at}` })),
  'thousands of properties': properties(2_500, () => ({ type: 'string' })),
  'thousands of alternatives': { anyOf: many(2_500, () => ({ type: 'object' })) },
  'thousands of choices': { enum: many(6_000, (at) => ({ a: at })) },
  'a pattern of thousands of letters': { properties: { a: { pattern: 'a?'.repeat(20_000) } } },
  'patterns that are slow together': properties(100, () => ({ pattern: slowish })),
}

describe.each(databases)('the schema of a provider on %s', (database) => {
  let hub: TestHub
  const admin = 'demo-admin'
  const as = 'demo-connector'
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const save = (extendedMetadataSchema: Schema) =>
    hub.call('POST', '/v2/providers', {
      as: admin,
      body: { name: 'S', typeId: 'manual', extendedMetadataSchema },
    })
  const tryJob = (providerId: unknown, extendedMetadata: unknown) =>
    hub.call('POST', '/v2/jobs', { as, body: { jobName: 'S', providerId, extendedMetadata } })

  it.each(Object.keys(refused))('is refused with a sentence: %s', async (name) => {
    const { status, body } = await save(refused[name] ?? {})
    expect([status, body.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(body.message).toMatch(/extendedMetadataSchema/)
  })

  it.each(Object.keys(refused))(
    'that was saved before the rule refuses jobs and fails none: %s',
    async (name) => {
      const { status: saved, body: provider } = await save({ type: 'object' })
      expect(saved).toBe(201)
      await hub.inner.db.transact((tx) =>
        tx
          .updateTable('providers')
          .set({ metadata_schema: JSON.stringify(refused[name]) })
          .where('provider_id', '=', String(provider.id))
          .execute(),
      )
      const { status, body } = await tryJob(provider.id, {
        a: { a: 'a' },
        p1: `${' '.repeat(30_000)}x`,
      })
      expect([status, body.code]).toEqual([400, 'METADATA_INVALID'])
    },
  )

  it('holds for the metadata of every request too, when the job is submitted', async () => {
    const { body: provider } = await save({ properties: { cost: { type: 'string' } } })
    const { body: job } = await tryJob(provider.id, { cost: 'A' })
    type Made = { requests: { requestId: string }[]; code: string; field: string; message: string }
    const requests = many(60, (at) => ({
      requestName: `r${at}`,
      sourceNativeId: `${at}`,
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de', 'fr-fr'],
      fields: [{ key: 'k', value: 'v' }],
      ...(at > 0 && { extendedMetadata: { cost: at === 55 ? 5 : `c${at}` } }),
    }))
    const path = `/v2/jobs/${job.jobId}`
    const body = { requests }
    const made = await hub.call<Made>('POST', `${path}/requests/add`, { as, body })
    const requestId = made.body.requests[110]?.requestId
    const submitted = await hub.call<Made>('PUT', `${path}/submit`, { as })
    expect(submitted).toMatchObject({
      status: 400,
      body: { code: 'METADATA_INVALID', field: `requests.${requestId}.extendedMetadata/cost` },
    })
    expect(submitted.body.message).toContain(requestId)
    expect((await hub.call('GET', path, { as })).body.statusCode).toBe('CREATED')
    for (const at of [110, 111]) {
      const extendedMetadata = { cost: 'right' }
      const id = made.body.requests[at]?.requestId
      const change = { as, body: { extendedMetadata } }
      expect((await hub.call('PATCH', `${path}/requests/${id}`, change)).status).toBe(200)
    }
    expect((await hub.call('PUT', `${path}/submit`, { as })).status).toBe(200)
  })

  it('may refer to itself inside the value, which ends it', async () => {
    const tree = {
      $defs: {
        node: { properties: { name: { type: 'string' }, child: { $ref: '#/$defs/node' } } },
      },
      $ref: '#/$defs/node',
    }
    const { status, body: provider } = await save(tree)
    expect(status).toBe(201)
    expect((await tryJob(provider.id, { child: { child: { name: 'x' } } })).status).toBe(201)
    const wrong = await tryJob(provider.id, { child: { child: { name: 1 } } })
    expect([wrong.status, wrong.body.field]).toEqual([400, 'extendedMetadata/child/child/name'])
  })

  it.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ])('may be of %s, with an id of its own, and as large as the limits say', async ($schema) => {
    // Its time is not counted: on a busy machine others take part of it.
    const counted = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 })
    onTestFinished(() => counted.mockRestore())
    const large = {
      $schema,
      $id: 'https://agency.example/metadata',
      ...properties(400, () => ({ type: 'string' })),
    }
    const { status, body: provider } = await save(large)
    expect(status).toBe(201)
    expect((await tryJob(provider.id, { p399: 'x' })).status).toBe(201)
    expect((await tryJob(provider.id, { p399: 1 })).body.field).toBe('extendedMetadata/p399')
  })
})
