/**
 * Pairs the texts of a file with those of its translation, as the checks want them: the codes of a
 * translation by the numbers of its source.
 */
import type { TextParts } from '@dragoman/contract/wire'
import { limitFor } from '../formats/about.ts'
import { nameOf } from '../formats/compare-delivery.ts'
import type { Segment } from '../formats/format.ts'
import type { CodePart, Part } from '../placeholders/part.ts'
import { rawOf } from '../placeholders/parts.ts'
import { joined, toWire } from '../placeholders/wire-texts.ts'
import type { TextUnit } from './check-texts.ts'

/** Formats in which white space is layout. */
const layoutOnly: ReadonlySet<string> = new Set([
  'html',
  'markdown',
  'xml',
  'docx',
  'pptx',
  'xlsx',
  'text',
  'zip',
])

export const isLayoutOnly = (format: string): boolean => layoutOnly.has(format)

type Unit = Pick<Segment, 'id' | 'parts' | 'target' | 'about'>

/** Texts with their translations, by id. Numbered ids pair only if there are as many of them. */
export function unitsOf(
  before: readonly Unit[],
  after: readonly Unit[],
  loose: boolean,
  limit: unknown,
): TextUnit[] {
  if (before.length !== after.length && before.every(({ id }) => /^s?\d{1,9}$/.test(id))) return []
  const translated = new Map(after.map((unit) => [unit.id, unit]))
  const isBilingual = after.some(({ target }) => target)
  return before.flatMap(({ id, parts, about }) => {
    const maxLength = about?.maxLength ?? limitFor(limit, id)
    const unit = translated.get(id)
    const target = isBilingual ? unit?.target : unit?.parts
    if (!target) return []
    if (hasBranches(parts))
      return [{ id, source: [rawOf(parts)], tags: [], target: [rawOf(target)], loose, maxLength }]
    const { text, tags } = toWire(parts)
    return [
      { id, source: text, tags: [...tags], target: targetOf(parts, target), loose, maxLength },
    ]
  })
}

/** The branches of a plural differ by language: such texts are compared as they are written. */
const hasBranches = (parts: readonly Part[]): boolean =>
  parts.some((part) => part.type === 'code' && part.kind === 'icu')

/**
 * The codes of the target by the numbers of the source: the same code, else one of the same name
 * with other attributes.
 */
function targetOf(source: readonly Part[], target: readonly Part[]): TextParts {
  const codes = source.filter((part) => part.type === 'code')
  const [byRaw, byName] = [new Map<string, Queue>(), new Map<string, Queue>()]
  codes.forEach((code, at) => {
    queue(byRaw, code.raw).numbers.push(at + 1)
    queue(byName, namedAs(code)).numbers.push(at + 1)
  })
  const used = new Set<number>()
  const take = (from: Queue | undefined): number | undefined => {
    if (!from) return undefined
    while (used.has(from.numbers[from.next] ?? 0)) from.next += 1
    const number = from.numbers[from.next]
    from.next += 1
    if (number !== undefined) used.add(number)
    return number
  }
  const pieces = target.map((part) => {
    if (part.type === 'text') return part.text
    const tag =
      take(byRaw.get(part.raw)) ??
      (part.kind.startsWith('tag') ? take(byName.get(namedAs(part))) : undefined)
    return tag === undefined ? part.raw : { tag }
  })
  return joined(pieces)
}

const namedAs = (code: CodePart): string => nameOf(code) ?? code.raw

type Queue = { readonly numbers: number[]; next: number }

function queue(queues: Map<string, Queue>, name: string): Queue {
  const found = queues.get(name) ?? { numbers: [], next: 0 }
  queues.set(name, found)
  return found
}
