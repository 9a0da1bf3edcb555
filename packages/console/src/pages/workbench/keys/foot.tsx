/** The bar at the foot: the keys that matter most, and whether the work is saved. */
import type { ReactNode } from 'react'
import { useWords } from '../../../words/words.ts'
import type { Key } from '../texts.ts'
import css from '../workbench.module.css'
import { type Action, type Chords, shownChord } from './chords.ts'

type FootProps = {
  readonly chords: Chords
  readonly hints: readonly (readonly [Action, Key])[]
  readonly onKeys: () => void
  readonly children?: ReactNode
}

export const translating = [
  ['confirm', 'short.confirm'],
  ['nextOpen', 'short.nextOpen'],
  ['match', 'short.match'],
  ['tag', 'short.tag'],
  ['deliver', 'short.deliver'],
] as const
export const reviewing = [
  ['confirm', 'short.right'],
  ['wrong', 'short.wrong'],
  ['deliver', 'short.approve'],
  ['reject', 'short.reject'],
  ['undo', 'short.undo'],
] as const

export function Foot({ chords, hints, onKeys, children }: FootProps) {
  const t = useWords<Key>('workbench')
  return (
    <footer className={css.foot}>
      <span className={css.hints}>
        {hints.map(([action, text]) => (
          <span key={action} className={css.hint}>
            <kbd>{shownChord(chords[action][0] ?? '')}</kbd> {t(text)}
          </span>
        ))}
        <button type="button" className={css.hintButton} onClick={onKeys}>
          <kbd>{chords.keys[0]}</kbd> {t('key.keys')}
        </button>
      </span>
      <span className={css.saved}>{children}</span>
    </footer>
  )
}
