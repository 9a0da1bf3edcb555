/**
 * Envelopes for the project settings service: generated from the table of its operations, then
 * spoilt as an attacker would.
 */
import { operations } from '../../packages/server/src/doors/soap/operations.ts'
import {
  isSimple,
  type Member,
  type ShapeName,
  type SimpleType,
  shapes,
  simpleTypes,
} from '../../packages/server/src/doors/soap/shapes.ts'
import { priceList } from '../price-list.ts'
import { namespace } from '../soap/soap-call.ts'
import { nastyText, pick } from './fuzzed-text.ts'
import type { Chance } from './history-walk.ts'

export const operationNames = Object.keys(operations)

export type Knows = {
  readonly mark: string
  readonly siteId: string
  readonly ids: readonly string[]
}
type Tree = { name: string; attributes: string; text: string; children: Tree[] }

export function makeEnvelope(
  operation: string,
  knows: Knows,
  chance: Chance,
  spoils: string,
): Buffer {
  const tree: Tree = {
    name: operation,
    attributes: ` xmlns="${namespace}"`,
    text: '',
    children: (operations[operation]?.takes ?? []).flatMap((member) =>
      fitting(member, knows, chance),
    ),
  }
  if (spoils === 'tree')
    for (let times = 1 + Math.floor(chance() * 3); times > 0; times -= 1) spoil(tree, chance)
  const text =
    spoils === 'envelope' ? spoiltEnvelope(written(tree), chance) : envelope(written(tree))
  return spoils === 'bytes' ? spoiltBytes(text, chance) : Buffer.from(text)
}

const soap = 'http://schemas.xmlsoap.org/soap/envelope/'
const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="${soap}"><s:Body>${body}</s:Body></s:Envelope>`

function fitting(member: Member, knows: Knows, chance: Chance): Tree[] {
  if (member.optional && chance() < 0.5) return []
  if (member.type === 'PriceList' && chance() < 0.6)
    return [asTree(member.element, member.type, priceList)]
  const made: Tree = { name: member.element, attributes: '', text: '', children: [] }
  return [fill(made, member.type, knows, chance)]
}

/** A value of the REST counterpart as an element. */
function asTree(name: string, type: SimpleType | ShapeName, value: unknown): Tree {
  if (isSimple(type)) return { name, attributes: '', text: escapeXml(String(value)), children: [] }
  const shape = shapes[type]
  const children =
    'items' in shape
      ? (value as unknown[]).map((one) => asTree(shape.items, shape.type, one))
      : shape.members.flatMap((member) => {
          const inner = (value as Record<string, unknown>)[member.field]
          return inner === undefined ? [] : [asTree(member.element, member.type, inner)]
        })
  return { name, attributes: '', text: '', children }
}

function fill(made: Tree, type: SimpleType | ShapeName, knows: Knows, chance: Chance): Tree {
  if (isSimple(type)) made.text = escapeXml(fittingText(made.name, type, knows, chance))
  else {
    const shape = shapes[type]
    made.children =
      'members' in shape
        ? shape.members.flatMap((member) => fitting(member, knows, chance))
        : Array.from({ length: Math.floor(chance() * 4) }, () =>
            fill(
              { name: shape.items, attributes: '', text: '', children: [] },
              shape.type,
              knows,
              chance,
            ),
          )
  }
  return made
}

function fittingText(name: string, type: SimpleType, knows: Knows, chance: Chance): string {
  const simple = simpleTypes[type]
  if ('values' in simple) return pick(chance, simple.values)
  if (type === 'int') return String(1 + Math.floor(chance() * 10))
  if (type === 'boolean') return pick(chance, ['true', 'false', '1', '0'])
  if (type === 'date') return pick(chance, ['2026-01-01', '2027-12-31Z', '2026-02-29'])
  if (type === 'Money') return pick(chance, ['0.12', '25', '+1', '.5', '0'])
  if (name === 'OrganisationID') return knows.siteId
  if (/ID$|^string$/.test(name))
    return knows.ids.length > 0 ? pick(chance, knows.ids) : 'A'.repeat(22)
  if (/Language$/.test(name)) return pick(chance, ['en-us', 'de-de', '*'])
  return name === 'Currency' ? 'EUR' : `${name} ${knows.mark} ${Math.floor(chance() * 100)}`
}

const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (mark) => `&#${mark.charCodeAt(0)};`)

