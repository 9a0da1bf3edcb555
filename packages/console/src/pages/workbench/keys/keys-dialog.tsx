/**
 * All keys of the workbench, and another chord for each that a person wants to change. Kept in this
 * browser.
 */
import { type KeyboardEvent, useState } from 'react'
import { Button } from '../../../parts/controls.tsx'
import { Modal } from '../../../parts/modal.tsx'
import { useWords } from '../../../words/words.ts'
import type { Key } from '../texts.ts'
import css from '../workbench.module.css'
import {
  type Action,
  actionNames,
  actions,
  type Chords,
  findAction,
  forgetChords,
  keepChord,
  shownChord,
  stepOf,
} from './chords.ts'

type KeysDialogProps = {
  readonly chords: Chords
  readonly onChange: () => void
  readonly onClose: () => void
}

export function KeysDialog({ chords, onChange, onClose }: KeysDialogProps) {
  const t = useWords<Key>('workbench')
  const [waiting, setWaiting] = useState<Action>()
  const [fault, setFault] = useState('')
  const take = (event: KeyboardEvent, action: Action) => {
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    const step = stepOf(event.nativeEvent)
    if (step === undefined) return
    if (step === 'Escape') return setWaiting(undefined)
    const chord = actions[action][0].includes('#') ? step.replace(/\d$/, '#') : step
    const taken = findAction(chords, chord.replace('#', '1'))
    if (!/^(Ctrl|Alt|F\d)/.test(step)) return setFault(t('keyNeedsModifier'))
    if (actions[action][0].includes('#') && !chord.includes('#'))
      return setFault(t('keyNeedsDigit'))
    if (taken === 'more' || (taken && taken.action !== action))
      return setFault(t('keyTaken', { keys: shownChord(chord) }))
    keepChord(action, chord)
    setFault('')
    setWaiting(undefined)
    onChange()
  }
  return (
    <Modal title={t('keysTitle')} size="wide" onClose={onClose}>
      <p className="mut">{t('keysBody')}</p>
      <p role="alert" className={css.fault}>
        {fault}
      </p>
      <ul className={css.keyList}>
        {actionNames.map((action) => (
          <li key={action}>
            <span>{t(`key.${action}`)}</span>
            <span className={css.chords}>
              {chords[action].map((chord) => (
                <kbd key={chord}>{shownChord(chord)}</kbd>
              ))}
            </span>
            <Button
              small
              aria-label={t('changeKeyOf', { name: t(`key.${action}`) })}
              onClick={() => setWaiting(action)}
              onKeyDown={(event) => waiting === action && take(event, action)}
              onBlur={() => setWaiting(undefined)}
            >
              {waiting === action ? t('pressKeys') : t('changeKey')}
            </Button>
          </li>
        ))}
      </ul>
      <Button
        onClick={() => {
          forgetChords()
          onChange()
        }}
      >
        {t('usualKeys')}
      </Button>
    </Modal>
  )
}
