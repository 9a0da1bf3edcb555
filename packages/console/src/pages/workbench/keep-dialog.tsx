/** A finding stays, with a reason that the reviewer sees. */
import type { CheckFinding } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { useSentence } from '../../parts/review/use-sentence.ts'
import { useWords } from '../../words/words.ts'
import type { Key } from './texts.ts'
import css from './workbench.module.css'

type KeepDialogProps = {
  readonly finding: CheckFinding
  readonly onKeep: (reason: string) => void
  readonly onClose: () => void
}

export function KeepDialog({ finding, onKeep, onClose }: KeepDialogProps) {
  const t = useWords<Key>('workbench')
  const sentence = useSentence()
  const [reason, setReason] = useState('')
  return (
    <Dialog
      title={t('keepTitle')}
      act={t('keep')}
      refusal={reason.trim() ? undefined : t('keepWhy')}
      onAct={() => onKeep(reason.trim())}
      onClose={onClose}
    >
      <p>
        <bdi>{sentence(finding)}</bdi>
      </p>
      <label className={css.field}>
        <span>{t('keepReason')}</span>
        <input
          data-autofocus
          dir="auto"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
    </Dialog>
  )
}
