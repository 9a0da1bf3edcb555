/** The verdict that will be sent, with the seconds left to take it back. */
import { useEffect, useState } from 'react'
import { Button } from '../../../parts/controls.tsx'
import { useWords } from '../../../words/words.ts'
import type { Key } from '../texts.ts'
import css from '../workbench.module.css'
import { undoMs, type Verdict } from './use-verdict.ts'

type UndoBarProps = { readonly verdict: Verdict; readonly onUndo: () => void; readonly onSend: () => void }

export function UndoBar({ verdict, onUndo, onSend }: UndoBarProps) {
  const t = useWords<Key>('workbench')
  const [left, setLeft] = useState(undoMs / 1_000)
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className={css.notice}>
      <b>{t(`waiting.${verdict}`)}</b>
      <span className="num" aria-hidden="true">
        {t('secondsLeft', { count: left })}
      </span>
      <Button small kind="main" onClick={onUndo}>
        {t('undo')}
      </Button>
      <Button small kind="quiet" onClick={onSend}>
        {t('sendNow')}
      </Button>
    </div>
  )
}
