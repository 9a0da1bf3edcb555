/** Shows a secret, once. The dialog closes only when the person confirms that it was copied. */
import { useState } from 'react'
import { Copy } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField } from '../../parts/fields.tsx'
import { Moment } from '../../parts/moment.tsx'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import css from './access.module.css'

export function SecretDialog({
  clientId,
  secret,
  oldUntil,
  onClose,
}: {
  readonly clientId: string
  readonly secret: string
  readonly oldUntil?: string
  readonly onClose: () => void
}) {
  const t = useWords<keyof typeof en>('access')
  const [isKept, setKept] = useState(false)
  return (
    <Dialog
      title={t('secretOf', { client: clientId })}
      act={t('done')}
      refusal={isKept ? undefined : t('copyFirst')}
      onAct={onClose}
      onClose={() => isKept && onClose()}
    >
      <p>{t('shownOnce')}</p>
      <div className={css.secret}>
        <code dir="ltr">{secret}</code>
        <Copy text={secret} label={t('copySecret')} small={false}>
          {t('copySecret')}
        </Copy>
      </div>
      {oldUntil && (
        <p className="mut">
          {t('oldUntil')} <Moment at={oldUntil} />
        </p>
      )}
      <CheckField label={t('isKept')} checked={isKept} onChange={setKept} />
    </Dialog>
  )
}

/** A link that opens the console once; it is shown once. */
export function LinkDialog({
  name,
  link,
  until,
  onClose,
}: {
  readonly name: string
  readonly link: string
  readonly until: string
  readonly onClose: () => void
}) {
  const t = useWords<keyof typeof en>('access')
  return (
    <Dialog title={t('linkFor', { name })} onClose={onClose}>
      <p>{t('linkBody')}</p>
      <div className={css.secret}>
        <code dir="ltr">{link}</code>
        <Copy text={link} label={t('copyLink')} small={false}>
          {t('copyLink')}
        </Copy>
      </div>
      <p className="mut">
        {t('linkEnds')} <Moment at={until} />
      </p>
    </Dialog>
  )
}
