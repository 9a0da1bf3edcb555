/**
 * The signing secrets, and a new one: generated here, shown once. The old one stays valid beside it
 * for a day.
 */
import { useState } from 'react'
import { useNow } from '../../clock.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { Button, Copy } from '../../parts/controls.tsx'
import { useDeliveryWords } from '../../parts/deliveries/delivery-words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Code, Panel } from '../../parts/page.tsx'
import type { SeenListener } from '../../parts/seen-listeners.ts'
import { useWriters } from '../../times.ts'
import { useChange } from './acts.ts'
import css from './listeners.module.css'
import { useListenersWords } from './words.ts'

type SecretsProps = {
  readonly seen: SeenListener
  /** Until when each replaced secret is still used to sign. */
  readonly oldSecrets: readonly string[]
  readonly refusal: string | undefined
}

export function Secrets({ seen, oldSecrets, refusal }: SecretsProps) {
  const t = useListenersWords()
  const d = useDeliveryWords()
  const [isAsked, ask] = useState(false)
  const count = oldSecrets.length + 1
  return (
    <Panel
      title={t('secrets')}
      beside={
        <Button small glyph="key" refusal={refusal} onClick={() => ask(true)}>
          {t('rotate')}
        </Button>
      }
    >
      <ul className={css.secrets}>
        <li>
          <Glyph name="key" size={14} />
          {d('secretOf', { number: 1, count })}
          {count > 1 && `, ${d('currentSecret')}`}
        </li>
        {oldSecrets.map((until, at) => (
          <li key={until}>
            <Glyph name="clock" size={14} />
            {d('secretOf', { number: at + 2, count })}, <Countdown until={until} />
          </li>
        ))}
      </ul>
      {isAsked && <Rotate seen={seen} onClose={() => ask(false)} />}
    </Panel>
  )
}

function Countdown({ until }: { readonly until: string }) {
  const t = useListenersWords()
  const writers = useWriters()
  const left = Math.max(0, Date.parse(until) - useNow())
  return (
    <time dateTime={until} title={until}>
      {t('signsFor', { duration: writers.duration(left) })}
    </time>
  )
}

function Rotate({ seen, onClose }: { readonly seen: SeenListener; readonly onClose: () => void }) {
  const t = useListenersWords()
  const change = useChange(seen)
  const [secret] = useState(newSecret)
  if (change.data) return <ShownSecret secret={secret} onClose={onClose} />
  return (
    <Dialog
      title={t('rotateTitle')}
      onClose={onClose}
      act={t('rotate')}
      busy={change.isPending}
      failure={change.error}
      onAct={() => change.mutate({ secret })}
    >
      <p>{t('rotateSays')}</p>
    </Dialog>
  )
}

/** The only time a secret is shown. */
export function ShownSecret({
  secret,
  onClose,
}: {
  readonly secret: string
  readonly onClose: () => void
}) {
  const t = useListenersWords()
  return (
    <Dialog title={t('secretOnce')} onClose={onClose}>
      <p>{t('secretOnceSays')}</p>
      <Code text={secret} label={t('secretOnce')} />
      <div>
        <Copy text={secret} label={t('copySecret')}>
          {t('copySecret')}
        </Copy>
      </div>
    </Dialog>
  )
}

/** 32 random bytes, in the same form as the hub's own secrets. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
