/**
 * What fails now, grouped: how many, why, to whom, since when; each group with its action. Keys 1
 * to 9 trigger the actions.
 */
import type { DeliveryCause } from '@dragoman/contract/wire'
import type { UseQueryResult } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import type { HubFailure } from '../../hub.ts'
import { useKeys } from '../../keys.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { Button } from '../../parts/controls.tsx'
import { adviceIn, causeIn, useDeliveryWords } from '../../parts/deliveries/delivery-words.ts'
import { Moment } from '../../parts/moment.tsx'
import { Shown } from '../../parts/said.tsx'
import { type SeenListener, shortOf } from '../../parts/seen-listeners.ts'
import { useWriters } from '../../times.ts'
import css from './deliveries.module.css'
import { useDeliveriesWords } from './words.ts'

type CausesProps = {
  readonly causes: UseQueryResult<{ causes: DeliveryCause[] }, HubFailure>
  readonly listeners: readonly SeenListener[]
  readonly onReplay: (cause: DeliveryCause) => void
  readonly onShow: (cause: DeliveryCause) => void
}
const shownFirst = 4

export function Causes({ causes, listeners, onReplay, onShow }: CausesProps) {
  const t = useDeliveriesWords()
  const [all, showAll] = useState(false)
  const found = causes.data?.causes ?? []
  useKeys(
    found.slice(0, 9).map((cause, at) => ({
      keys: String(at + 1),
      says: t('replayCause', { number: at + 1, count: cause.count }),
      act: () => onReplay(cause),
    })),
  )
  const shown = all ? found : found.slice(0, shownFirst)
  return (
    <section className={css.causes} aria-label={t('failing')}>
      <h2>{t('failing')}</h2>
      <Shown of={causes} rows={2}>
        {() =>
          found.length === 0 ? (
            <p className={css.fine}>
              <Glyph name="approved" size={16} />
              {t('allArrive')}
            </p>
          ) : (
            <>
              <ul>
                {shown.map((cause, at) => (
                  <Cause
                    key={`${cause.listenerId} ${cause.responseCode} ${cause.error}`}
                    cause={cause}
                    number={at + 1}
                    listener={listeners.find(({ listenerId }) => listenerId === cause.listenerId)}
                    onReplay={() => onReplay(cause)}
                    onShow={() => onShow(cause)}
                  />
                ))}
              </ul>
              {found.length > shown.length && (
                <Button kind="quiet" small glyph="down" onClick={() => showAll(true)}>
                  {t('moreCauses', { count: found.length - shown.length })}
                </Button>
              )}
            </>
          )
        }
      </Shown>
    </section>
  )
}

type CauseProps = {
  readonly cause: DeliveryCause
  readonly number: number
  readonly listener: SeenListener | undefined
  readonly onReplay: () => void
  readonly onShow: () => void
}

function Cause({ cause, number, listener, onReplay, onShow }: CauseProps) {
  const t = useDeliveriesWords()
  const d = useDeliveryWords()
  const writers = useWriters()
  const [isOpen, open] = useState(false)
  const id = useId()
  const { count, host, error, firstTime } = cause
  const isDisabled = listener?.listener.disabled ?? false
  return (
    <li className={css.cause}>
      <b className={css.many}>{writers.number(count)}</b>
      <p className={css.why}>
        <button type="button" className={css.show} onClick={onShow} title={t('showThese')}>
          <bdi>{causeIn(d, cause, host)}</bdi>
        </button>
        {listener && (
          <span className={css.whose}>
            {t('listener')}{' '}
            <Link
              href={`/listeners/${encodeURIComponent(listener.listenerId)}`}
              title={listener.urls.join('\n')}
            >
              <bdi dir="ltr">{listener.urls.map(shortOf).join(', ')}</bdi>
            </Link>
            {listener.clientId && (
              <>
                , <bdi>{listener.clientId}</bdi>
              </>
            )}
          </span>
        )}
        <span className="dim">
          {t.rich('since', { when: () => <Moment at={firstTime} as="near" /> })}
        </span>
        {isDisabled && <span className={css.warn}>{t('listenerDisabled')}</span>}
      </p>
      <span className={css.acts}>
        <Button
          kind="quiet"
          small
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => open(!isOpen)}
        >
          {t('whatToDo')}
        </Button>
        <Button small glyph="again" onClick={onReplay}>
          {isDisabled ? t('enableAndSend', { count }) : t('replayCount', { count })}
          {number < 10 && <kbd className={css.key}>{number}</kbd>}
        </Button>
      </span>
      <div id={id} hidden={!isOpen} className={css.todo}>
        <p>
          {isDisabled && cause.responseCode !== 410 ? `${t('disabledDo')} ` : ''}
          {adviceIn(d, cause)}
        </p>
        {error && (
          <p className="meta dim">
            <bdi>{error}</bdi>
          </p>
        )}
      </div>
    </li>
  )
}
