/**
 * How many calls match, and how many of them failed, by error code; each count is a filter. The hub
 * counts, not the page.
 */
import type { CallCounts } from '@dragoman/contract/wire'
import { useEffect } from 'react'
import { Chip, Chips } from '../../parts/controls.tsx'
import { useCall } from '../../queries.ts'
import type { Search } from '../../search.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/calls.json'
import { useWords } from '../../words/words.ts'
import css from './calls.module.css'
import { filterNames, filterOf } from './filters.tsx'

/** Codes that have their own chip. */
const maxCodes = 6

type CountsProps = {
  readonly search: Search
  readonly change: (some: Search) => void
  /** The newest call of the list: with another one the counts are read again. */
  readonly newest: string | undefined
}

export function Counts({ search, change, newest }: CountsProps) {
  const t = useWords<keyof typeof en>('calls')
  const writers = useWriters()
  const { status, code } = search
  const hasFilter = filterNames.some((name) => search[name])
  // What each chip would show: all filters but the one that the chips set.
  const all = useCounts({ ...search, status: undefined, code: undefined }, newest)
  const matching = useCounts(search, newest)
  if (!all) return <div className={css.counts} />
  const write = (counts: CallCounts, name: 'calls' | 'failed') =>
    writers.number(counts[name]) + (counts.atLeast.includes(name) ? '+' : '')
  return (
    <div className={css.counts}>
      <Chips label={t('byCode')}>
        <Chip
          pressed={!status && !code}
          onPress={() => change({ status: undefined, code: undefined })}
        >
          {t('all', { count: write(all, 'calls') })}
        </Chip>
        <Chip
          pressed={status === 'failed' && !code}
          onPress={() =>
            change({ status: status === 'failed' ? undefined : 'failed', code: undefined })
          }
        >
          {t('failed', { count: write(all, 'failed') })}
        </Chip>
        {all.codes.slice(0, maxCodes).map(({ code: name, statusCode, calls }) => (
          <Chip
            key={name ?? statusCode}
            pressed={name === undefined ? status === String(statusCode) : code === name}
            onPress={() =>
              change(
                name === undefined
                  ? {
                      status: status === String(statusCode) ? undefined : String(statusCode),
                      code: undefined,
                    }
                  : { code: code === name ? undefined : name, status: undefined },
              )
            }
          >
            <span className="mono">{name ?? statusCode}</span> {writers.number(calls)}
          </Chip>
        ))}
      </Chips>
      {hasFilter && matching && (
        <span className="meta mut" role="status">
          {t('match', {
            count: matching.calls,
            more: matching.atLeast.includes('calls') ? 'yes' : 'no',
          })}
        </span>
      )}
    </div>
  )
}

function useCounts(search: Search, newest: string | undefined): CallCounts | undefined {
  const counts = useCall('countCalls', { query: filterOf(search) })
  const { refetch } = counts
  useEffect(() => void (newest && refetch()), [newest, refetch])
  return counts.error ? undefined : counts.data
}
