/** How large a text is, what of it the memory knows, and how much is done. */
import { useWriters } from '../../times.ts'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import css from './work.module.css'
import type { Work } from './works.ts'

/**
 * The words beside a bar with a part for each band, and the price below; the bands also in words
 * for those who do not see it.
 */
export function Size({ work: { words, matches = [], price } }: { readonly work: Work }) {
  const t = useWords<keyof typeof en>('work')
  const writers = useWriters()
  if (words === undefined)
    return (
      <span className="dim" title={t('notQuoted')}>
        –
      </span>
    )
  const parts = matches.filter((one) => one.words > 0)
  const said = parts.map((one) => t('band', one)).join('\n')
  return (
    <span className={css.two} title={said}>
      <span className={css.size}>
        <span className="num">{writers.number(words)}</span>
        {parts.length > 0 && (
          <span className={css.bands}>
            {parts.map(({ band, words: count }, at) => (
              <span
                key={band}
                style={{ flexGrow: count, opacity: 1 - (0.75 * at) / Math.max(1, parts.length) }}
              />
            ))}
          </span>
        )}
      </span>
      {price && (
        <span className="dim meta num">
          <bdi>{writers.money(price.amount, price.currency)}</bdi>
        </span>
      )}
      <span className="unseen">{said}</span>
    </span>
  )
}

export function Done({ work: { segments } }: { readonly work: Work }) {
  const t = useWords<keyof typeof en>('work')
  const writers = useWriters()
  if (!segments)
    return (
      <span className="dim" title={t('notCounted')}>
        –
      </span>
    )
  const done = segments.count - segments.open
  const said = t('segmentsDone', { done, count: segments.count })
  return (
    <span className={css.two} title={said}>
      <span className="num meta" aria-hidden="true">
        {writers.percent(Math.floor((100 * done) / Math.max(1, segments.count)) / 100)}
      </span>
      <progress
        className={css.progress}
        aria-label={said}
        value={done}
        max={Math.max(1, segments.count)}
      />
    </span>
  )
}
