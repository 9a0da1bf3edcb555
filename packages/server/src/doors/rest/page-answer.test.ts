import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { pageAnswer } from './page-answer.ts'

const form = {
  name: 'things',
  url: '/v2/things?a=b',
  format: 'full',
  addAliases: <T>(item: T): T => {
    const fields = item as Record<string, unknown>
    if (fields.text !== undefined) fields.Text = fields.text
    return item
  },
} as const
const items = (many: number) => Array.from({ length: many }, (_, id) => ({ id }))
const long = JSON.stringify('ü'.repeat(50_000))

test('a long answer is written as it is read, and has every item in both lists', async () => {
  let asked = 0
  const further = async (from: number, until: number) => {
    asked += until - from
    return Array.from({ length: until - from }, () => ({ text: long }))
  }
  const many = 300
  const stream = (await pageAnswer({ items: items(many), further }, form)) as Readable
  await new Promise((resolve) => setImmediate(resolve))
  expect(asked).toBeLessThan(many / 3)
  let length = 0
  const parts: Buffer[] = []
  for await (const part of stream) {
    parts.push(part)
    length += part.length
  }
  expect(asked).toBe(2 * many)
  expect(length).toBeGreaterThan(4 * many * 100_000)
  const { things, _embedded, _links } = JSON.parse(Buffer.concat(parts).toString())
  expect(things.map(({ id }: { id: number }) => id)).toEqual(items(many).map(({ id }) => id))
  expect(
    things.every(
      (one: { text: string; Text: string }) => one.text.length === 50_000 && one.Text === one.text,
    ),
  ).toBe(true)
  expect(_embedded.things).toHaveLength(many)
  expect(_links).toEqual({ self: { href: form.url } })
})

test('a reader that goes away ends the reading', async () => {
  let asked = 0
  const further = async (from: number, until: number) => {
    asked = until
    return Array.from({ length: until - from }, () => ({ text: long }))
  }
  const stream = (await pageAnswer({ items: items(1_000), further }, form)) as Readable
  stream.once('data', () => stream.destroy())
  await new Promise((resolve) => stream.once('close', resolve))
  expect(asked).toBeLessThan(1_000)
})

test.each([1, 60, 2_000])(
  'a short answer with %i items is one piece, with or without further fields',
  async (many) => {
    const further = async (from: number, until: number) =>
      items(many)
        .slice(from, until)
        .map(({ id }) => (id % 2 === 0 ? { text: `{"of":${id}}` } : {}))
    const plain = { ...form, format: 'plain' } as const
    const read = async (
      page: Parameters<typeof pageAnswer>[0],
      as: Parameters<typeof pageAnswer>[1],
    ) => {
      const answer = await pageAnswer(page, as)
      expect(Buffer.isBuffer(answer)).toBe(true)
      return JSON.parse(answer.toString())
    }
    const whole = items(many).map(({ id }) =>
      id % 2 === 0 ? { id, text: { of: id }, Text: { of: id } } : { id },
    )
    expect(await read({ items: items(many) }, plain)).toEqual({
      pagination: {},
      things: items(many),
    })
    expect(await read({ items: items(many), further }, plain)).toEqual({
      pagination: {},
      things: whole,
    })
    const full = await read({ items: items(many), further, next: 'n' }, form)
    expect(full).toMatchObject({
      pagination: { navNext: 'n' },
      things: whole,
      _embedded: { things: whole },
      next: 'n',
    })
  },
)

test('an empty list is an answer too', async () => {
  expect((await pageAnswer({ items: [] }, { ...form, format: 'plain' })).toString()).toBe(
    '{"pagination":{},"things":[]}',
  )
})
