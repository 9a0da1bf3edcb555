/**
 * The hub's own check of bodies, for every schema of the endpoint table: it takes and refuses what
 * a JSON Schema validator takes and refuses, and looks at no more of a body than it must to tell
 * what is wrong.
 */
import {
  type Endpoint,
  emailPattern,
  endpoints,
  findLanguage,
  limits,
  NewPriceList,
  NewRequests,
  parseTime,
  RequestChanges,
} from '@dragoman/contract'
import { Ajv } from 'ajv'
import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { bodyCheck, queryCheck } from '../packages/server/src/validation/validate.ts'
import { fitting, type Node, worsened } from './campaigns/fuzzed-values.ts'
import { chanceOf } from './campaigns/history-walk.ts'
import { priceList } from './price-list.ts'

const rows = Object.entries(endpoints as Record<string, Endpoint>)
const withBody = rows.flatMap(([name, { body }]) => (body ? [[name, body] as const] : []))

const ajv = new Ajv({ strict: false, validateFormats: false, logger: false })
const text = (keyword: string, keeps: (limit: number, value: string) => boolean) =>
  ajv.addKeyword({ keyword, type: 'string', validate: keeps })
text('maxBytes', (most, value) => Buffer.byteLength(value) <= most)
text('maxCodePoints', (most, value) => [...value].length <= most)
text('notBlank', (_, value) => value.trim() !== '')
text('language', (_, value) => findLanguage(value) !== undefined)
text('time', (_, value) => parseTime(value) !== undefined)
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0
const measured = (keyword: string, keeps: (limit: number, value: unknown) => boolean) =>
  ajv.addKeyword({ keyword, validate: keeps })
measured('maxJsonBytes', (most, value) => Buffer.byteLength(JSON.stringify(value)) <= most)
measured('maxDepth', (most, value) => depthOf(value) <= most)

describe('the check of bodies', () => {
  it('knows every keyword of every schema', () => {
    for (const [, { params, query, body }] of rows) {
      if (params) queryCheck(params)
      if (query) queryCheck(query)
      if (body) bodyCheck(body)
    }
  })

  it.each(withBody)(
    'takes and refuses what a validator of JSON Schema does: %s',
    (name, schema) => {
      const check = bodyCheck(schema)
      const forms = ((schema as Node).anyOf ?? [schema]).map((form) => ajv.compile(form as object))
      const known = { mark: 'x', id: () => 'A'.repeat(22) }
      const counts = { taken: 0, refused: 0 }
      for (let seed = 0; seed < 120; seed += 1) {
        const chance = chanceOf(seed)
        let value: unknown =
          name === 'createPriceList' ? priceList : fitting(schema as Node, '', chance, known)
        for (let times = seed % 4; times > 0 && sizeOf(value) < 3_000; times -= 1)
          value = worsened(value, chance)
        const body: unknown = JSON.parse(JSON.stringify(value) ?? 'null')
        // The check makes one spelling of each field, so the other one sees the body after it.
        const said = told(() => check(body))
        if (said?.includes('different values')) continue
        const verdicts = forms.map((form) => form(body))
        counts[said === undefined ? 'taken' : 'refused'] += 1
        if (said === undefined) expect(verdicts, JSON.stringify(body).slice(0, 500)).toContain(true)
        else expect(verdicts, `${said}: ${JSON.stringify(body).slice(0, 500)}`).toContain(false)
      }
      expect(counts.taken).toBeGreaterThan(10)
      expect(counts.refused).toBeGreaterThan(5)
    },
  )
})

