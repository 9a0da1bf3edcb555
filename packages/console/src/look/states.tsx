/** The states of jobs and requests: glyph first, word second, colour third. */
import type { JobStatus, RequestStatus } from '@dragoman/contract/wire'
import type en from '../words/en/states.json'
import { useWords } from '../words/words.ts'
import { Glyph, type GlyphName } from './glyphs.tsx'
import css from './states.module.css'

export type Status = JobStatus | RequestStatus

/** The glyph of a state is also the class of its colours (tokens.css). */
export const looks: Readonly<Record<Status, GlyphName>> = {
  CREATED: 'created',
  SENDING: 'sending',
  SENT_TO_PROVIDER: 'sent',
  IN_TRANSLATION: 'translating',
  REVIEW_TRANSLATION: 'review',
  TRANSLATION_APPROVED: 'approved',
  TRANSLATION_REJECTED: 'rejected',
  COMPLETED: 'approved',
  CANCELLED: 'cancelled',
}

export function useStateWord(): (status: Status) => string {
  const t = useWords<keyof typeof en>('states')
  return (status) => t(status)
}

/**
 * As the desk shows an asset task: in translation once somebody has claimed it, whatever its
 * provider has reported.
 */
export function deskStatus(statusCode: string, isClaimed: boolean): Status {
  if (statusCode === 'TRANSLATION_SUBMITTED') return 'REVIEW_TRANSLATION'
  if (statusCode === 'SENDING' || statusCode === 'SENT_TO_PROVIDER')
    return isClaimed ? 'IN_TRANSLATION' : 'SENT_TO_PROVIDER'
  return statusCode as Status
}

export function StatePill({ status }: { readonly status: Status }) {
  const word = useStateWord()
  return (
    <Pill look={looks[status]} glyph={looks[status]}>
      {word(status)}
    </Pill>
  )
}

type PillProps = {
  readonly look: string
  readonly glyph?: GlyphName
  readonly children: React.ReactNode
}

/** A word on a tinted background: `look` is one of the colour classes of tokens.css. */
export function Pill({ look, glyph, children }: PillProps) {
  return (
    <span className={`${css.pill} ${look}`}>
      {glyph && <Glyph name={glyph} size={14} />}
      <span>{children}</span>
    </span>
  )
}
