import TypeBox from 'typebox'
import { expect, it } from 'vitest'
import Type from './type.ts'

type Builders = Pick<typeof TypeBox, keyof typeof Type>

const samples: Record<string, (make: Builders) => unknown> = {
  'an object with required and optional properties': (make) =>
    make.Object(
      { a: make.String(), b: make.Optional(make.Integer({ minimum: 1 })) },
      { title: 'x' },
    ),
  'an object without properties': (make) => make.Object({}, { additionalProperties: true }),
  'an object of optional ones': (make) => make.Object({ a: make.Optional(make.String()) }),
  'an optional property that is used elsewhere too': (make) => {
    const name = make.String({ maxLength: 3 })
    return make.Object({ a: make.Optional(name), b: name })
  },
  'an array': (make) => make.Array(make.Number({ minimum: 0 }), { minItems: 1 }),
  'a union': (make) =>
    make.Union([make.Boolean({ description: 'q' }), make.Literal('*')], { title: 'u' }),
  'an enum': (make) => make.Enum(['a', 'b'], { type: 'string' }),
  'an unsafe one': (make) => make.Unsafe(make.Object({ a: make.String() }, { title: 'y' })),
  'an optional unsafe one': (make) =>
    make.Object({ a: make.Optional(make.Unsafe({ type: 'array' })) }),
}

it.each(Object.entries(samples))('%s is built as typebox builds it', (_, build) => {
  expect(JSON.stringify(build(Type))).toBe(JSON.stringify(build(TypeBox)))
})

it('every builder has its sample', () => {
  const used = new Set<string>()
  const watched = new Proxy(TypeBox, {
    get: (made, name) => {
      used.add(String(name))
      return Reflect.get(made, name)
    },
  })
  for (const build of Object.values(samples)) build(watched)
  expect([...used].sort()).toEqual(Object.keys(Type).sort())
})
