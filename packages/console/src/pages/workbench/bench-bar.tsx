/** Above the rows: the filters with their counts, the search, and how much is done. */
import { Glyph } from '../../look/glyphs.tsx'
import { Chip, Chips } from '../../parts/controls.tsx'
import { useSearchState } from '../../search.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { type Filter, filters } from './filters.ts'
import type { Key } from './texts.ts'
import type { Segments } from './use-segments.ts'
import css from './workbench.module.css'

type BarProps = {
  readonly segments: Pick<Segments, 'all' | 'count' | 'words'>
  readonly filter: Filter
  readonly done: number
  /** Behind figures of a list that is not read to its end. */
  readonly plus: string
}

export function BenchBar({ segments: { all, count, words }, filter, done, plus }: BarProps) {
  const t = useWords<Key>('workbench')
  const writers = useWriters()
  const [search, change] = useSearchState()
  return (
    <div className={css.bar}>
      <Chips label={t('filters')}>
        {filters.map((name) => (
          <Chip
            key={name}
            pressed={name === filter}
            onPress={() => change({ filter: name === 'all' ? undefined : name })}
          >
            {t(`filter.${name}`)}{' '}
            {filter === 'all' || name === filter ? writers.number(count(name)) + plus : ''}
          </Chip>
        ))}
      </Chips>
      <label className={css.search}>
        <Glyph name="find" size={14} />
        <input
          type="search"
          placeholder={t('find')}
          aria-label={t('find')}
          defaultValue={search.text ?? ''}
          onKeyDown={(event) =>
            event.key === 'Enter' && change({ text: event.currentTarget.value })
          }
          onBlur={(event) =>
            event.currentTarget.value !== (search.text ?? '') &&
            change({ text: event.currentTarget.value })
          }
        />
      </label>
      <span className={css.progress}>
        <progress aria-label={t('progress')} value={done} max={Math.max(1, all.length)} />
        {t('progressWords', {
          done,
          all: all.length,
          doneWords: words.done,
          words: words.all,
          plus,
        })}
      </span>
    </div>
  )
}
