/** Goes to a segment by its number. */
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { useWords } from '../../words/words.ts'
import type { Key } from './texts.ts'
import css from './workbench.module.css'

export function GoTo({
  onGo,
  onClose,
}: {
  readonly onGo: (position: number) => void
  readonly onClose: () => void
}) {
  const t = useWords<Key>('workbench')
  const [position, setPosition] = useState('')
  return (
    <Dialog
      title={t('key.goTo')}
      act={t('go')}
      refusal={/^[1-9]\d*$/.test(position) ? undefined : t('goToNumber')}
      onAct={() => onGo(Number(position))}
      onClose={onClose}
    >
      <label className={css.field}>
        <span>{t('position')}</span>
        <input
          data-autofocus
          inputMode="numeric"
          value={position}
          onChange={({ target }) => setPosition(target.value)}
        />
      </label>
    </Dialog>
  )
}
