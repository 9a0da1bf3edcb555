/** A dialog with one question: what will happen, and two buttons. */
import type { ReactNode } from 'react'
import type { HubFailure } from '../hub.ts'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'
import { Button } from './controls.tsx'
import css from './dialog.module.css'
import { Modal } from './modal.tsx'
import { Refused } from './said.tsx'

type DialogProps = {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** The label of the button that acts; without it the dialog only shows something. */
  readonly act?: string
  readonly onAct?: () => void
  readonly kind?: 'main' | 'danger'
  readonly busy?: boolean
  readonly refusal?: string | undefined
  readonly failure?: HubFailure | null
  readonly wide?: boolean
}

export function Dialog({
  title,
  onClose,
  children,
  act,
  onAct,
  kind = 'main',
  busy,
  refusal,
  failure,
  wide,
}: DialogProps) {
  const t = useWords<keyof typeof en>('parts')
  return (
    <Modal title={title} onClose={onClose} {...(wide && { size: 'wide' as const })}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy && refusal === undefined) onAct?.()
        }}
      >
        {children}
        <Refused failure={failure} withCode />
        <div className={wide ? `${css.acts} ${css.foot}` : css.acts}>
          <Button onClick={onClose}>{act ? t('cancel') : t('close')}</Button>
          {act && (
            <Button
              type="submit"
              kind={kind}
              busy={busy ?? false}
              refusal={refusal}
              data-autofocus={kind === 'main' || undefined}
            >
              {act}
            </Button>
          )}
        </div>
      </form>
    </Modal>
  )
}
