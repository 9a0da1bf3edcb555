import {
  type Endpoint,
  endpointNames,
  endpoints,
  errorCodes,
  eventTypes,
  failsOf,
  gone,
  jobStatuses,
  limitRows,
  methodOf,
  pathOf,
  requestStatuses,
} from '@dragoman/contract'
import { describe, expect, it } from 'vitest'
import { openapi } from './openapi.ts'
import { ownKeywords } from './openapi-schemas.ts'
import { errorsPage, limitsPage, statesPage } from './pages.ts'

type Json = { [key: string]: unknown }

function* walk(value: unknown, where = '#'): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return
  yield [where, value as Json]
  for (const [key, inner] of Object.entries(value)) yield* walk(inner, `${where}/${key}`)
}

function resolve(document: Json, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], document)
}

/** With all endpoints, so that rows added later must follow the same rules. */
const documents = [
  { name: 'the document', document: JSON.parse(JSON.stringify(openapi())) as Json },
  {
    name: 'the document of the whole table',
    document: JSON.parse(JSON.stringify(openapi(endpointNames))) as Json,
  },
]

describe.each(documents)('$name', ({ document }) => {
  it('resolves every reference', () => {
    const references = [...walk(document)].flatMap(([, node]) =>
      typeof node.$ref === 'string' ? [node.$ref] : [],
    )
    expect(references.length).toBeGreaterThan(50)
    expect(references.filter((one) => resolve(document, one) === undefined)).toEqual([])
  })

  it('has no keyword of our own in a schema', () => {
    const found = [...walk(document)].flatMap(([where, node]) =>
      where.endsWith('/properties') || where.includes('/example/')
        ? []
        : ownKeywords.filter((keyword) => keyword in node).map((k) => `${where}/${k}`),
    )
    expect(found).toEqual([])
  })

  it('names every operation once and every parameter of its path', () => {
    const ids: unknown[] = []
    for (const [path, item] of Object.entries(
      document.paths as Record<string, Record<string, Json>>,
    ))
      for (const operation of Object.values(item)) {
        ids.push(operation.operationId)
        const parameters = (operation.parameters ?? []) as Json[]
        const named = parameters.filter((one) => one.in === 'path').map((one) => one.name)
        expect(named.sort()).toEqual(
          [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort(),
        )
      }
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has a name for every body and every answer, so that generated clients have names too', () => {
    const unnamed = [...walk(document.paths)].flatMap(([where, node]) => {
      const schema = (node.content as Record<string, Json> | undefined)?.['application/json']
        ?.schema as Json | undefined
      const forms = (schema?.anyOf as Json[] | undefined) ?? (schema ? [schema] : [])
      return forms.flatMap((form) => ((form.$ref ?? (form.items as Json)?.$ref) ? [] : [where]))
    })
    // Revocation answers with an empty object (RFC 7009).
    expect(unnamed).toEqual(['#//connect/revocation/post/responses/200'])
  })

  it('has both spellings of a field where an answer has both, and says which is the same as which', () => {
    const twins = [...walk(document)].flatMap(([where, { properties }]) => {
      const fields = Object.entries((properties as Record<string, Json> | undefined) ?? {})
      const seen = new Set<string>()
      return fields.flatMap(([name, { description }]) => {
        const isNew = !seen.has(name.toLowerCase())
        seen.add(name.toLowerCase())
        return isNew ? [] : [`${where.replace(/^.*schemas./, '')} ${name}: ${description}`]
      })
    })
    expect(twins).toEqual(
      expect.arrayContaining([
        'Job ExtendedMetadata: The same as extendedMetadata.',
        'Job ConnectorName: The same as connectorName.',
        'Job ConnectorVersion: The same as connectorVersion.',
        'Provider ExtendedMetadataSchema: The same as extendedMetadataSchema.',
        'Request sourceContentId: The same as sourcecontentId.',
        'SupportAsset supportAssetId: The same as supportassetId.',
      ]),
    )
    for (const twin of twins) expect(twin).toMatch(/: The same as \w+\.$/)
    expect(JSON.stringify(document)).toContain('ExtendedMetadata for extendedMetadata')
  })

  it('describes every operation, with an example of every body in JSON', () => {
    for (const item of Object.values(document.paths as Record<string, Record<string, Json>>))
      for (const { operationId, description, requestBody, responses } of Object.values(item)) {
        const forms = (requestBody as { content?: Record<string, Json> } | undefined)?.content ?? {}
        if (forms['application/json'] && Object.keys(forms).length === 1)
          expect([operationId, forms['application/json'].example]).not.toContain(undefined)
        if (operationId === 'createToken' || operationId === 'revokeToken') continue
        expect(description, String(operationId)).toMatch(/\.$/)
        expect(Object.keys(responses as Json)).toEqual(expect.arrayContaining(['405', '431']))
      }
  })

  it('says what listeners are told', () => {
    const sent = document.webhooks as Record<string, { post: Json }>
    expect(Object.keys(sent).sort()).toEqual([...eventTypes].sort())
    for (const { post } of Object.values(sent))
      expect(JSON.stringify(post.requestBody)).toContain('#/components/schemas/ListenerUpdate')
  })

  it('has names for choices that are signs', () => {
    for (const [, { enum: values, 'x-enum-varnames': names }] of walk(document))
      if (Array.isArray(values) && values.some((value) => !/[a-z0-9*]/i.test(String(value))))
        expect(names).toEqual(['COMMA', 'SEMICOLON', 'TAB', 'BAR'])
  })

  it('has a description for every response, and the error object for every failure', () => {
    for (const item of Object.values(document.paths as Record<string, Record<string, Json>>))
      for (const operation of Object.values(item))
        for (const [status, response] of Object.entries(
          operation.responses as Record<string, Json>,
        )) {
          expect(response.description).toBeTruthy()
          if (Number(status) >= 400)
            expect(JSON.stringify(response.content)).toMatch(/schemas\/(Error|TokenError)"/)
        }
  })
})

describe('the document of the calls that work', () => {
  const text = JSON.stringify(openapi())

  it('has every call and no other', () => {
    const operations = [...walk(openapi())].flatMap(([, node]) => node.operationId ?? [])
    expect(operations.sort()).toEqual(['createToken', 'revokeToken', ...endpointNames].sort())
  })

  it('is the same every time', () => {
    expect(JSON.stringify(openapi())).toBe(text)
  })

  it("carries the specification's names of categories and enumerations", () => {
    const { components, tags } = openapi() as {
      components: { schemas: Json }
      tags: { name: string }[]
    }
    expect(tags.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'FileTransfer',
        'TranslationMemory',
        'Providers',
        'Jobs',
        'Requests',
        'Quota',
      ]),
    )
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining([
        'JobStatusCodeEnum',
        'RequestStatusCodeEnum',
        'FMSTransferObject',
        'StatusUpdate',
        'Error',
      ]),
    )
  })

  it('marks deprecated calls and takes an Idempotency-Key on every POST, PUT and PATCH that changes something', () => {
    const paths = openapi().paths as Record<string, Record<string, Json>>
    expect(paths['/v2/jobs/{jobId}']?.put?.deprecated).toBe(true)
    expect(JSON.stringify(paths['/v2/jobs']?.post)).toContain('Idempotency-Key')
    expect(JSON.stringify(paths['/v2/jobs']?.get)).not.toContain('Idempotency-Key')
    for (const method of ['put', 'patch'])
      expect(JSON.stringify(paths['/v2/jobs/{jobId}']?.[method])).toContain('Idempotency-Key')
    // Its body is optional: a header before it would move it in generated clients.
    expect(JSON.stringify(paths['/v2/jobs/{jobId}/submit']?.put?.parameters)).not.toContain(
      'Idempotency-Key',
    )
    for (const path of ['/settings/routing/try', '/providers/{providerId}/matches'])
      expect(JSON.stringify(paths[`/v2${path}`]?.post)).toContain('Not needed')
  })
})

