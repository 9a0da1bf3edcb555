/** The guard of an editor with tags, on documents that are not drawn. */
import { redo, undo } from '@codemirror/commands'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import type { TextTag } from '@dragoman/contract/wire'
import { describe, expect, it } from 'vitest'
import { randomText, seeded } from '../../../../../tests/console/random-edits.ts'
import { placing } from './guard.ts'
import { chipDocument } from './mount-editor.ts'
import { openTagCharacters, type TagCharacters } from './tag-characters.ts'
import { countTags, joined, type TextPart } from './texts.ts'

const tags: TextTag[] = [1, 2, 3].map((tag) => ({ tag, kind: 'PLACEHOLDER', shows: `%${tag}` }))
const [one, two, three] = [{ tag: 1 }, { tag: 2 }, { tag: 3 }]
const at = (from: number, to: number, insert = '') => ({ changes: { from, to, insert } })

function open(value: readonly TextPart[], source: readonly TextPart[] = []) {
  const characters = openTagCharacters(tags, [value], source) as TagCharacters
  let state = EditorState.create({
    doc: characters.write(value),
    extensions: chipDocument(characters),
  })
  const dispatch = (transaction: { readonly state: EditorState }) => {
    state = transaction.state
  }
  return {
    characters,
    edit: (spec: TransactionSpec) => dispatch(state.update(spec)),
    undo: () => undo({ state, dispatch }),
    redo: () => redo({ state, dispatch }),
    now: () => characters.read(state.sliceDoc()),
    get state() {
      return state
    },
  }
}
const placed = { annotations: placing.of(true) }

describe('the guard', () => {
  it('moves a tag that is placed again, and leaves the caret behind it', () => {
    const editor = open(['ab', one, 'cd', two])
    editor.edit({ ...editor.state.replaceSelection(editor.characters.write([two])), ...placed })
    expect(editor.now()).toEqual([two, 'ab', one, 'cd'])
    expect(editor.state.selection.main.head).toBe(1)
    editor.edit({ ...at(5, 5, editor.characters.write([one])), ...placed })
    expect(editor.now()).toEqual([two, 'abc', one, 'd'])
  })

  it('takes a tag only where it is placed on purpose', () => {
    const editor = open(['ab'])
    editor.edit(at(1, 1, `x${editor.characters.write([one, two])}y`))
    expect(editor.now()).toEqual(['axyb'])
  })

  it('lets an edit write again what it takes away', () => {
    const editor = open(['a', one, 'b'])
    editor.edit(at(0, 3, editor.characters.write(['x', one, 'y', one])))
    expect(editor.now()).toEqual(['x', one, 'y'])
  })

  it('places a tag once, however often it is pasted', () => {
    const editor = open(['ab'])
    editor.edit({ ...at(0, 0, editor.characters.write([one, 'x', one, one])), ...placed })
    expect(editor.now()).toEqual([one, 'xab'])
  })

  it('lets a tag stand as often as the source has it, and no more', () => {
    const editor = open(['a', one], [one, one])
    const more = editor.characters.write([one])
    editor.edit({ ...at(0, 0, more), ...placed })
    expect(editor.now()).toEqual([one, 'a', one])
    editor.edit({ ...at(3, 3, more), ...placed })
    expect(editor.now()).toEqual(['a', one, one])
  })

  it('keeps a doubled tag that came with the text, and adds none to it', () => {
    const editor = open([one, 'a', one])
    editor.edit(at(1, 2, 'b'))
    expect(editor.now()).toEqual([one, 'b', one])
    editor.edit({ ...at(2, 2, editor.characters.write([one])), ...placed })
    expect(countTags(editor.now()).get(1)).toBe(2)
  })

  it('takes letters of an icon font for letters, and a carriage return for itself', () => {
    const text = ['\ue000\ue001 a\r\nb', three, '\ue002']
    const editor = open(text)
    expect(editor.now()).toEqual(text)
  })

  it('leaves out a tag that the segment lacks', () => {
    expect(open(['a', { tag: 9 }, 'b']).now()).toEqual(['ab'])
  })

  it('undoes and redoes a move as one step', () => {
    const editor = open([one, 'ab'])
    editor.edit({ ...at(3, 3, editor.characters.write([one])), ...placed })
    expect(editor.now()).toEqual(['ab', one])
    editor.undo()
    expect(editor.now()).toEqual([one, 'ab'])
    editor.redo()
    expect(editor.now()).toEqual(['ab', one])
  })

  it('holds over 10,000 random edits; the text equals a model, and undo leads back through it', () => {
    const random = seeded(11)
    const source = [one, two, two, three]
    const begins: TextPart[] = ['Pay ', one, two, ' now ', three, '\nZeile']
    let editor = open(begins, source)
    let model: (readonly TextPart[])[] = [begins]
    let step = 0
    for (let round = 0; round < 10_000; round += 1) {
      const { length } = editor.state.doc
      const from = random(length + 1)
      const to = Math.min(length, from + random(4))
      const isPlaced = random(3) === 0
      const insert: TextPart[] = [
        randomText(random),
        ...(random(2) ? [[one, two, three][random(3)] ?? one] : []),
        'z',
      ]
      const before = editor.characters.read(editor.state.sliceDoc())
      const act = random(10)
      if (act === 0 && editor.undo()) step -= 1
      else if (act === 1 && editor.redo()) step += 1
      else {
        const spec = at(from, to, editor.characters.write(insert))
        editor.edit({ ...spec, ...(isPlaced && placed), userEvent: `input.${round}` })
        const expected = modelOf(before, { from, to, insert, isPlaced, source })
        must(round, editor.now(), expected)
        step += 1
        model = [...model.slice(0, step), expected]
      }
      must(round, editor.now(), model[step])
      const isOnce = [...countTags(editor.now())].every(
        ([tag, count]) => count <= (tag === 2 ? 2 : 1),
      )
      if (!isOnce) expect([round, editor.now()]).toBe('without a tag too many')
      if (editor.state.doc.length < 200) continue
      editor = open(begins, source)
      model = [begins]
      step = 0
    }
  })
})

