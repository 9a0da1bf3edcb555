/**
 * The overview: how many jobs are late, due soon, with errors, or waiting for review. Each number
 * is a filter.
 */
import { Glyph, type GlyphName } from '../../look/glyphs.tsx'
import type { Search } from '../../search.ts'
import type en from '../../words/en/jobs.json'
import { useWords } from '../../words/words.ts'
import { type Chosen, type Mark, toggled } from './filters.ts'
import css from './jobs.module.css'
import { useCounts } from './use-counts.ts'

type Tile = {
  readonly mark: Mark
  readonly count: 'late' | 'dueSoon' | 'withErrors' | 'inReview'
} & {
  readonly glyph: GlyphName
  readonly look: string
}
const tiles: readonly Tile[] = [
  { mark: 'late', count: 'late', glyph: 'clock', look: 'rejected' },
  { mark: 'soon', count: 'dueSoon', glyph: 'clock', look: 'sent' },
  { mark: 'errors', count: 'withErrors', glyph: 'error', look: 'rejected' },
  { mark: 'review', count: 'inReview', glyph: 'review', look: 'review' },
]

export function Counts({
  chosen,
  change,
}: {
  readonly chosen: Chosen
  readonly change: (some: Search) => void
}) {
  const t = useWords<keyof typeof en>('jobs')
  const data = useCounts()
  if (!data) return null
  return (
    <fieldset className={css.counts} aria-label={t('counts')}>
      {tiles.map(({ mark, count, glyph, look }) => (
        <button
          key={mark}
          type="button"
          className={`${css.count} ${data[count] > 0 ? look : css.calm}`}
          aria-pressed={chosen.is.includes(mark)}
          onClick={() => change({ is: toggled(chosen.is, mark), view: undefined })}
        >
          <Glyph name={glyph} size={14} />
          {t.rich(`count.${mark}` as 'count.late', {
            count: data[count],
            more: data.atLeast.includes(count) ? '+' : '',
            b: (inside) => <b>{inside}</b>,
          })}
        </button>
      ))}
    </fieldset>
  )
}
