/**
 * Keyboard shortcuts: the page or the shell registers each key; `?` lists them. Letters work only
 * while no field has the focus, and can be switched off (WCAG 2.1.4). A page's keys take precedence
 * over those of the shell.
 */
import { useLayoutEffect, useRef } from 'react'
import { storeChoice, storedChoice } from './stored-choices.ts'

export type Key = {
  /**
   * As shown in the list: `g j`, `/`, `Ctrl K`; empty for commands that only the palette offers.
   */
  readonly keys: string
  readonly says: string
  readonly act: () => void
  /** Works while a field has the focus. */
  readonly everywhere?: true
}

const registered = new Set<{ readonly current: readonly Key[] }>()
/** The first letter of a two-key shortcut, remembered for a moment. */
let before = ''
let forget: ReturnType<typeof setTimeout> | undefined
const pairMs = 1_500

export const hasLetters = (): boolean => storedChoice('keys') !== 'off'

export const switchKeys = (on: boolean): void => storeChoice('keys', on ? undefined : 'off')

/**
 * All active keys, each once: those of the page, which were registered last, come first and replace
 * the same keys of the shell.
 */
export function allKeys(): Key[] {
  const found = new Map<string, Key>()
  for (const key of [...registered].reverse().flatMap(({ current }) => current)) {
    const name = key.keys || key.says
    if (!found.has(name)) found.set(name, key)
  }
  return [...found.values()]
}

export function useKeys(keys: readonly Key[]): void {
  const latest = useRef(keys)
  latest.current = keys
  // Before it is painted: whoever sees a page can use its keys.
  useLayoutEffect(() => {
    registered.add(latest)
    return () => {
      registered.delete(latest)
    }
  }, [])
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement &&
      !/^(button|checkbox|radio|submit|reset|range|file|color)$/.test(target.type)))

/**
 * The letter as shown in the list, even on a keyboard of another script: there the position of the
 * key counts.
 */
function letterOf({ key, code }: KeyboardEvent): string {
  const isOther = key.length === 1 && key > '~'
  return isOther && /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key
}

function nameOf(event: KeyboardEvent): string {
  // AltGr types a character; Windows reports it as Ctrl and Alt.
  const isWriting = event.getModifierState('AltGraph')
  const control = (event.ctrlKey || event.metaKey) && !isWriting
  const letter = letterOf(event)
  const alt = event.altKey && !isWriting ? 'Alt ' : ''
  return (
    (control ? 'Ctrl ' : '') +
    alt +
    (letter.length === 1 && control ? letter.toUpperCase() : letter)
  )
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const name = nameOf(event)
  const pair = before && `${before} ${name}`
  const inField = isField(event.target)
  const isOpen = document.querySelector('dialog[open]') !== null
  const mayLetters = !inField && !isOpen && (name.length > 1 || hasLetters())
  const all = allKeys()
  const wanted = ({ everywhere }: Key): boolean => everywhere === true || mayLetters
  const found =
    (pair ? all.find((key) => key.keys === pair && wanted(key)) : undefined) ??
    all.find((key) => key.keys === name && wanted(key))
  clearTimeout(forget)
  before = !found && mayLetters && name === 'g' ? name : ''
  if (before) forget = setTimeout(() => (before = ''), pairMs)
  if (!found) return
  event.preventDefault()
  found.act()
}
document.addEventListener('keydown', onKey)
