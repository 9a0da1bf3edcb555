/**
 * Converts between elements and the values of the verbs, by the rows of shapes.ts. Unknown elements
 * are refused.
 */
import { HubError } from '@dragoman/contract'
import {
  isSimple,
  type Member,
  type ShapeName,
  type SimpleType,
  shapes,
  simpleTypes,
} from './shapes.ts'
import { type Element, escapeXml } from './xml-tree.ts'

const schemaInstance = 'http://www.w3.org/2001/XMLSchema-instance'

/**
 * The members of an element. Absent and nil members are left out, so that the operation's schema
 * reports them.
 */
export function readMembers(
  namespace: string,
  element: Element,
  members: readonly Member[],
  path: string,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  const known = new Map(members.map((member) => [member.element, member]))
  const seen = new Set<string>()
  mustHoldNoText(element, path)
  for (const child of element.children) {
    const member = child.uri === namespace ? known.get(child.name) : undefined
    const place = join(path, child.name)
    if (!member) refuseUnknown(namespace, child, place, [...known.keys()])
    if (seen.has(child.name)) refuse(place, 'appears more than once')
    seen.add(child.name)
    if (!isNil(child)) fields[member.field] = readValue(namespace, child, member.type, place)
  }
  return fields
}

function readValue(
  namespace: string,
  element: Element,
  type: SimpleType | ShapeName,
  path: string,
): unknown {
  if (isSimple(type)) return readSimple(element, type, path)
  const shape = shapes[type]
  if ('members' in shape) return readMembers(namespace, element, shape.members, path)
  mustHoldNoText(element, path)
  return element.children.map((child, at) => {
    const place = `${path}[${at}]`
    if (child.uri !== namespace || child.name !== shape.items)
      refuseUnknown(namespace, child, place, [shape.items])
    return readValue(namespace, child, shape.type, place)
  })
}

function readSimple(element: Element, type: SimpleType, path: string): unknown {
  if (element.children.length > 0) refuse(path, 'must contain text, not elements')
  if (type === 'string') return element.text
  const text = element.text.trim()
  if (type === 'int')
    return /^[+-]?\d{1,10}$/.test(text) ? Number(text) : refuse(path, 'must be a whole number')
  if (type === 'boolean') {
    if (text === 'true' || text === '1') return true
    return text === 'false' || text === '0' ? false : refuse(path, 'must be true or false')
  }
  // An XSD date may carry a time zone; a price list has whole days only.
  if (type === 'date') return text.replace(/^(\d{4}-\d{2}-\d{2})(Z|[+-]\d{2}:\d{2})$/, '$1')
  return type === 'Money' ? plainDecimal(text) : text
}

/**
 * `+1`, `.5` and `5.` are XSD decimals: converts them to our notation. The schema refuses anything
 * else.
 */
const plainDecimal = (text: string): string =>
  /^\+?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)
    ? text
        .replace('+', '')
        .replace(/^\./, '0.')
        .replace(/\.$/, '')
        .replace(/^0+(?=\d)/, '')
    : text

const isNil = (element: Element): boolean =>
  Object.values(element.attributes).some(
    ({ uri, local, value }) =>
      uri === schemaInstance && local === 'nil' && (value === 'true' || value === '1'),
  )

function mustHoldNoText(element: Element, path: string): void {
  if (element.text.trim() !== '') refuse(path || element.name, 'must contain elements, not text')
}

function refuseUnknown(
  namespace: string,
  child: Element,
  path: string,
  known: readonly string[],
): never {
  if (child.uri !== namespace && known.includes(child.name))
    refuse(path, `is in the namespace "${child.uri.slice(0, 200)}"; it must be in "${namespace}"`)
  refuse(
    path,
    `is not known here; ${known.length > 0 ? `known: ${known.join(', ')}` : 'nothing is expected'}`,
  )
}

const join = (path: string, name: string): string => (path ? `${path}.${name}` : name)

function refuse(path: string, message: string): never {
  const shown = path.slice(0, 200)
  throw new HubError(
    'INVALID_REQUEST',
    { because: `${shown} ${message}.` },
    { details: [{ path: shown, message }] },
  )
}

/** An element with its value; nothing if the value is absent. */
export const writeElement = (
  element: string,
  type: SimpleType | ShapeName,
  value: unknown,
): string =>
  value === undefined || value === null ? '' : `<${element}>${writerOf(type)(value)}</${element}>`

type Writer = (value: unknown) => string
const writers = new Map<SimpleType | ShapeName, Writer>()

/** Built once per type: a response may hold thousands of them. */
function writerOf(type: SimpleType | ShapeName): Writer {
  const known = writers.get(type) ?? makeWriter(type)
  writers.set(type, known)
  return known
}

function makeWriter(type: SimpleType | ShapeName): Writer {
  if (isSimple(type))
    return simpleTypes[type].from === 'xs:string' ? (value) => escapeXml(String(value)) : String
  const shape = shapes[type]
  if ('items' in shape) {
    const write = elementWriter(shape.items, shape.type)
    return (value) => {
      let text = ''
      for (const item of value as unknown[]) text += write(item)
      return text
    }
  }
  const members = shape.members.map(({ element, field, type }) => ({
    field,
    write: elementWriter(element, type),
  }))
  return (value) => {
    let text = ''
    for (const { field, write } of members) text += write((value as Record<string, unknown>)[field])
    return text
  }
}

function elementWriter(element: string, type: SimpleType | ShapeName): Writer {
  const [open, close, write] = [`<${element}>`, `</${element}>`, writerOf(type)]
  return (value) => (value === undefined || value === null ? '' : open + write(value) + close)
}