function written({ name, attributes, text, children }: Tree): string {
  return `<${name}${attributes}>${text}${children.map(written).join('')}</${name}>`
}

const marks = [
  '&#0;',
  '&#xD800;',
  '&#xFFFE;',
  '&#x110000;',
  '&nbsp;',
  '&',
  '<![CDATA[x]]>',
  '<!-- x -->',
  '<?x y?>',
  ']]>',
]
const attributes = [
  ' xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  ' x="1" x="2"',
  ' xmlns="urn:other"',
  ' p:x="1"',
  ' xmlns:xml="urn:x"',
  ' xmlns:p=""',
]

/** Spoils one element of the tree. */
function spoil(tree: Tree, chance: Chance): void {
  const inner = tree.children.length > 0 && chance() < 0.8 ? pick(chance, tree.children) : undefined
  if (inner && chance() < 0.7) {
    spoil(inner, chance)
    return
  }
  const ways: (() => void)[] = [
    () => {
      tree.text = escapeXml(nastyText(chance))
    },
    () => {
      tree.text += pick(chance, marks)
    },
    () => {
      tree.text = nastyText(chance)
    },
    () => {
      tree.attributes += pick(chance, attributes)
    },
    () => {
      tree.name = pick(chance, [
        tree.name.toLowerCase(),
        `x:${tree.name}`,
        'Body',
        `${tree.name}\u00e9`,
        'xml',
      ])
    },
    () => tree.children.splice(0, 1),
    () => tree.children.push(...tree.children),
    () => tree.children.reverse(),
    () => {
      tree.children = Array.from({ length: 2_000 }, () => ({
        name: 'string',
        attributes: '',
        text: 'x',
        children: [],
      }))
    },
    () => {
      tree.text = `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`
    },
  ]
  pick(chance, ways)()
}

function spoiltEnvelope(body: string, chance: Chance): string {
  const header = '<s:Header><h xmlns="urn:h" s:mustUnderstand="1"/></s:Header>'
  return pick(chance, [
    envelope(body).replace('<s:Body>', `${header}<s:Body>`),
    envelope(body).replace('<s:Body>', '<s:Header/><s:Header/><s:Body>'),
    envelope(`${body}${body}`),
    envelope(''),
    envelope(body).replaceAll(soap, 'http://www.w3.org/2003/05/soap-envelope'),
    envelope(body).replaceAll(soap, 'urn:none'),
    envelope(body).replace(
      'utf-8',
      pick(chance, ['utf-16', 'iso-8859-1', 'x', nastyText(chance).slice(0, 50)]),
    ),
    envelope(body).replace('?>', '?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
    envelope(body).replace('?>', `?><!DOCTYPE x [<!ENTITY a "${'b'.repeat(99)}">]>`),
    envelope(body).replaceAll('s:', ''),
    body,
    '',
    '<a/>',
    '{"a":1}',
    `<?xml version="1.0"?>${'<!-- x -->'.repeat(1_000)}${body}`,
    `${'<a xmlns:b="c">'.repeat(2_000)}`,
    `<a ${Array.from({ length: 3_000 }, (_, at) => `b${at}="c"`).join(' ')}/>`,
    `<a>${'&amp;'.repeat(20_000)}</a>`,
  ])
}

function spoiltBytes(text: string, chance: Chance): Buffer {
  const bytes = Buffer.from(text)
  const at = Math.floor(chance() * bytes.length)
  return pick(chance, [
    () => bytes.subarray(0, at),
    () =>
      Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from([Math.floor(chance() * 256)]),
        bytes.subarray(at + 1),
      ]),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([0xc3, 0x28]), bytes.subarray(at)]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([bytes, Buffer.from('trailing')]),
    () => Buffer.alloc(500, 0),
  ])()
}