/** Cheaper than `expect` ten thousand times. */
function must(round: number, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    expect([round, found]).toEqual([round, expected])
}

type Edit = {
  readonly from: number
  readonly to: number
  readonly insert: readonly TextPart[]
  readonly isPlaced: boolean
  readonly source: readonly TextPart[]
}

/** The same rules, said plainly: letters and tags in a list. */
function modelOf(
  text: readonly TextPart[],
  { from, to, insert, isPlaced, source }: Edit,
): TextPart[] {
  const units = (parts: readonly TextPart[]): TextPart[] =>
    parts.flatMap((part): TextPart[] => (typeof part === 'string' ? part.split('') : [part]))
  const all = units(text)
  const taken = countTags(all.slice(from, to))
  const often = countTags(source)
  const left = new Map(taken)
  const added = units(insert).filter((unit) => {
    if (typeof unit === 'string') return true
    const count = isPlaced ? (often.get(unit.tag) ?? 1) : (left.get(unit.tag) ?? 0)
    left.set(unit.tag, count - 1)
    return count > 0
  })
  const rest = [...all.slice(0, from), '|', ...all.slice(to)]
  for (const unit of added) {
    if (typeof unit === 'string') continue
    const stands = (countTags(rest).get(unit.tag) ?? 0) + 1
    const first = rest.findIndex((one) => typeof one !== 'string' && one.tag === unit.tag)
    if (stands > (often.get(unit.tag) ?? 1)) rest.splice(first, 1)
  }
  const mark = rest.indexOf('|')
  return joined([...rest.slice(0, mark), ...added, ...rest.slice(mark + 1)])
}
