/** Whatever the model of a collection is, nothing but its texts differs in a new language. */
import { find, place } from '@dragoman/walker'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../../tests/draws.ts'
import { localise } from './localise.ts'
import { named, schemaOf } from './model.ts'
import type { Doc, Field } from './payload-types.ts'

type Grown = { readonly field: Field; readonly value: unknown }
let ids = 0
const word = fc.constantFrom('One', 'Two & three', '', ' ', 'ü')
const rich = (text: string) => ({
  root: {
    type: 'root',
    children: [
      { type: 'paragraph', children: [{ type: 'text', text, format: 1 }, { type: 'linebreak' }] },
      { type: 'upload', relationTo: 'media', value: 7, id: 'u1' },
    ],
  },
})
const leaf = fc.oneof(
  word.map((value) => ({ type: 'text', value })),
  word.map((value) => ({ type: 'textarea', value })),
  word.map((text) => ({ type: 'richText', value: rich(text) })),
  fc.integer().map((value) => ({ type: 'number', value })),
  fc.nat(9).map((value) => ({ type: 'relationship', value: [value] })),
  fc.constant({ type: 'select', value: 'red' }),
)
const rowsOf = (fields: readonly Grown[], many: number, more: Doc) =>
  Array.from({ length: many }, () => ({ ...more, ...docOf(fields), id: `r${ids++}` }))
const docOf = (grown: readonly Grown[]): Doc =>
  Object.fromEntries(grown.map(({ field, value }) => [field.name, value]))
const grown = fc.letrec<{ one: Grown; some: Grown[] }>((tie) => ({
  some: fc
    .array(tie('one'), { minLength: 1, maxLength: 4 })
    .map((list) => list.map((one, at) => ({ ...one, field: { ...one.field, name: `f${at}` } }))),
  one: fc
    .tuple(
      fc.boolean(),
      fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        leaf.map(({ type, value }) => ({ field: { type }, value })),
        tie('some').map((inner) => ({
          field: { type: 'group', fields: inner.map(({ field }) => field) },
          value: docOf(inner),
        })),
        fc.tuple(tie('some'), fc.nat(2)).map(([inner, many]) => ({
          field: { type: 'array', fields: inner.map(({ field }) => field) },
          value: rowsOf(inner, many, {}),
        })),
        fc.tuple(tie('some'), fc.nat(2)).map(([inner, many]) => ({
          field: {
            type: 'blocks',
            blocks: [{ slug: 'quote', fields: inner.map(({ field }) => field) }],
          },
          value: rowsOf(inner, many, { blockType: 'quote' }),
        })),
      ),
    )
    .map(([localized, { field, value }]) => ({ field: { ...field, localized }, value })),
}))

/** Without what Payload makes anew: the ids of rows below a localized field. */
function withoutOwnIds(fields: readonly Field[], doc: Doc, isLocalized = false): Doc {
  const made = { ...doc }
  for (const [name, field, isOwn] of named(fields, isLocalized)) {
    const value = made[name]
    const inner = field.blocks?.[0]?.fields ?? field.fields ?? []
    if (Array.isArray(value) && (field.type === 'array' || field.type === 'blocks'))
      made[name] = value.map((row: Doc) => {
        const { id, ...rest } = withoutOwnIds(inner, row, isOwn)
        return isOwn ? rest : { ...rest, id }
      })
    else if (field.type === 'group') made[name] = withoutOwnIds(inner, value as Doc, isOwn)
  }
  return made
}

test('nothing but texts differs from the source, and all of them are there', () => {
  fc.assert(
    fc.property(grown.some, (list) => {
      const fields = list.map(({ field }) => field)
      const source = docOf(list)
      const schema = schemaOf(fields, [], false)
      const there = find(source, schema)
      // The language has everything but the texts.
      const target = place(
        source,
        schema,
        there.map((one) => ({ ...one, text: '' })),
      )
      const texts = Object.fromEntries(there.map(({ path, text }) => [path, `${text} de`]))
      const how = { schema, blocks: [], texts, ours: new Set<string>() }
      const { data, left } = localise(fields, { source, target }, how)
      expect(left).toEqual([])
      const german = { ...target, ...data }
      expect(
        Object.fromEntries(find(german, schema).map(({ path, text }) => [path, text])),
      ).toEqual(texts)
      const back = place(german, schema, there)
      expect(withoutOwnIds(fields, back)).toEqual(withoutOwnIds(fields, source))
      // Rows of one language never get the ids of another.
      const again = localise(fields, { source, target: {} }, how).data
      const sourceIds = new Set<string>(JSON.stringify(source).match(/"r\d+"/g))
      const idsIn = (doc: Doc) => (JSON.stringify(doc).match(/"r\d+"/g) ?? []).toSorted()
      const kept = idsIn(withoutOwnIds(fields, again))
      expect(idsIn(again)).toEqual(kept)
      for (const id of kept) expect(sourceIds).toContain(id)
    }),
    { numRuns: draws(2_000), seed: 45 },
  )
})

const fields: Field[] = [{ name: 'body', type: 'richText', localized: true }]
const schema = schemaOf(fields, [], false)
const paragraphs = (...texts: string[]) => ({
  body: {
    root: {
      type: 'root',
      children: texts.map((text) => ({ type: 'paragraph', children: [{ type: 'text', text }] })),
    },
  },
})
const textsOf = (...list: string[]) =>
  Object.fromEntries(list.map((text, at) => [`body.root.children.${at}.children.0`, text]))

test.each([
  ['a paragraph that a person added stays, and is told', ['Eins', 'Von Hand'], ['Eins'], ['body']],
  ['a paragraph that the connector wrote is replaced', ['Eins', 'Alt'], ['Eins', 'Alt'], []],
])('%s', (_, now, ours, left) => {
  const docs = { source: paragraphs('One', 'Two', 'Three'), target: paragraphs(...now) }
  const texts = textsOf('Eins', 'Zwei', 'Drei')
  const how = { schema, blocks: [], texts, ours: new Set(ours) }
  const made = localise(fields, docs, how)
  expect(made.left).toEqual(left)
  const wanted = left.length > 0 ? paragraphs(...now) : paragraphs('Eins', 'Zwei', 'Drei')
  expect(find(made.data, schema).map(({ text }) => text)).toEqual(
    find(wanted, schema).map(({ text }) => text),
  )
})