describe('what a text must look like', () => {
  it.each<[string, unknown, string]>([
    ['a name', Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$' }), ''],
    [
      'a description of the meaning',
      Type.String({
        pattern: '^[a-z][a-z ]{0,39}$',
        description: 'What was done, such as changed.',
      }),
      'must be 1 to 40 characters of small letters from a to z and blanks, beginning with small letters from a to z',
    ],
    [
      'an exact length',
      Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
      'must be 43 characters of letters from A to Z, digits, _ and -',
    ],
    ['an address', Type.String({ pattern: emailPattern }), 'is not an e-mail address such as ana@'],
    [
      'a list or a text',
      Type.Union([Type.Array(Type.String()), Type.Null()]),
      'must be array or null',
    ],
  ])('is said in words: %s', (_, schema, says) => {
    const text = told(() => bodyCheck(Type.Object({ it: schema as TSchema }))({ it: '<x@' }))
    expect(text).toContain(says)
    expect(text).not.toMatch(/\^|allowed forms|What was done/)
  })
})

describe('of a body that is wrong many times', () => {
  const request = { requestName: 'a', sourceNativeId: 'a', sourceNativeLanguageCode: 'en-us' }
  const languages = Array.from({ length: limits.targetLanguages }, (_, at) => `xx-${at}`)

  it.each<[string, TSchema, (list: unknown[]) => unknown, unknown]>([
    ['requests', NewRequests, (requests) => ({ requests }), {}],
    [
      'requests with a hundred unknown languages',
      NewRequests,
      (requests) => ({ requests }),
      { ...request, targetNativeLanguageCodes: languages },
    ],
    ['changes', RequestChanges, (list) => list, {}],
    [
      'lines of a price list',
      NewPriceList,
      (lines) => ({ ...priceList, lines }),
      { sourceLanguage: 'xx', targetLanguage: 'yy' },
    ],
  ])(
    'the first fifty findings are told, and nothing is looked at after them: %s',
    (_, schema, bodyOf, item) => {
      const { list, seen } = watched(2_000, item)
      const { details } = failure(() => bodyCheck(schema)(bodyOf(list)))
      expect(details).toHaveLength(50)
      expect(seen()).toBeLessThanOrEqual(50)
    },
  )

  it.each<[string, TSchema, (list: unknown[]) => unknown, number]>([
    ['requests', NewRequests, (requests) => ({ requests }), limits.requestsPerCall],
    ['changes', RequestChanges, (list) => list, limits.requestsPerCall],
    [
      'fields',
      NewRequests,
      (fields) => ({ ...request, targetNativeLanguageCodes: ['de-de'], fields }),
      limits.fields,
    ],
    [
      'languages',
      NewRequests,
      (codes) => ({ ...request, targetNativeLanguageCodes: codes }),
      limits.targetLanguages,
    ],
    [
      'lines of a price list',
      NewPriceList,
      (lines) => ({ ...priceList, lines }),
      limits.priceLines,
    ],
  ])('the length of a list is told before any item is looked at: %s', (_, schema, bodyOf, most) => {
    const { list, seen } = watched(most + 1, {})
    expect(failure(() => bodyCheck(schema)(bodyOf(list))).message).toMatch(
      `has ${most + 1} items; at most ${most}`,
    )
    expect(seen()).toBe(0)
  })

  it('metadata that is too large is not walked to its end', () => {
    const { list, seen } = watched(40_000, 'x'.repeat(100))
    const body = { ...request, targetNativeLanguageCodes: ['de-de'], extendedMetadata: { list } }
    expect(failure(() => bodyCheck(NewRequests)(body)).code).toBe('CONTENT_TOO_LARGE')
    expect(seen()).toBeLessThan(1_000)
  })

  it('no refusal is long, whatever was sent', () => {
    const long = 'x'.repeat(1_000_000)
    const labels = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`${at}${long}`, long]),
    )
    for (const body of [
      { jobName: long, labels },
      { jobName: 'x', sourceNativeLanguageCode: long, targetNativeLanguageCodes: [long] },
    ]) {
      const { message, details } = failure(() => bodyCheck(endpoints.createJob.body)(body))
      expect(JSON.stringify([message, details]).length).toBeLessThan(50_000)
    }
  })
})

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0

type Failure = {
  readonly code: string
  readonly message: string
  readonly details: readonly unknown[]
}

function failure(work: () => unknown): Failure {
  try {
    work()
  } catch (error) {
    return error as Failure
  }
  throw new Error('nothing was refused')
}

function told(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (!(error as Failure).code) throw error
    return (error as Failure).message
  }
}

/** A list that counts at how many of its items somebody looked. */
function watched(length: number, item: unknown): { list: unknown[]; seen: () => number } {
  const looked = new Set<string>()
  const list = new Proxy(
    Array.from({ length }, () => structuredClone(item)),
    {
      get: (target, name, receiver) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) looked.add(name)
        return Reflect.get(target, name, receiver)
      },
    },
  )
  return { list, seen: () => looked.size }
}
