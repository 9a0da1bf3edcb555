/**
 * Every kind of change that breaks a client is seen, those that do not break one pass, and the API
 * of today breaks nothing unwanted.
 */

import { describe, expect, it } from 'vitest'
import type { Document, Schema } from '../document.ts'
import { openapi } from '../reference/index.ts'
import { compareDocuments, textOf } from './compare-documents.ts'
import { keptPage, readDeliberate, readLastRelease } from './kept-document.ts'

const text = { type: 'string' } as const

/** A document with one of everything; each case changes its own copy. */
const template = {
  info: { title: 'T', description: '' },
  tags: [],
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        summary: 'List',
        tags: ['T'],
        security: [{ oauth2: ['content'] }, { oauth2: ['settings'] }, { bearer: [] }],
        parameters: [
          {
            name: 'size',
            in: 'query',
            required: false,
            schema: { type: 'integer', minimum: 1, maximum: 50 },
          },
          { name: 'sort', in: 'query', required: false, schema: { ...text, enum: ['up', 'down'] } },
        ],
        responses: {
          200: { description: 'Things', content: { 'application/json': { schema: ref('Page') } } },
          404: {
            description: '`THING_GONE`: It is gone.',
            content: { 'application/json': { schema: ref('Error') } },
          },
        },
      },
      post: {
        operationId: 'addThing',
        summary: 'Add',
        tags: ['T'],
        security: [{ oauth2: [] }],
        requestBody: {
          required: false,
          content: { 'application/json': { schema: ref('NewThing') } },
        },
        responses: {
          201: { description: 'Added', content: { 'application/json': { schema: ref('Thing') } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Error: object({ code: { ...text, enum: ['THING_GONE'] }, message: text }, ['code']),
      Language: { ...text, 'x-accepted': ['de', 'en'] },
      NewThing: {
        ...object({
          name: { ...text, maxLength: 20, minLength: 1 },
          kind: { ...text, enum: ['a', 'b'] },
          count: { type: 'number' },
          language: ref('Language'),
          form: { anyOf: [text, { type: 'integer' }] },
          tags: { type: 'array', items: text, maxItems: 5 },
          labels: { type: 'object', additionalProperties: text },
          when: text,
        }),
      },
      Page: object({ things: { type: 'array', items: ref('Thing') } }, ['things']),
      Thing: object(
        {
          id: text,
          state: { ...text, enum: ['NEW', 'DONE'] },
          size: { type: 'integer' },
          at: { ...text, format: 'date-time' },
          form: { anyOf: [text, { type: 'integer' }] },
          labels: { type: 'object', additionalProperties: text },
          parent: ref('Thing'),
        },
        ['id'],
      ),
    } as Record<string, Schema>,
  },
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}
function object(properties: Record<string, Schema>, required: string[] = []): Schema {
  return { type: 'object', properties, required }
}

// biome-ignore lint/suspicious/noExplicitAny: the cases reach into any place of their copy.
type Loose = any
const between = (change: (is: Loose) => void) => {
  const [was, is]: Loose[] = [structuredClone(template), structuredClone(template)]
  change(is)
  return compareDocuments(was, is)
}
const list = (is: Loose) => is.paths['/things'].get
const add = (is: Loose) => is.paths['/things'].post
const fields = (is: Loose, name: string) => is.components.schemas[name].properties

describe('what breaks a client', () => {
  it.each<[says: string, change: (is: Loose) => void]>([
    ['GET /things: was removed', (is) => delete is.paths['/things'].get],
    ['GET /things: was removed', (is) => (is.paths = { '/items': is.paths['/things'] })],
    [
      'GET /things: is named findThings, was listThings',
      (is) => (list(is).operationId = 'findThings'),
    ],
    ['GET /things: no longer allows settings', (is) => list(is).security.splice(1, 1)],
    [
      'POST /things: no longer allows any token',
      (is) => (add(is).security = [{ oauth2: ['admin'] }]),
    ],
    ['GET /things query.size: was removed', (is) => list(is).parameters.shift()],
    [
      'GET /things query.since: is required now',
      (is) => list(is).parameters.push({ ...param('since'), required: true }),
    ],
    [
      'GET /things query.size: is required now',
      (is) => (list(is).parameters[0] = { ...param('size'), required: true }),
    ],
    [
      'GET /things query.size: has minimum 2, had 1',
      (is) => set(list(is).parameters[0], { minimum: 2 }),
    ],
    [
      'GET /things query.size: has maximum 10, had 50',
      (is) => set(list(is).parameters[0], { maximum: 10 }),
    ],
    [
      'GET /things query.size: was integer, is boolean',
      (is) => set(list(is).parameters[0], { type: 'boolean' }),
    ],
    [
      'GET /things query.sort: no longer accepts down',
      (is) => set(list(is).parameters[1], { enum: ['up'] }),
    ],
    ['POST /things body: is required now', (is) => (add(is).requestBody.required = true)],
    [
      'POST /things body: may no longer be application/json',
      (is) => (add(is).requestBody.content = { 'text/csv': { schema: text } }),
    ],
    ['NewThing name: was removed', (is) => delete fields(is, 'NewThing').name],
    [
      'NewThing name: is required now',
      (is) => (is.components.schemas.NewThing.required = ['name']),
    ],
    [
      'NewThing name: has maxLength 10, had 20',
      (is) => (fields(is, 'NewThing').name.maxLength = 10),
    ],
    ['NewThing name: has minLength 2, had 1', (is) => (fields(is, 'NewThing').name.minLength = 2)],
    ['NewThing name: must match ^x', (is) => (fields(is, 'NewThing').name.pattern = '^x')],
    ['NewThing kind: no longer accepts b', (is) => (fields(is, 'NewThing').kind.enum = ['a', 'c'])],
    ['NewThing when: accepts only now', (is) => (fields(is, 'NewThing').when.enum = ['now'])],
    [
      'NewThing when: has the format date, had none',
      (is) => (fields(is, 'NewThing').when.format = 'date'),
    ],
    [
      'NewThing count: was number, is integer',
      (is) => (fields(is, 'NewThing').count.type = 'integer'),
    ],
    [
      'NewThing form: no longer accepts one of its forms',
      (is) => fields(is, 'NewThing').form.anyOf.pop(),
    ],
    ['NewThing tags: has maxItems 2, had 5', (is) => (fields(is, 'NewThing').tags.maxItems = 2)],
    [
      'NewThing tags[]: was string, is integer',
      (is) => (fields(is, 'NewThing').tags.items = { type: 'integer' }),
    ],
    [
      'NewThing: no longer accepts other fields',
      (is) => (is.components.schemas.NewThing.additionalProperties = false),
    ],
    [
      'Language: no longer accepts en',
      (is) => (is.components.schemas.Language['x-accepted'] = ['de', 'fr']),
    ],
    [
      'POST /things 201: was removed',
      (is) => (add(is).responses = { 202: add(is).responses[201] }),
    ],
    [
      'POST /things 202: is a new status of success',
      (is) => (add(is).responses[202] = { description: '' }),
    ],
    [
      'GET /things 200: is text/csv now',
      (is) => (list(is).responses[200].content = { 'text/csv': { schema: text } }),
    ],
    ['Thing id: was removed', (is) => delete fields(is, 'Thing').id],
    ['Thing id: may be missing now', (is) => (is.components.schemas.Thing.required = [])],
    ['Thing state: may be LATE', (is) => fields(is, 'Thing').state.enum.push('LATE')],
    ['Thing state: may have any value', (is) => delete fields(is, 'Thing').state.enum],
    ['Thing size: was integer, is number', (is) => (fields(is, 'Thing').size.type = 'number')],
    ['Thing at: has the format none, had date-time', (is) => delete fields(is, 'Thing').at.format],
    [
      'Thing form: may have a new form',
      (is) => fields(is, 'Thing').form.anyOf.push({ type: 'boolean' }),
    ],
    [
      'Thing labels: is no longer a map',
      (is) => delete fields(is, 'Thing').labels.additionalProperties,
    ],
    ['Page: was removed', (is) => renamePage(is)],
    ['THING_GONE: was removed', (is) => (list(is).responses[404].description = '`THING_LOST`: x')],
    ['THING_GONE: has the status 410', (is) => moveStatus(is)],
    ['Error message: was removed', (is) => delete fields(is, 'Error').message],
  ])('%s', (says, change) => {
    const found = between(change)
    expect(found.filter(({ breaks }) => breaks).map(textOf)).toContain(says)
  })

  it('is seen through a schema that moves to a place of its own', () => {
    const inline = (is: Loose) => {
      const { Thing, ...schemas } = is.components.schemas
      is.components.schemas = {
        ...schemas,
        Item: { ...Thing, properties: { ...Thing.properties, id: undefined } },
      }
      list(is).responses[200].content['application/json'].schema = ref('Item')
      add(is).responses[201].content['application/json'].schema = ref('Item')
    }
    expect(between(inline).map(textOf)).toEqual(
      expect.arrayContaining(['Thing: was removed', 'Item id: was removed']),
    )
  })
})

describe('what breaks nobody', () => {
  it.each<[says: string, change: (is: Loose) => void]>([
    [
      'PUT /things: is new',
      (is) => (is.paths['/things'].put = { ...add(is), operationId: 'setThing' }),
    ],
    ['GET /things: is deprecated', (is) => (list(is).deprecated = true)],
    ['GET /things query.since: is new', (is) => list(is).parameters.push(param('since'))],
    [
      'GET /things query.sort: accepts random',
      (is) => set(list(is).parameters[1], { enum: ['up', 'down', 'random'] }),
    ],
    [
      'GET /things 409: may be THING_BUSY',
      (is) => (list(is).responses[409] = { description: '`THING_BUSY`: x' }),
    ],
    [
      'POST /things body: may be text/csv',
      (is) => (add(is).requestBody.content['text/csv'] = { schema: text }),
    ],
    ['NewThing color: is new', (is) => (fields(is, 'NewThing').color = text)],
    [
      'NewThing name: is deprecated',
      (is) => (fields(is, 'NewThing').name = { ...fields(is, 'NewThing').name, deprecated: true }),
    ],
    ['Thing color: is new', (is) => (fields(is, 'Thing').color = text)],
    ['Error code: may be THING_BUSY', (is) => fields(is, 'Error').code.enum.push('THING_BUSY')],
  ])('%s', (says, change) => {
    expect(between(change).map((one) => [textOf(one), one.breaks])).toEqual([[says, false]])
  })

  it.each<[what: string, change: (is: Loose) => void]>([
    [
      'wider limits of what is sent',
      (is) => Object.assign(fields(is, 'NewThing').name, { maxLength: 99, minLength: 0 }),
    ],
    [
      'other limits of what is received',
      (is) => (fields(is, 'Thing').id = { ...text, maxLength: 3, pattern: '^x' }),
    ],
    ['a field that is always there now', (is) => is.components.schemas.Thing.required.push('size')],
    ['a value that is never returned any more', (is) => fields(is, 'Thing').state.enum.pop()],
    ['a form that is never returned any more', (is) => fields(is, 'Thing').form.anyOf.pop()],
    ['a wider type of what is sent', (is) => (fields(is, 'NewThing').tags.items = {})],
    [
      'a pattern that all known values match',
      (is) => (fields(is, 'NewThing').kind = { ...text, pattern: '^[a-z]$' }),
    ],
    ['any token where scopes were needed', (is) => (list(is).security = [{ oauth2: [] }])],
    ['other words', (is) => (list(is).summary = 'List all')],
  ])('%s', (_, change) => {
    expect(between(change)).toEqual([])
  })
})

describe('the API of today', () => {
  const document = openapi() as unknown as Document

  it('breaks no client of the last release but where it is wanted', () => {
    const broken = compareDocuments(readLastRelease().document, document).filter(
      ({ breaks }) => breaks,
    )
    const [found, wanted] = [broken.map(textOf), readDeliberate().flatMap(({ changes }) => changes)]
    expect(
      found.filter((change) => !wanted.includes(change)),
      'These changes break clients. Undo them, or list them in packages/docs/last-release/deliberate.json with the reason.',
    ).toEqual([])
    expect(
      wanted.filter((change) => !found.includes(change)),
      'These lines of deliberate.json are not needed.',
    ).toEqual([])
  })

  it('is the same as itself, also in the form that is kept of a release', () => {
    const { version, ...kept } = JSON.parse(keptPage(document, '9.9.9')) as Document & {
      version: string
    }
    expect(version).toBe('9.9.9')
    expect(compareDocuments(kept, document)).toEqual([])
    expect(compareDocuments(document, document)).toEqual([])
  })
})

function param(name: string): object {
  return {
    name,
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 50 },
  }
}
function set(parameter: Loose, more: object): void {
  Object.assign(parameter.schema, more)
}
function renamePage(is: Loose): void {
  const { Page, ...schemas } = is.components.schemas
  is.components.schemas = { ...schemas, ThingPage: Page }
  list(is).responses[200].content['application/json'].schema = ref('ThingPage')
}
function moveStatus(is: Loose): void {
  const { 404: failure, ...answers } = list(is).responses
  is.paths['/things'].get.responses = { ...answers, 410: failure }
}
