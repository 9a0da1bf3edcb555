/** The chords of the workbench: each has one meaning, and none begins another. */
import { describe, expect, it } from 'vitest'
import { actionNames, actions, findAction, stepOf } from './chords.ts'

const key = (code: string, held: Partial<KeyboardEvent> = {}, altGraph = false): KeyboardEvent =>
  ({
    code,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    getModifierState: () => altGraph,
    ...held,
  }) as unknown as KeyboardEvent

describe('the keys of the workbench', () => {
  it('gives every chord one meaning', () => {
    const all = actionNames.flatMap((action) => actions[action].map((chord) => ({ action, chord })))
    for (const { action, chord } of all) {
      expect(findAction(actions, chord.replace('#', '3'))).toMatchObject({ action })
      expect(
        all.filter((one) => one.chord === chord || one.chord.startsWith(`${chord} `)),
      ).toHaveLength(1)
    }
  })

  it.each([
    [key('Enter', { ctrlKey: true }), 'Ctrl Enter'],
    [key('Enter', { ctrlKey: true, shiftKey: true }), 'Ctrl Shift Enter'],
    [key('Digit4', { altKey: true, key: '¢' }), 'Alt 4'],
    [key('KeyT', { altKey: true, key: 'ه' }), 'Alt T'],
    [key('Comma', { ctrlKey: true, key: '?' }), 'Ctrl ,'],
    [key('ControlLeft', { ctrlKey: true }), undefined],
    [key('KeyQ', { ctrlKey: true, altKey: true, key: '@' }, true), undefined],
  ])('reads the place of the key, not its letter: %#', (event, step) => {
    expect(stepOf(event)).toBe(step)
  })

  it('waits for the second step, and takes a digit', () => {
    expect(findAction(actions, 'Ctrl ,')).toBe('more')
    expect(findAction(actions, 'Ctrl , 4')).toEqual({ action: 'tag', digit: 4 })
    expect(findAction(actions, 'Ctrl 2')).toEqual({ action: 'match', digit: 2 })
    expect(findAction(actions, 'Ctrl 0')).toBe(undefined)
    expect(findAction(actions, 'Q')).toBe(undefined)
  })
})
