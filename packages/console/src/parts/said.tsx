/**
 * The states of a view other than its content: empty, loading, failed, forbidden. The rest of the
 * page keeps working.
 */
import { type ReactNode, useEffect, useState } from 'react'
import type { HubFailure } from '../hub.ts'
import { isOfAway, useCountdown, useHubBack } from '../live/hub-back.ts'
import { Glyph, type GlyphName } from '../look/glyphs.tsx'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'
import { Button, Copy } from './controls.tsx'
import css from './said.module.css'

/** Says why there is nothing, and the next step. */
export function Empty({
  glyph = 'find',
  title,
  children,
}: {
  readonly glyph?: GlyphName
  readonly title: string
  readonly children?: ReactNode
}) {
  return (
    <div className={css.said}>
      <Glyph name={glyph} size={24} />
      <p className={css.title}>{title}</p>
      {children && <div className={css.body}>{children}</div>}
    </div>
  )
}

/**
 * The hub's sentence, its code and traceId, and a retry button. A missing role is explained, not
 * retried. A hub that is away, and one that refuses calls for a while, are asked again without a
 * click.
 */
export function Failed({
  failure,
  retry,
}: {
  readonly failure: HubFailure
  readonly retry?: () => void
}) {
  const t = useWords<keyof typeof en>('parts')
  const isForbidden = failure.status === 403
  const isAway = isOfAway(failure)
  const isRefused = failure.status === 429
  const isPassing = isAway || failure.status === 503
  const again = () => retry?.()
  useHubBack(isPassing && retry !== undefined, again)
  const seconds = useCountdown(isRefused && retry ? failure : undefined, again)
  const title = isAway
    ? 'unreachable'
    : isForbidden
      ? 'forbidden'
      : isRefused
        ? 'tooMany'
        : 'failed'
  return (
    <div className={css.said} role="alert">
      <Glyph name={isForbidden ? 'lock' : 'error'} size={24} />
      <p className={css.title}>{t(title)}</p>
      {!isAway && !isRefused && (
        <p className={css.body}>
          <bdi>{failure.message}</bdi>
        </p>
      )}
      {isPassing && retry && <p className={css.body}>{t('loadsItself')}</p>}
      {isRefused && <p className={css.body}>{t('tooManyBody')}</p>}
      {seconds !== undefined && (
        // Read once, with the alert: a number that counts down would be read every second.
        <p className={css.body} aria-live="off">
          {t('againIn', { seconds })}
        </p>
      )}
      <div className={css.row}>
        {!isAway && <code>{failure.code}</code>}
        {failure.traceId && (
          <Copy text={failure.traceId} label={t('copyTrace')}>
            <span className="mono">{failure.traceId}</span>
          </Copy>
        )}
        {retry && !isForbidden && (
          <Button small glyph="again" onClick={retry}>
            {t('retry')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Why a call was refused, beside what made it. */
export function Refused({
  failure,
  withCode,
}: {
  readonly failure: HubFailure | null | undefined
  readonly withCode?: true
}) {
  if (!failure) return null
  return (
    <p role="alert" className={css.refused}>
      <bdi>{failure.message}</bdi> {withCode && <code>{failure.code}</code>}
    </p>
  )
}

/** Placeholder bars of the size of the content, only if loading takes longer than 150 ms. */
export function Loading({ rows = 6 }: { readonly rows?: number }) {
  const t = useWords<keyof typeof en>('parts')
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={css.loading} aria-busy="true">
      <span className="unseen" role="status">
        {isLate ? t('loading') : ''}
      </span>
      {isLate && <div className={css.bars} style={{ blockSize: rows * 40 }} />}
    </div>
  )
}

type Read<T> = {
  readonly data: T | undefined
  readonly error: HubFailure | null
  readonly refetch: () => unknown
}

/** Shows the loaded data, or why there is none. */
export function Shown<T>({
  of,
  rows,
  children,
}: {
  readonly of: Read<T>
  readonly rows?: number
  readonly children: (data: T) => ReactNode
}) {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <Failed failure={of.error} retry={() => void of.refetch()} />
  return <Loading {...(rows !== undefined && { rows })} />
}
