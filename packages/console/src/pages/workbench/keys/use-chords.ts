/**
 * Listens to the keys of the workbench before the editor and the browser do, and lists them for
 * `?`.
 */
import { useEffect, useRef, useState } from 'react'
import { useKeys } from '../../../keys.ts'
import { useWords } from '../../../words/words.ts'
import type { Key } from '../texts.ts'
import {
  type Action,
  actionNames,
  type Chords,
  findAction,
  shownChord,
  stepOf,
  storedChords,
} from './chords.ts'

/**
 * Returns whether the action took place; the key is otherwise left to the editor and the browser.
 */
export type Act = (digit: number) => boolean | undefined
export type Acts = Readonly<Partial<Record<Action, Act>>>

const waitMs = 1_500

export function useChords(acts: Acts): { readonly chords: Chords; readonly reread: () => void } {
  const t = useWords<Key>('workbench')
  const [chords, setChords] = useState(storedChords)
  const latest = useRef({ acts, chords })
  latest.current = { acts, chords }
  useEffect(() => {
    let before = ''
    let forget: ReturnType<typeof setTimeout> | undefined
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || document.querySelector('dialog[open], [popover]:popover-open'))
        return
      const step = stepOf(event)
      if (step === undefined) return
      const now = latest.current
      // A digit that follows may come with the modifier still held.
      const typed = before ? `${before} ${step.replace(/^Ctrl (?=[\d.]$)/, '')}` : step
      const found = findAction(now.chords, typed)
      clearTimeout(forget)
      const wasWaiting = before !== ''
      before = found === 'more' ? typed : ''
      if (before) forget = setTimeout(() => (before = ''), waitMs)
      const isDone =
        found === 'more' || (found !== undefined && now.acts[found.action]?.(found.digit) === true)
      if (!isDone && !wasWaiting) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', onKey, true)
    return () => {
      clearTimeout(forget)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [])
  useKeys(
    actionNames
      .filter((action) => acts[action])
      .map((action) => ({
        keys: chords[action].map(shownChord).join(', '),
        says: t(`key.${action}`),
        act: () => void acts[action]?.(1),
      })),
  )
  return { chords, reread: () => setChords(storedChords()) }
}
