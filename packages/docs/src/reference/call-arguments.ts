/**
 * The arguments of a call as one object, described by a JSON Schema of its own: path, query and
 * body together, with the words of the OpenAPI document. Tools of assistants are made from it.
 */

import { callParts, fieldsOf, isArgument, type Parts } from '@dragoman/contract'
import type { TSchema } from 'typebox'
import { type Components, fieldOf, type Json } from './openapi-schemas.ts'

const places = { params: 'path', query: 'query', body: 'body' } as const

type Node = { readonly required?: readonly string[]; title?: string }
const nodeOf = (schema: TSchema | undefined): Node => (schema ?? {}) as Node

export function argumentsOf(call: string, endpoint: Parts): Json {
  const components: Components = {}
  const properties: Json = {}
  const required: string[] = []
  for (const part of callParts) {
    const node = nodeOf(endpoint[part])
    for (const [name, property] of Object.entries(fieldsOf(endpoint[part]))) {
      if (!isArgument(name)) continue
      const names = [`${call}.${name}`, `${node.title ?? places[part]}.${name}`, name] as const
      properties[name] = fieldOf(property, components, [...names])
      if (node.required?.includes(name)) required.push(name)
    }
  }
  return standingAlone({
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(Object.keys(components).length > 0 && { $defs: components }),
  })
}

/**
 * Components of the document become definitions of the schema. Lists for readers of the document,
 * such as all languages, are left out.
 */
const standingAlone = (schema: Json): Json =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      name.startsWith('x-') ? undefined : value,
    ).replaceAll('#/components/schemas/', '#/$defs/'),
  ) as Json
