/**
 * The attempts of a delivery as tabs: what was answered, and what differs from the previous
 * attempt.
 */
import type { SentDelivery } from '@dragoman/contract/wire'
import { Glyph } from '../../look/glyphs.tsx'
import { useSearchState } from '../../search.ts'
import { useWriters } from '../../times.ts'
import css from '../delivery.module.css'
import { Moment } from '../moment.tsx'
import { Code, Panel } from '../page.tsx'
import { type Difference, differencesOf } from './delivery-difference.ts'
import { useDeliveryWords } from './delivery-words.ts'

type Attempt = SentDelivery['attempts'][number]
const isGood = ({ responseCode }: Attempt): boolean =>
  responseCode !== undefined && responseCode >= 200 && responseCode < 300

/** The attempt in the URL, or the last one. */
export function useAttempt({
  attempts,
}: Pick<SentDelivery, 'attempts'>): [Attempt | undefined, (number: number) => void] {
  const [{ attempt: asked }, change] = useSearchState()
  const chosen = attempts.find(({ number }) => String(number) === asked) ?? attempts.at(-1)
  return [chosen, (number) => change({ attempt: String(number) })]
}

export function DeliveryAttempts({ delivery }: { readonly delivery: SentDelivery }) {
  const t = useDeliveryWords()
  const writers = useWriters()
  const [chosen, choose] = useAttempt(delivery)
  const { attempts, nextAttemptTime, state } = delivery
  const before = chosen && attempts.find(({ number }) => number === chosen.number - 1)
  return (
    <Panel
      title={t('attempts')}
      beside={<span className="meta dim">{writers.number(attempts.length)}</span>}
    >
      {attempts.length > 0 && (
        <div className={css.tabs} role="tablist" aria-label={t('attempts')}>
          {attempts.map((attempt) => (
            <button
              key={attempt.number}
              type="button"
              role="tab"
              id={`attempt-${attempt.number}`}
              aria-controls="attempt"
              aria-selected={attempt === chosen}
              tabIndex={attempt === chosen ? 0 : -1}
              onClick={() => choose(attempt.number)}
              onKeyDown={(event) => {
                const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
                const to =
                  attempts[attempts.indexOf(attempt) + (document.dir === 'rtl' ? -step : step)]
                if (!step || !to) return
                choose(to.number)
                document.getElementById(`attempt-${to.number}`)?.focus()
              }}
            >
              <Glyph name={isGood(attempt) ? 'approved' : 'error'} size={12} />
              {writers.number(attempt.number)}
            </button>
          ))}
        </div>
      )}
      {chosen && (
        <div
          role="tabpanel"
          id="attempt"
          aria-labelledby={`attempt-${chosen.number}`}
          className={css.attempt}
        >
          <p className={css.line}>
            <Moment at={chosen.attemptTime} />
            <b className={isGood(chosen) ? css.good : css.bad}>
              {chosen.responseCode === undefined ? t('noAnswer') : chosen.responseCode}
            </b>
            <span className="dim num">{writers.duration(chosen.durationMs)}</span>
          </p>
          {chosen.error && (
            <p className="meta mut">
              <bdi>{chosen.error}</bdi>
            </p>
          )}
          {chosen.answer !== undefined && (
            <Code
              text={chosen.answer === '' ? t('emptyAnswer') : chosen.answer}
              label={t('answer')}
            />
          )}
          {before && <Differences of={differencesOf(before, chosen)} number={before.number} />}
        </div>
      )}
      {nextAttemptTime && state === 'PENDING' && (
        <p className={css.line}>
          <Glyph name="clock" size={14} />
          <Moment at={nextAttemptTime} />
          <span className="dim">
            {t.rich('nextIn', { when: () => <Moment at={nextAttemptTime} as="relative" /> })}
          </span>
        </p>
      )}
      {attempts.length === 0 && <p className="mut">{t('noAttempt')}</p>}
    </Panel>
  )
}

function Differences({
  of,
  number,
}: {
  readonly of: readonly Difference[]
  readonly number: number
}) {
  const t = useDeliveryWords()
  const title = t('differs', { number })
  if (of.length === 0) return <p className="meta dim">{t('sameAs', { number })}</p>
  return (
    <details className={css.more}>
      <summary>{title}</summary>
      <dl className={css.differences}>
        {of.map(({ name, from, to }) => (
          <div key={name}>
            <dt>
              <bdi>
                {name === 'answer' ? t('answer') : name === 'responseCode' ? t('code') : name}
              </bdi>
            </dt>
            <dd>
              <del dir="ltr">{from || '–'}</del>
              <ins dir="ltr">{to || '–'}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
