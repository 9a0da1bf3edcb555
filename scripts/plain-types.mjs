/**
 * The types of `@dragoman/contract/wire` as they are published: plain declarations, made from the
 * schemas, with their descriptions. In the repository the same types are inferred from the schemas
 * by typebox; a program that uses the SDK would infer all of them each time it is checked.
 * tests/packages.test.ts holds that both are the same types.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '../packages/contract/dist/index.js'
import * as schemas from '../packages/contract/dist/schemas/index.js'

const isSchema = (value) =>
  typeof value === 'object' &&
  value !== null &&
  ['type', 'enum', 'anyOf', 'const'].some((key) => Object.hasOwn(value, key))
const named = Object.entries(schemas).filter(
  ([name, value]) => /^[A-Z]/.test(name) && isSchema(value),
)
/** By title, because an optional property is a copy of its schema. */
const nameOfTitle = new Map(
  named.filter(([, { title }]) => title).map(([name, { title }]) => [title, name]),
)

/** Rewrites the staged package `folder`, so that its wire.d.ts reaches no schema. */
export function writePlainTypes(folder) {
  const file = (name) => join(folder, 'dist', name)
  const wire = readFileSync(file('wire.d.ts'), 'utf8')
  const kept = wire
    .split('\n')
    .filter((line) => !/'\.\/(schemas\/index|endpoints|console-endpoints)\.js'/.test(line))
  writeFileSync(
    file('wire.d.ts'),
    `${kept.join('\n').trimEnd()}\nexport * from './wire-types.js';\n`,
  )
  writeFileSync(file('wire-types.d.ts'), plainTypes())
  const formats = readFileSync(file('formats/list-formats.d.ts'), 'utf8')
  writeFileSync(
    file('formats/list-formats.d.ts'),
    formats.replace('../schemas/format.js', '../wire-types.js'),
  )
}

export function plainTypes() {
  const types = named.map(
    ([name, schema]) => `${remark(schema, '')}export type ${name} = ${bodyOf(schema, '')};`,
  )
  const calls = Object.entries(endpoints).map(
    ([name, row]) => `    /** ${row.says}. */\n    ${name}: ${callOf(row)};`,
  )
  return `${types.join('\n')}
export type Page<C extends string, Item> = {
    [K in C]: Item[];
} & {
    pagination: {
        navNext?: string;
    };
    next?: string;
    _embedded?: {
        [K in C]: Item[];
    };
    _links?: {
        self: {
            href: string;
        };
        next?: {
            href: string;
        };
    };
};
/** Every call: what it takes and what it answers. */
export type Endpoints = {
${calls.join('\n')}
};
export type EndpointName = keyof Endpoints;
export type Input<E> = E extends {
    input: infer I;
} ? I : never;
export type Answer<E> = E extends {
    answer: infer A;
} ? A : never;
`
}

function callOf({
  params,
  query,
  body,
  bodyOptional,
  answers,
  collection,
  paged,
  redirects,
  takes,
  gives,
}) {
  const indent = '        '
  const part = (schema) => (schema ? typeOf(schema, `${indent}    `) : 'undefined')
  const file = takes ? ['AsyncIterable<Uint8Array>'] : []
  const bodies = [
    ...(body || !takes ? [part(body)] : []),
    ...file,
    ...(bodyOptional ? ['undefined'] : []),
  ]
  const input = `{ params: ${part(params)}; query: ${part(query)}; body: ${bodies.join(' | ')} }`
  const item = typeOf(answers, indent)
  const members = [
    `input: ${input}`,
    `answer: ${collection ? `Page<'${collection}', ${item}>` : item}`,
    ...(collection ? [`collection: '${collection}'`] : []),
    ...(paged === false ? ['paged: false'] : []),
    ...(redirects ? ['redirects: true'] : []),
    ...(takes ? ['takes: true'] : []),
    ...(gives ? ['gives: true'] : []),
  ]
  return `{\n${members.map((one) => `${indent}${one};\n`).join('')}    }`
}

function typeOf(schema, indent) {
  return nameOfTitle.get(schema.title) ?? bodyOf(schema, indent)
}

function bodyOf(schema, indent) {
  const { type, enum: values, anyOf, items } = schema
  if (Object.hasOwn(schema, 'const')) return literal(schema.const)
  if (values) return values.map(literal).join(' | ')
  if (anyOf) return anyOf.map((one) => typeOf(one, indent)).join(' | ')
  if (type === 'array') return arrayOf(typeOf(items, indent))
  if (type === 'object') return objectOf(schema, indent)
  const plain = {
    string: 'string',
    integer: 'number',
    number: 'number',
    boolean: 'boolean',
    null: 'null',
  }[type]
  if (!plain) throw new Error(`No plain type for ${JSON.stringify(schema)}`)
  return plain
}

const arrayOf = (item) => (/ \| /.test(item) ? `(${item})[]` : `${item}[]`)

function objectOf({ properties = {}, required = [], additionalProperties, aliases = {} }, indent) {
  const inner = `${indent}    `
  const members = Object.entries(properties)
    // The other spelling of a field in a response; a query may use either name of the cursor.
    .filter(
      ([name, { description }]) =>
        name === 'next' || description !== `The same as ${aliases[name]}.`,
    )
    .map(([name, schema]) => {
      const key = /^[\w$]+$/.test(name) ? name : `'${name}'`
      return `${remark(schema, inner)}${inner}${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};\n`
    })
  if (members.length > 0) return `{\n${members.join('')}${indent}}`
  if (typeof additionalProperties === 'object')
    return `Record<string, ${typeOf(additionalProperties, indent)}>`
  return additionalProperties ? 'Record<string, unknown>' : '{}'
}

function remark({ description, deprecated }, indent) {
  const words = [deprecated ? '@deprecated' : '', description ?? ''].filter(Boolean).join(' ')
  return words === '' ? '' : `${indent}/** ${words.replaceAll('*/', '* /')} */\n`
}

const literal = (value) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
