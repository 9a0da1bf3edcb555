/**
 * One rule: how many things it concerns, what to do about them, and the oldest of them, each with
 * its action.
 */
import type { Finding, OpenCounts } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Glyph } from '../../look/glyphs.tsx'
import { Button } from '../../parts/controls.tsx'
import { Failed, Loading } from '../../parts/said.tsx'
import { usePages } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { FindingRow } from './finding.tsx'
import css from './health.module.css'
import type { Key } from './part.ts'

/** Shown before a person asks for all. */
const few = 5

type CardProps = {
  readonly counted: NonNullable<OpenCounts['findingRules']>[number]
  readonly onRemedy: (finding: Finding) => void
}

export function RuleCard({ counted: { rule, severity, count }, onRemedy }: CardProps) {
  const t = useWords<Key>('health')
  const writers = useWriters()
  const [isWhole, setWhole] = useState(false)
  const { items, hasMore, isLoading, isFetching, failure, loadMore, reload } = usePages(
    'listFindings',
    {
      query: { rule: [rule] },
    },
  )
  const shown = isWhole ? items : items.slice(0, few)
  const isError = severity === 'error'
  return (
    <section className={`${css.rule} ${isError ? css.error : ''}`} aria-labelledby={`rule-${rule}`}>
      <span className={css.mark}>
        <Glyph name={isError ? 'error' : 'clock'} label={t(severity)} />
      </span>
      <h3 id={`rule-${rule}`}>
        {t(`rule.${rule}`)}
        <span>{t('concerns', { count })}</span>
      </h3>
      <p className={css.advice}>{t(`advice.${rule}`)}</p>
      {isLoading ? (
        <Loading rows={1} />
      ) : failure && items.length === 0 ? (
        <Failed failure={failure} retry={reload} />
      ) : (
        <ul className={css.things}>
          {shown.map((finding) => (
            <FindingRow
              key={finding.findingId}
              finding={finding}
              onRemedy={() => onRemedy(finding)}
            />
          ))}
        </ul>
      )}
      {(isWhole ? hasMore : items.length > few) && (
        <div className={css.acts}>
          <Button
            small
            busy={isWhole && isFetching}
            onClick={() => (isWhole ? loadMore() : setWhole(true))}
          >
            {t('showAll', { count: writers.number(count) })}
          </Button>
        </div>
      )}
    </section>
  )
}
