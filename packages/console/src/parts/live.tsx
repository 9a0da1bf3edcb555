/** Shows whether the page is live, and offers the rows that are waiting. */
import { useKeys } from '../keys.ts'
import type { Newer } from '../live/newer.ts'
import { useLiveness } from '../stream.ts'
import { useWriters } from '../times.ts'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'
import css from './live.module.css'

/** A green dot and "Live", for a page that updates by itself. */
export function LiveMark() {
  const t = useWords<keyof typeof en>('parts')
  const { isLive } = useLiveness()
  return isLive ? (
    <span className={css.live}>
      <span className={css.dot} aria-hidden="true" />
      {t('live')}
    </span>
  ) : null
}

/** "Not live since 09:41, reconnecting": in the shell, for all pages. */
export function StaleBar() {
  const t = useWords<keyof typeof en>('parts')
  const { shortClock } = useWriters()
  const { isLive, since } = useLiveness()
  return (
    <div role="status" className={css.stale}>
      {!isLive && since !== undefined && <p>{t('stale', { time: shortClock(since) })}</p>}
    </div>
  )
}

/** "12 newer, press .": at the bottom of a list, where it moves nothing when it appears. */
export function NewerBar({ newer: { count, isMore, show } }: { readonly newer: Newer }) {
  const t = useWords<keyof typeof en>('parts')
  useKeys(count > 0 ? [{ keys: '.', says: t('showNewer'), act: show }] : [])
  const key = isMore ? 'moreNewer' : 'newer'
  return (
    <span className={css.newer}>
      <span className="unseen" role="status">
        {count > 0 && t(key, { count })}
      </span>
      {count > 0 && (
        <button type="button" onClick={show}>
          {t.rich(key, { count, kbd: (inside) => <kbd>{inside}</kbd> })}
        </button>
      )}
    </span>
  )
}
