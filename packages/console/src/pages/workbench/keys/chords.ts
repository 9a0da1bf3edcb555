/**
 * The keys of the workbench: what each does, and by which chords. They are read by the place of the
 * key (`event.code`), so that they are the same on every layout. A chord may have two steps (`Ctrl
 * , 3`), for where a browser takes the first choice. `#` stands for a digit.
 */
import { storeChoice, storedChoice } from '../../../stored-choices.ts'

export const actions = {
  confirm: ['Ctrl Enter'],
  deliver: ['Ctrl Shift Enter'],
  next: ['Ctrl ArrowDown'],
  previous: ['Ctrl ArrowUp'],
  nextOpen: ['Alt ArrowDown'],
  previousOpen: ['Alt ArrowUp'],
  goTo: ['Ctrl G', 'Ctrl J'],
  copySource: ['Ctrl I', 'Ctrl Insert'],
  match: ['Ctrl #', 'Ctrl M #'],
  tag: ['Alt #', 'Ctrl , #'],
  nextTag: ['Alt T', 'Ctrl . .'],
  allTags: ['Alt Shift T', 'Ctrl . A'],
  term: ['Alt Shift #', 'Ctrl ; #'],
  concordance: ['Alt K', 'F3'],
  fix: ['Alt X', 'Ctrl . X'],
  fixAll: ['Alt Shift X', 'Ctrl . Shift X'],
  keepCheck: ['Ctrl Alt #', 'Ctrl . #'],
  nbsp: ['Ctrl Shift Space'],
  save: ['Ctrl S'],
  replace: ['Ctrl H', 'Ctrl Alt H'],
  preview: ['Alt P', 'Ctrl . P'],
  wrong: ['Alt W', 'Ctrl . W'],
  reject: ['Ctrl Shift Backspace', 'Ctrl . R'],
  undo: ['Ctrl Alt Z', 'Ctrl . Z'],
  keys: ['F1', 'Ctrl /'],
} as const satisfies Record<string, readonly string[]>
export type Action = keyof typeof actions
export type Chords = Readonly<Record<Action, readonly string[]>>
export const actionNames = Object.keys(actions) as Action[]

const name = 'desk-keys'

/** The usual chords with those that the person chose in this browser. */
export function storedChords(): Chords {
  try {
    const own = JSON.parse(storedChoice(name) ?? '{}') as Record<string, unknown>
    const given = Object.entries(own).filter(
      ([key, chord]) => key in actions && typeof chord === 'string',
    )
    return {
      ...actions,
      ...Object.fromEntries(given.map(([key, chord]) => [key, [chord as string]])),
    }
  } catch {
    return actions
  }
}

export function keepChord(action: Action, chord: string): void {
  const own = JSON.parse(storedChoice(name) ?? '{}') as Record<string, string>
  storeChoice(name, JSON.stringify({ ...own, [action]: chord }))
}

export const forgetChords = (): void => storeChoice(name, undefined)

const named: Readonly<Record<string, string>> = {
  Comma: ',',
  Period: '.',
  Semicolon: ';',
  Slash: '/',
  NumpadEnter: 'Enter',
}

/** The step that a key makes; undefined for modifiers alone, and where AltGr writes a character. */
export function stepOf(event: KeyboardEvent): string | undefined {
  const { code, ctrlKey, metaKey, altKey, shiftKey } = event
  if (/^(Control|Shift|Alt|Meta|OS|CapsLock)/.test(code) || event.getModifierState('AltGraph'))
    return undefined
  const key = named[code] ?? code.replace(/^(Key|Digit|Numpad(?=\d))/, '')
  return [(ctrlKey || metaKey) && 'Ctrl', altKey && 'Alt', shiftKey && 'Shift', key]
    .filter(Boolean)
    .join(' ')
}

export type Found = { readonly action: Action; readonly digit: number }
export type Step = Found | 'more' | undefined

/** What one or two steps mean: an action, the beginning of one, or nothing. */
export function findAction(chords: Chords, typed: string): Step {
  const digit = /(?:^| )(\d)$/.exec(typed)?.[1]
  const general = digit === undefined ? typed : `${typed.slice(0, -1)}#`
  for (const action of actionNames) {
    for (const chord of chords[action]) {
      if (chord === typed) return { action, digit: 0 }
      if (chord === general && digit !== '0') return { action, digit: Number(digit) }
    }
  }
  return actionNames.some((action) => chords[action].some((chord) => chord.startsWith(`${typed} `)))
    ? 'more'
    : undefined
}

/** For people: arrows instead of the names of keys. */
export const shownChord = (chord: string): string =>
  chord.replace('ArrowDown', '↓').replace('ArrowUp', '↑').replace('#', '1–9')