describe('the table of endpoints', () => {
  const rows: [string, Endpoint][] = endpointNames.map((name) => [name, endpoints[name]])

  it('has every call once', () => {
    const calls = [...rows.map(([, row]) => row.call), ...gone.map((row) => row.call)]
    expect(new Set(calls.map((call) => call.replaceAll(/\{\w+\}/g, '{}'))).size).toBe(calls.length)
  })

  it.each(rows)(
    '%s has a parameter for each blank of its path, and a successor that exists',
    (_name, row) => {
      const { properties = {} } = (row.params ?? {}) as { properties?: object }
      expect(Object.keys(properties)).toEqual(
        [...pathOf(row).matchAll(/\{(\w+)\}/g)].map((found) => found[1]),
      )
      if (row.deprecated) expect(rows.map(([, one]) => one.call)).toContain(row.deprecated)
      if (methodOf(row) === 'GET') expect(row.body).toBeUndefined()
      expect(new Set(failsOf(row)).size).toBe(failsOf(row).length)
      if (row.collection && row.paged !== false)
        expect(Object.keys((row.query as unknown as { properties: object }).properties)).toEqual(
          expect.arrayContaining(['navNext', 'next', 'pageSize']),
        )
    },
  )

  it('has successors of removed calls', () => {
    for (const { successor } of gone) expect(rows.map(([, row]) => row.call)).toContain(successor)
  })
})

describe('the pages', () => {
  it('name every code, every state and every limit', () => {
    const [errorText, stateText, limitText] = [errorsPage(), statesPage(), limitsPage()]
    for (const code of errorCodes) expect(errorText).toContain(`\`${code}\``)
    for (const status of [...jobStatuses, ...requestStatuses]) expect(stateText).toContain(status)
    for (const limit of Object.keys(limitRows)) expect(limitText).toContain(limit)
    expect(stateText).toContain('  SENT_TO_PROVIDER --> COMPLETED: complete')
    expect(limitText).toContain('| multipartBytes | 200 MiB (209,715,200 bytes) |')
    expect(limitText).toContain('| MaxStatusUpdatesPerSite | 10,000 |')
  })
})
