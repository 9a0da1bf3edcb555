import { ownKeywords } from '@dragoman/docs/reference'
import { Ajv } from 'ajv'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Endpoint } from './endpoints/row.ts'
import {
  type Answer,
  type Endpoints,
  endpointNames,
  endpoints,
  type HandlerAnswer,
  type Input,
} from './endpoints.ts'
import type { JsonBytes } from './json-bytes.ts'
import { type Job, NewJob, type NewRequest } from './schemas/index.ts'

describe('the types of an endpoint', () => {
  it('follow from its row', () => {
    expectTypeOf<Input<Endpoints['changeJob']>['params']>().toEqualTypeOf<{ jobId: string }>()
    expectTypeOf<Input<Endpoints['createJob']>['body']['jobName']>().toEqualTypeOf<string>()
    expectTypeOf<
      Input<Endpoints['createJob']>['body']['targetNativeLanguageCodes']
    >().toEqualTypeOf<string[] | undefined>()
    expectTypeOf<Input<Endpoints['listJobs']>['query']['pageSize']>().toEqualTypeOf<
      number | undefined
    >()
    expectTypeOf<Input<Endpoints['completeJob']>['body']>().toEqualTypeOf<undefined>()
    expectTypeOf<Input<Endpoints['submitJob']>['body']>().toEqualTypeOf<
      { providerId?: string } | undefined
    >()
    expectTypeOf<HandlerAnswer<Endpoints['findJob']>>().toEqualTypeOf<Job | JsonBytes>()
    expectTypeOf<HandlerAnswer<Endpoints['listJobs']>['items']>().toEqualTypeOf<
      (Job | JsonBytes)[]
    >()
    expectTypeOf<Answer<Endpoints['listJobs']>['jobs']>().toEqualTypeOf<Job[]>()
    expectTypeOf<Input<Endpoints['addRequests']>['body']>().toExtend<
      NewRequest | { requests: NewRequest[] }
    >()
    expectTypeOf<Job['statusCode']>().toEqualTypeOf<
      'CREATED' | 'SENDING' | 'SENT_TO_PROVIDER' | 'IN_TRANSLATION' | 'COMPLETED' | 'CANCELLED'
    >()
    expectTypeOf<Job['labels']>().toEqualTypeOf<
      string[] | Record<string, string | number | boolean> | undefined
    >()
    expectTypeOf<HandlerAnswer<Endpoints['retrieveFile']>>().toEqualTypeOf<
      { location: string } | JsonBytes
    >()
  })
})

/** The validator, set up like the server's as far as plain JSON Schema allows. */
const ajv = new Ajv({
  allErrors: false,
  validateFormats: false,
  strictTypes: false,
  keywords: [...ownKeywords],
})

describe('the schemas', () => {
  const parts = endpointNames.flatMap((name) => {
    const row: Endpoint = endpoints[name]
    return (['params', 'query', 'body', 'answers'] as const).flatMap((part) =>
      row[part] ? [{ name, part, schema: row[part] }] : [],
    )
  })

  it.each(parts)('$part of $name compiles in strict mode', ({ schema }) => {
    expect(ajv.compile(schema)).toBeTypeOf('function')
  })

  const accepts = ajv.compile(NewJob)
  it.each([
    [{ jobName: 'a' }, true],
    [{ jobName: 'a', unknown: null }, true],
    [{ jobName: 'a', labels: [] }, true],
    [{ jobName: 'a', labels: ['web', 'é\n'] }, true],
    [{ jobName: 'a', labels: { cost: 3, 'a\nb': true, team: 'x' } }, true],
    [{ jobName: 'a', analysisCodes: [{ level: 1, code: 'x' }] }, true],
    [{ jobName: 'a', targetNativeLanguageCodes: [] }, true],
    [{}, false],
    [{ jobName: '' }, false],
    [{ jobName: 7 }, false],
    [{ jobName: 'a\u0000' }, false],
    [{ jobName: 'a\ud800' }, false],
    [{ jobName: 'a', labels: [''] }, false],
    [{ jobName: 'a', labels: [7] }, false],
    [{ jobName: 'a', labels: 'web' }, false],
    [{ jobName: 'a', labels: { 'a\nb': {} } }, false],
    [{ jobName: 'a', labels: { '': 'x' } }, false],
    [{ jobName: 'a', extendedMetadata: [] }, false],
    [{ jobName: 'a', targetNativeLanguageCodes: [null] }, false],
    [{ jobName: 'a', targetNativeLanguageCodes: null }, false],
    [{ jobName: 'a', shouldQuote: 'true' }, false],
    [{ jobName: 'a', analysisCodes: [{ level: 11, code: 'x' }] }, false],
  ])('a new job %j is valid: %s', (body, valid) => {
    expect(accepts(body)).toBe(valid)
  })
})
