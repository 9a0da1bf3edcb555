/** Sends a sample to the listener and shows its response. */
import { Link } from 'wouter'
import { Glyph } from '../../look/glyphs.tsx'
import { Button } from '../../parts/controls.tsx'
import { adviceIn, causeIn, useDeliveryWords } from '../../parts/deliveries/delivery-words.ts'
import { Code, Panel } from '../../parts/page.tsx'
import { Refused } from '../../parts/said.tsx'
import type { SeenListener } from '../../parts/seen-listeners.ts'
import { useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { useTest } from './acts.ts'
import css from './listeners.module.css'
import { useListenersWords } from './words.ts'

export function Test({
  seen,
  refusal,
}: {
  readonly seen: SeenListener
  readonly refusal: string | undefined
}) {
  const t = useListenersWords()
  const test = useTest(seen)
  return (
    <Panel
      title={t('test')}
      beside={
        <Button small glyph="play" refusal={refusal} busy={test.isPending} onClick={test.mutate}>
          {t('sendSample')}
        </Button>
      }
    >
      {test.error ? (
        <Refused failure={test.error} withCode />
      ) : test.data ? (
        <Result key={test.data.deliveryId} deliveryId={test.data.deliveryId} host={seen.host} />
      ) : (
        <p className="mut">{t('testSays')}</p>
      )}
    </Panel>
  )
}

const againMs = 400

function Result({ deliveryId, host }: { readonly deliveryId: string; readonly host: string }) {
  const t = useListenersWords()
  const d = useDeliveryWords()
  const writers = useWriters()
  const params = { deliveryId }
  const first = useCall('findDelivery', { params }, { keepOld: false })
  const isOpen = (first.data?.attempts.length ?? 0) === 0
  useCall(
    'findDelivery',
    { params },
    { enabled: isOpen, refetchInterval: isOpen ? againMs : false },
  )
  const attempt = first.data?.attempts.at(-1)
  if (!attempt) return <p role="status">{t('testWaits')}</p>
  const { responseCode, durationMs, answer } = attempt
  const isGood = responseCode !== undefined && responseCode >= 200 && responseCode < 300
  return (
    <div className={css.result} role="status">
      <p className={isGood ? css.good : css.bad}>
        <Glyph name={isGood ? 'approved' : 'error'} size={14} />
        <b>
          {isGood
            ? t('testGood', { code: String(responseCode), duration: writers.duration(durationMs) })
            : causeIn(d, attempt, host)}
        </b>
      </p>
      {!isGood && <p className="mut">{adviceIn(d, attempt)}</p>}
      {answer && <Code text={answer} label={d('answer')} />}
      <Link href={`/deliveries/${deliveryId}`}>{t('openDelivery')}</Link>
    </div>
  )
}
