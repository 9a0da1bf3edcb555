/** What will be sent, with the seconds left to take it back. */
import { useEffect, useState } from 'react'
import type en from '../../words/en/review.json'
import { useWords } from '../../words/words.ts'
import { Button } from '../controls.tsx'
import css from './review.module.css'
import { type Given, undoMs } from './use-verdicts.ts'

type UndoBarProps = {
  /** The seconds begin anew with another one. */
  readonly given: Given
  readonly says: string
  readonly onUndo: () => void
  readonly onSend: () => void
}

export function UndoBar({ given, says, onUndo, onSend }: UndoBarProps) {
  const t = useWords<keyof typeof en>('review')
  const [left, setLeft] = useState(undoMs / 1_000)
  // biome-ignore lint/correctness/useExhaustiveDependencies: as said above.
  useEffect(() => {
    setLeft(undoMs / 1_000)
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1_000)
    return () => clearInterval(timer)
  }, [given])
  return (
    <div className={css.notice}>
      <b>{says}</b>
      <span className="num" aria-hidden="true">
        {t('secondsLeft', { count: left })}
      </span>
      <Button small kind="main" title="Ctrl Z" onClick={onUndo}>
        {t('undo')}
      </Button>
      <Button small kind="quiet" onClick={onSend}>
        {t('sendNow')}
      </Button>
    </div>
  )
}
