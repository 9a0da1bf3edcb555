/**
 * Replays deliveries: a dry run says how many, a click sends them, and a bar shows the progress.
 */
import type { DeliveryCause, ReplayMode } from '@dragoman/contract/wire'
import { useEffect } from 'react'
import { hubNow } from '../../clock.ts'
import { GlyphButton } from '../../parts/controls.tsx'
import { causeIn, useDeliveryWords } from '../../parts/deliveries/delivery-words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Shown } from '../../parts/said.tsx'
import type { SeenListener } from '../../parts/seen-listeners.ts'
import { useAct, useCall } from '../../queries.ts'
import css from './deliveries.module.css'
import type { Filter } from './filter.ts'
import { useDeliveriesWords } from './words.ts'

export type ReplayWanted = {
  readonly mode: ReplayMode
  readonly filter: Filter
  readonly cause?: DeliveryCause
}
export type Sent = { readonly filter: Filter; readonly total: number; readonly until: string }

type ReplayDialogProps = {
  readonly asked: ReplayWanted
  readonly listeners: readonly SeenListener[]
  readonly onClose: () => void
  readonly onSent: (sent: Sent) => void
}

const changed = [
  'listSiteDeliveries',
  'listDeliveryCauses',
  'countDeliveries',
  'findDelivery',
] as const

export function ReplayDialog({ asked, listeners, onClose, onSent }: ReplayDialogProps) {
  const t = useDeliveriesWords()
  const d = useDeliveryWords()
  const { mode, filter, cause } = asked
  const dry = useCall(
    'replaySiteDeliveries',
    { body: { filter, mode, dryRun: true } },
    { keepOld: false },
  )
  const replay = useAct('replaySiteDeliveries', changed)
  const enable = useAct('changeListener', [...changed, 'listListeners'])
  const enableProvider = useAct('changeProviderListener', [...changed, 'listProviderListeners'])
  const listener = listeners.find(({ listenerId }) => listenerId === filter.listenerId)
  const isDisabled = listener?.listener.disabled === true
  // Counts again, because a cached count may be old.
  const { refetch } = dry
  useEffect(() => void refetch(), [refetch])
  const total = dry.data?.wouldReplay ?? 0
  const done = (count: number) => {
    const { listenerId, jobId, since } = filter
    const until = new Date(hubNow()).toISOString()
    const same = {
      ...(listenerId && { listenerId }),
      ...(jobId && { jobId }),
      ...(since && { since }),
    }
    onSent({ filter: same, total: count, until })
  }
  const send = () => {
    if (!isDisabled)
      return replay.mutate(
        { body: { filter, mode } },
        { onSuccess: ({ replayed = 0 }) => done(replayed) },
      )
    const act = listener.side === 'connector' ? enable : enableProvider
    act.mutate(
      { params: { listenerId: listener.listenerId }, body: { disabled: false } },
      { onSuccess: () => done(total) },
    )
  }
  const says = { failed: t('replayFailed'), missing: t('replayMissing'), all: t('replayAll') }
  const isReady = dry.data !== undefined && !dry.isFetching
  return (
    <Dialog
      title={cause ? causeIn(d, cause, cause.host) : says[mode]}
      onClose={onClose}
      act={isDisabled ? t('enableAndSend', { count: total }) : t('replayCount', { count: total })}
      onAct={send}
      busy={!isReady || replay.isPending || enable.isPending || enableProvider.isPending}
      refusal={isReady && total === 0 ? t('nothingToSend') : undefined}
      failure={replay.error ?? enable.error ?? enableProvider.error}
    >
      <Shown of={dry} rows={1}>
        {({ wouldReplay = 0, wouldFollow = 0 }) => (
          <div className={css.dry} role="status">
            <p>
              <b>{t('wouldSend', { count: wouldReplay })}</b>{' '}
              {wouldFollow > 0 && t('wouldFollow', { count: wouldFollow })}
            </p>
            <p className="mut">{t('orderKept')}</p>
            {wouldReplay > 1_000 && <p className="mut">{t('inBackground')}</p>}
            {isDisabled && <p className={css.warn}>{t('enableFirst')}</p>}
          </div>
        )}
      </Shown>
    </Dialog>
  )
}

/** Shows how many replayed deliveries still wait for their attempt, and how many fail again. */
export function Progress({ sent, onClose }: { readonly sent: Sent; readonly onClose: () => void }) {
  const t = useDeliveriesWords()
  const { total, filter, until } = sent
  const query = { ...filter, until, state: ['PENDING' as const, 'PARKED' as const] }
  const counts = useCall('countDeliveries', { query }, { refetchInterval: 1_000 })
  const waiting = Math.min(total, counts.data?.waiting ?? total)
  const failing = (counts.data?.retrying ?? 0) + (counts.data?.parked ?? 0)
  const isOver = counts.data !== undefined && waiting === 0
  return (
    <div className={css.progress} data-over={isOver}>
      <progress max={total} value={total - waiting} aria-label={t('progress')} />
      <p role="status">
        {isOver && failing === 0
          ? t('allSent', { count: total })
          : t('sentSoFar', { done: total - waiting, total, failing })}
      </p>
      <GlyphButton glyph="close" label={t('closeProgress')} onClick={onClose} />
    </div>
  )
}
