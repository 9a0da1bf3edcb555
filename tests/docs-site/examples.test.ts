/**
 * What the reference derives: examples of errors, compared with what a hub answers, and the changes
 * since the last release.
 */
import {
  type Endpoint,
  type EndpointName,
  type ErrorCode,
  endpointNames,
  endpoints,
  errorCodes,
  errors,
  methodOf,
  pathOf,
  scopesOf,
} from '@dragoman/contract'
import { openapi, sampleCall } from '@dragoman/docs/reference'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newsOf } from '../../packages/docs/src/changes/changes-page.ts'
import { type Document, groupsOf } from '../../packages/docs/src/document.ts'
import { errorSample, tokenErrorSample } from '../../packages/docs/src/error-sample.ts'
import { startHub, type TestHub } from '../hub.ts'

let hub: TestHub
beforeAll(async () => {
  hub = await startHub()
})
afterAll(() => hub.close())

const page = async (path: string): Promise<string> => (await hub.call<string>('GET', path)).body

describe('the example of an error', () => {
  const document = openapi() as unknown as Document
  const shownCalls = groupsOf(document).flatMap(({ calls }) => calls)
  type Body = { code: string; message: string; details?: { path: string }[] }

  /** The sample call of this name, changed in one way, as the client that may make it. */
  const send = async (
    name: EndpointName,
    change: { without?: string; query?: object; as?: string | undefined },
  ) => {
    const { method, path, query, body } = sampleCall(name)
    const [scope = ''] = scopesOf(endpoints[name])
    const search = new URLSearchParams({ ...(query as Record<string, string>), ...change.query })
    const { [change.without ?? '']: _, ...rest } = (body ?? {}) as Record<string, unknown>
    const given = change.without === '' ? undefined : rest
    const { as = scope === 'operator' ? 'demo-operator' : 'demo-admin' } = change
    const options = { ...(as !== '' && { as }), ...(method !== 'GET' && given && { body: given }) }
    return (await hub.call<Body>(method, `${path}?${search}`, options)).body
  }
  const exampleOf = (name: string, code: ErrorCode): Body => {
    const call = shownCalls.find(({ operation }) => operation.operationId === name)
    return errorSample(document, code, call) as Body
  }
  const said = ({ code, message, details }: Body) => ({
    code,
    message,
    ...(details && { first: details[0] }),
  })

  it('is what the hub answers without a token, with a token for something else, and to a field or value that is wrong', async () => {
    for (const name of endpointNames.filter((one) => !endpoints[one].tag.startsWith('Console'))) {
      const endpoint: Endpoint = endpoints[name]
      const compare = async (code: ErrorCode, change: Parameters<typeof send>[1]) =>
        expect([name, said(await send(name, change))]).toEqual([name, said(exampleOf(name, code))])
      await compare('UNAUTHORIZED', { as: '' })
      const scopes = scopesOf(endpoint)
      if (!scopes.includes('any'))
        await compare('FORBIDDEN', {
          as: scopes.includes('settings') ? 'demo-provider' : 'demo-settings',
        })
      const [field] = exampleOf(name, 'INVALID_REQUEST').details ?? []
      if (endpoint.body && field && !endpoint.takes)
        await compare('INVALID_REQUEST', { without: field.path })
      const [parameter] = exampleOf(name, 'INVALID_PARAMETER').details ?? []
      const names = Object.keys(
        (endpoint.query as { properties?: object } | undefined)?.properties ?? {},
      )
      if (parameter && names.includes(parameter.path))
        await compare('INVALID_PARAMETER', { query: { [parameter.path]: '999' } })
    }
  })

  it('names the move and the states of a call that makes one', () => {
    const message = (name: string, code: ErrorCode) => exampleOf(name, code).message
    expect(message('submitJob', 'INVALID_TRANSITION')).toBe(
      'Job k7Qm2xT9bW is COMPLETED; submit is allowed only from CREATED.',
    )
    expect(message('changeAssetTask', 'INVALID_TRANSITION')).toContain(
      'start is allowed only from SENT_TO_PROVIDER',
    )
    expect(exampleOf('addRequests', 'QUOTA_EXCEEDED')).toMatchObject({
      message: 'MaxReqsPerJob is 2000; with this call it would be 2001.',
      quota: { name: 'MaxReqsPerJob', limit: 2000, used: 2000 },
    })
  })

  it('is what the token endpoint answers', async () => {
    const form = {
      grant_type: 'password',
      client_id: 'demo-connector',
      client_secret: 'demo-connector-secret',
    }
    for (const [code, status, more] of [
      ['unsupported_grant_type', '400', {}],
      ['invalid_client', '401', { grant_type: 'client_credentials', client_secret: 'wrong' }],
    ] as const) {
      const answer = await fetch(`${hub.url}/connect/token`, {
        method: 'POST',
        body: new URLSearchParams({ ...form, ...more }),
      })
      const { traceId: _, ...example } = tokenErrorSample(code, status) as Record<string, unknown>
      expect(await answer.json()).toMatchObject(example)
    }
  })

  it('has no open blank, whatever the error', () => {
    for (const code of errorCodes) {
      const { message } = errorSample(document, code) as Body
      const pattern = errors[code].says
        .replace(/[.*+?^$|()[\]\\]/g, '\\$&')
        .replace(/\{\w+\}/g, '.+')
      if (!needCall.includes(code)) expect(message).toMatch(new RegExp(`^${pattern}$`))
    }
  })
})

/** Errors whose sample depends on the call. */
const needCall = [
  'INVALID_REQUEST',
  'INVALID_PARAMETER',
  'QUOTA_EXCEEDED',
  'INVALID_TRANSITION',
  'CONTENT_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

describe('the page of changes', () => {
  it('names what is new since the last release, and the pages mark it', async () => {
    const body = await page('/docs/changes')
    const { since, changes, calls } = newsOf(openapi() as unknown as Document)
    expect(body).toContain(`<h1>Changes since ${since}</h1>`)
    const text = body.replace(/<[^>]*>/g, '')
    for (const { on, at, says } of changes.filter(({ breaks }) => !breaks))
      expect([on, at, says, text.includes(at)]).toEqual([on, at, says, true])
    for (const name of endpointNames) {
      const endpoint: Endpoint = endpoints[name]
      const isNew = calls.has(`${methodOf(endpoint)} /v2${pathOf(endpoint)}`)
      const mark = `new since ${since}</a></h1>`
      expect([name, (await page(`/docs/calls/${name}`)).includes(mark)]).toEqual([name, isNew])
      if (isNew) expect(body).toContain(`href="/docs/calls/${name}"`)
    }
    const old = changes.find(({ on, says }) => on === 'Job' && says === 'is new')
    if (old) expect(await page('/docs/schemas/Job')).toContain('<span class="badge new">new</span>')
  })
})
