/** Asks for a note to the translator before translations are rejected. Ctrl Enter rejects. */
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { useWords } from '../../words/words.ts'
import css from './job.module.css'
import type { Key } from './sentence.tsx'

type RejectDialogProps = {
  readonly count: number
  readonly onReject: (note: string) => void
  readonly onClose: () => void
}

export function RejectDialog({ count, onReject, onClose }: RejectDialogProps) {
  const t = useWords<Key>('job')
  const [note, setNote] = useState('')
  return (
    <Dialog
      title={t('rejectTitle', { count })}
      act={t('reject', { count })}
      kind="danger"
      onAct={() => onReject(note)}
      onClose={onClose}
    >
      <label className={css.field}>
        <span>{t('note')}</span>
        <textarea
          className={css.note}
          dir="auto"
          data-autofocus
          value={note}
          onChange={(event) => setNote(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
              event.currentTarget.form?.requestSubmit()
          }}
        />
      </label>
    </Dialog>
  )
}
