/** Keyboard: each key is a row that the page or the shell registers; `?` lists them. Letters count only outside of fields. */
import { useEffect, useRef } from 'react'

export type Key = {
  /** As written in the list: `g j`, `/`, `Ctrl K`. */
  readonly keys: string
  readonly says: string
  readonly act: () => void
  /** Works while a field has the focus. */
  readonly everywhere?: true
}

const registered = new Set<{ readonly current: readonly Key[] }>()
let before = ''
let switchedOff = false

export const switchKeys = (on: boolean): void => {
  switchedOff = !on
}

/** The keys of everything on the screen, for the list. */
export const allKeys = (): Key[] => [...registered].flatMap(({ current }) => [...current])

export function useKeys(keys: readonly Key[]): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    registered.add(latest)
    return () => {
      registered.delete(latest)
    }
  }, [])
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const control = event.ctrlKey || event.metaKey
  const name =
    (control ? 'Ctrl ' : '') +
    (event.altKey ? 'Alt ' : '') +
    (event.key.length === 1 && control ? event.key.toUpperCase() : event.key)
  const pair = before && `${before} ${name}`
  const inField = isField(event.target)
  const dialog = document.querySelector('[role=dialog]')
  const found = [...registered]
    .flatMap(({ current }) => current)
    .reverse()
    .find(({ keys, everywhere }) => {
      if (keys !== name && keys !== pair) return false
      if (everywhere) return true
      return !inField && !dialog && !(switchedOff && !control && name.length === 1)
    })
  before = !found && !inField && name === 'g' ? 'g' : ''
  if (!found) return
  event.preventDefault()
  found.act()
}
document.addEventListener('keydown', onKey)
