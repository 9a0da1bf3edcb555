/**
 * The signature of an attempt, step by step: what is signed, with which secrets, and why the
 * receiver's value differs. The hub compares them; no secret and no valid signature is sent to the
 * browser.
 */
import type { SentDelivery, SignatureCheck } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Glyph } from '../../look/glyphs.tsx'
import { Pill } from '../../look/states.tsx'
import { useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { Button } from '../controls.tsx'
import css from '../delivery.module.css'
import { Moment } from '../moment.tsx'
import { Panel } from '../page.tsx'
import { Shown } from '../said.tsx'
import { useAttempt } from './delivery-attempts.tsx'
import { type DeliveryKey, useDeliveryWords } from './delivery-words.ts'

export function DeliverySignature({ delivery }: { readonly delivery: SentDelivery }) {
  const t = useDeliveryWords()
  const [attempt] = useAttempt(delivery)
  const [typed, type] = useState('')
  const [pasted, paste] = useState('')
  const found = useCall(
    'verifyDelivery',
    {
      params: { deliveryId: delivery.deliveryId },
      body: { ...(attempt && { attempt: attempt.number }), ...(pasted && { signature: pasted }) },
    },
    { enabled: attempt !== undefined },
  )
  if (!attempt) return null
  return (
    <Panel title={t('signature')} beside={found.data && <SignaturePill check={found.data} />}>
      <Shown of={found} rows={3}>
        {(check) =>
          check.signed ? (
            <ol className={css.steps}>
              <Step number={1} title={t('step1')}>
                <Signed delivery={delivery} check={check} />
              </Step>
              <Step number={2} title={t('step2')}>
                <Secrets check={check} />
              </Step>
              <Step number={3} title={t('step3')}>
                <form
                  className={css.paste}
                  onSubmit={(event) => {
                    event.preventDefault()
                    paste(typed.trim())
                  }}
                >
                  <input
                    value={typed}
                    dir="ltr"
                    aria-label={t('step3')}
                    placeholder="v1,…"
                    maxLength={2_000}
                    spellCheck={false}
                    autoComplete="off"
                    onChange={(event) => type(event.target.value)}
                    onPaste={(event) =>
                      paste(event.clipboardData.getData('text').trim().slice(0, 2_000))
                    }
                  />
                  <Button small type="submit">
                    {t('check')}
                  </Button>
                </form>
                {pasted !== '' && !found.isPlaceholderData && <Judged check={check} />}
              </Step>
            </ol>
          ) : (
            <p className="mut">{t('unsigned')}</p>
          )
        }
      </Shown>
    </Panel>
  )
}

function Step({
  number,
  title,
  children,
}: {
  readonly number: number
  readonly title: string
  readonly children: React.ReactNode
}) {
  const writers = useWriters()
  return (
    <li>
      <p className={css.step}>
        <span className={css.number}>{writers.number(number)}</span>
        <b>{title}</b>
      </p>
      {children}
    </li>
  )
}

function SignaturePill({ check }: { readonly check: SignatureCheck }) {
  const t = useDeliveryWords()
  if (!check.signed) return <Pill look="review">{t('notSigned')}</Pill>
  return (
    <Pill look="approved" glyph="approved">
      {t('signedWith', { count: check.secrets.length })}
    </Pill>
  )
}

/** The three parts in the order in which they are joined, with their bytes. */
function Signed({
  delivery,
  check,
}: {
  readonly delivery: SentDelivery
  readonly check: SignatureCheck
}) {
  const t = useDeliveryWords()
  const writers = useWriters()
  const { id, timestamp, bytes } = check
  if (timestamp === undefined) return <p className="mut">{t('headersGone')}</p>
  const body = delivery.body ?? ''
  return (
    <>
      <p className={css.signed} dir="ltr">
        <span title="webhook-id">{id}</span>
        <b>.</b>
        <span title="webhook-timestamp">{timestamp}</span>
        <b>.</b>
        <span title={t('body')}>{body.length > 160 ? `${body.slice(0, 160)}…` : body}</span>
      </p>
      <p className="meta dim">{t('bytesSigned', { bytes: writers.number(bytes ?? 0) })}</p>
    </>
  )
}

function Secrets({ check: { secrets, secret } }: { readonly check: SignatureCheck }) {
  const t = useDeliveryWords()
  return (
    <ul className={css.secrets}>
      {secrets.map(({ until }, at) => {
        const number = at + 1
        return (
          <li key={number}>
            <Glyph name={secret === number ? 'approved' : 'key'} size={14} />
            <span>
              {t('secretOf', { number, count: secrets.length })}
              {until ? (
                <>
                  {', '}
                  {t.rich('signsUntil', { when: () => <Moment at={until} as="relative" /> })}
                </>
              ) : (
                secrets.length > 1 && `, ${t('currentSecret')}`
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function Judged({
  check: { verdict, mistakes, secret, secrets },
}: {
  readonly check: SignatureCheck
}) {
  const t = useDeliveryWords()
  if (verdict === 'VALID')
    return (
      <p role="status" className={`${css.judged} approved`}>
        <Glyph name="approved" size={14} />
        {t('valid', { number: secret ?? 1, count: secrets.length })}
      </p>
    )
  return (
    <div role="status" className={`${css.judged} rejected`}>
      <Glyph name="error" size={14} />
      <div>
        <p>
          {t(
            verdict === 'MISTAKE'
              ? 'differsBecause'
              : verdict === 'NOT_A_SIGNATURE'
                ? 'notASignature'
                : 'unknownMistake',
          )}
        </p>
        {mistakes.length > 0 && (
          <ul>
            {mistakes.map((mistake) => (
              <li key={mistake}>{t(`mistake.${mistake}` satisfies DeliveryKey)}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
