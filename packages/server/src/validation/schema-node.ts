/**
 * The part of JSON Schema that the tables use, with our own keywords; anything else would not be
 * checked.
 */
export type Node = {
  type?: string
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  minItems?: number
  maxItems?: number
  anyOf?: Node[]
  enum?: string[]
  const?: string
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  additionalProperties?: Node | boolean
  propertyNames?: Node
  maxProperties?: number
  // Our own keywords.
  aliases?: Record<string, string>
  denyNull?: boolean
  maxBytes?: number
  maxCodePoints?: number
  notBlank?: boolean
  language?: boolean
  time?: boolean
  maxJsonBytes?: number
  maxDepth?: number
  // Documentation only.
  title?: string
  description?: string
  format?: string
  deprecated?: boolean
}

const keywords = new Set(
  `type properties required items minItems maxItems anyOf enum const minLength maxLength pattern minimum maximum
   additionalProperties propertyNames maxProperties aliases denyNull maxBytes maxCodePoints notBlank language time maxJsonBytes
   maxDepth title description format deprecated`.split(/\s+/),
)

const types = new Set(['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'])

export function mustBeKnown(node: Node): void {
  const unknown = Object.keys(node).find((keyword) => !keywords.has(keyword))
  if (unknown !== undefined)
    throw new Error(`the keyword ${unknown} of a schema is not known to its check`)
  if (!node.anyOf && !types.has(node.type ?? ''))
    throw new Error(`the type ${node.type} of a schema is not known to its check`)
}
