/**
 * How many requests are in each state: segments with glyph, count and word, their width
 * proportional to their share.
 */
import type { RequestStatus } from '@dragoman/contract/wire'
import { Glyph } from '../../look/glyphs.tsx'
import { looks, useStateWord } from '../../look/states.tsx'
import type en from '../../words/en/parts.json'
import { useWords } from '../../words/words.ts'
import css from './state-bar.module.css'

const order: readonly RequestStatus[] = [
  'TRANSLATION_APPROVED',
  'REVIEW_TRANSLATION',
  'IN_TRANSLATION',
  'TRANSLATION_REJECTED',
  'SENT_TO_PROVIDER',
  'SENDING',
  'CREATED',
  'CANCELLED',
]
export type StateCounts = Readonly<Partial<Record<RequestStatus, number>>>

export function StateBar({
  counts,
  size = 'full',
}: {
  readonly counts: StateCounts
  readonly size?: 'full' | 'small'
}) {
  const t = useWords<keyof typeof en>('parts')
  const word = useStateWord()
  const present = order.filter((status) => (counts[status] ?? 0) > 0)
  const said = present.map((status) => `${counts[status]} ${word(status)}`).join(', ')
  if (present.length === 0) return null
  return (
    <div
      className={size === 'small' ? css.small : css.bar}
      role="img"
      aria-label={t('requestsByState', { states: said })}
      title={said}
    >
      {present.map((status) => (
        <span
          key={status}
          className={`${css.segment} ${looks[status]}`}
          style={{ flexGrow: counts[status] }}
        >
          {size === 'full' && (
            <>
              <Glyph name={looks[status]} size={14} />
              <b>{counts[status]}</b>
              <span>{word(status)}</span>
            </>
          )}
        </span>
      ))}
    </div>
  )
}
