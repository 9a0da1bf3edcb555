/** Sends an edited body to the receiver of a delivery, in the sandbox, to see how it reacts. */
import type { SentDelivery } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAct } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../controls.tsx'
import css from '../delivery.module.css'
import { Dialog } from '../dialog.tsx'
import { TextField } from '../fields.tsx'
import { isJson, readable } from '../json-lines.ts'
import { useDeliveryWords } from './delivery-words.ts'

export function ReplayEdited({ delivery }: { readonly delivery: SentDelivery }) {
  const t = useDeliveryWords()
  const { profile } = useSession()
  const [isOpen, open] = useState(false)
  const [sentAs, note] = useState<string>()
  if (profile !== 'sandbox' || delivery.body === undefined) return null
  return (
    <p className={css.edited}>
      <Button small glyph="again" onClick={() => open(true)}>
        {t('replayEdited')}
      </Button>
      {sentAs && (
        <span role="status">
          {t('editSent')} <Link href={`/deliveries/${sentAs}`}>{t('openEdited')}</Link>
        </span>
      )}
      {isOpen && (
        <EditDialog
          delivery={delivery}
          onClose={() => open(false)}
          onSent={(deliveryId) => {
            open(false)
            note(deliveryId)
          }}
        />
      )}
    </p>
  )
}

type EditProps = {
  readonly delivery: SentDelivery
  readonly onClose: () => void
  readonly onSent: (deliveryId: string) => void
}

function EditDialog({ delivery: { deliveryId, body = '' }, onClose, onSent }: EditProps) {
  const t = useDeliveryWords()
  const [text, type] = useState(() => readable(body))
  const send = useAct('sendEditedDelivery', [
    'listSiteDeliveries',
    'listDeliveryCauses',
    'countDeliveries',
  ])
  return (
    <Dialog
      wide
      title={t('editTitle')}
      onClose={onClose}
      act={t('send')}
      onAct={() =>
        send.mutate(
          { params: { deliveryId }, body: { body: text } },
          { onSuccess: (made) => onSent(made.deliveryId) },
        )
      }
      busy={send.isPending}
      refusal={text === '' ? t('editEmpty') : undefined}
      failure={send.error}
    >
      <TextField
        label={t('body')}
        value={text}
        onChange={type}
        mono
        rows={14}
        autoFocus
        help={isJson(text) ? t('editHelp') : t('editNotJson')}
      />
    </Dialog>
  )
}
