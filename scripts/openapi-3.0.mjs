/**
 * openapi.json in the words of OpenAPI 3.0, for generators that do not know 3.1: `node
 * scripts/openapi-3.0.mjs > openapi-3.0.json`. What 3.0 cannot say is left out: of several forms of
 * a value it names the first, and of two spellings of a field that differ in capitals it has one,
 * because a generated client has one field for both. No call and no other name changes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
// 3.0 has no place for what the hub sends.
delete document.webhooks
const { summary: _, license, ...info } = document.info
const older = {
  ...translate(document),
  openapi: '3.0.3',
  info: { ...info, license: { name: license.name } },
}
process.stdout.write(`${JSON.stringify(older, null, 2)}\n`)

function translate(value) {
  if (Array.isArray(value)) return value.map(translate)
  if (typeof value !== 'object' || value === null) return value
  const { const: fixed, propertyNames: _, contentEncoding, ...rest } = value
  if (isFree(rest))
    return translate({ ...rest, properties: undefined, additionalProperties: undefined })
  if (rest.properties) rest.properties = withoutTwins(rest.properties)
  const out = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, translate(one)]))
  // A boolean has no choices in typed languages.
  if (typeof fixed === 'string' || typeof fixed === 'number') out.enum = [fixed]
  if (contentEncoding === 'base64') out.format = 'byte'
  // Above this, an integer of most languages has another type.
  if (out.type === 'integer' && !(out.maximum < 2 ** 31)) out.format = 'int64'
  // Beside a reference, 3.0 knows nothing else.
  if (typeof out.$ref === 'string') return { $ref: out.$ref }
  if (Array.isArray(out.anyOf))
    return { ...(out.description && { description: out.description }), ...oneOf(out.anyOf) }
  return out
}

/**
 * Generators give a choice no type, so it becomes the first of its forms; several kinds of text are
 * text.
 */
function oneOf(choices) {
  const forms = choices.filter(({ type }) => type !== 'null')
  if (forms.length > 1 && forms.every((form) => typeOf(form) === 'string'))
    return { type: 'string' }
  // A list or a map: no type of 3.0 is both, and a client must read either.
  const types = new Set(forms.map(({ type }) => type))
  if (types.has('array') && types.has('object')) return { type: 'object' }
  return forms.length < choices.length ? { ...forms[0], nullable: true } : forms[0]
}

function typeOf({ $ref, type }) {
  return $ref ? document.components.schemas[$ref.slice('#/components/schemas/'.length)].type : type
}

/** Any object: generators make a map of maps of one whose further properties are free. */
function isFree({ type, properties, additionalProperties }) {
  return type === 'object' && additionalProperties === true && !Object.keys(properties ?? {}).length
}

function withoutTwins(properties) {
  const seen = new Set()
  const isNew = (name) => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase())
  return Object.fromEntries(Object.entries(properties).filter(([name]) => isNew(name)))
}
