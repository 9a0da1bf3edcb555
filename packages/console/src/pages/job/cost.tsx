/**
 * What the job costs: by language and band, with the price list it is based on; without one, its
 * words. Money is the text that the hub sent.
 */
import {
  type Job,
  type JobWords,
  paidWords,
  type Quote,
  type QuoteLine,
} from '@dragoman/contract/wire'
import type { HubFailure } from '../../hub.ts'
import { eachLanguage, isSameLanguage } from '../../language-keys.ts'
import { Pill } from '../../look/states.tsx'
import { Facts } from '../../parts/page.tsx'
import { Failed, Loading } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import css from './job.module.css'
import { addMoney } from './money.ts'
import type { Key } from './sentence.tsx'

type Counted = {
  readonly quote: Quote | undefined
  /** Only if no price list applies. */
  readonly words: JobWords | undefined
  readonly failure: HubFailure | undefined
  readonly retry: () => void
}

/** The quote; without a price list, the words alone. */
export function useJobWords({ jobId }: Job, enabled = true): Counted {
  const input = { params: { jobId } }
  const quote = useCall('quoteJob', input, { enabled, keepOld: false })
  const isUnpriced = quote.error?.code === 'PRICE_LIST_NOT_FOUND'
  const words = useCall('countJobWords', input, { enabled: enabled && isUnpriced, keepOld: false })
  return {
    quote: quote.data,
    words: isUnpriced ? words.data : undefined,
    failure: (isUnpriced ? words.error : quote.error) ?? undefined,
    retry: () => void (isUnpriced ? words : quote).refetch(),
  }
}

export function CostTab({ job }: { readonly job: Job }) {
  const { quote, words, failure, retry } = useJobWords(job)
  if (quote) return <QuoteShown quote={quote} />
  if (words) return <WordsShown words={words} />
  if (failure) return <Failed failure={failure} retry={retry} />
  return <Loading rows={8} />
}

function QuoteShown({ quote }: { readonly quote: Quote }) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  const money = (amount: string) => writers.money(amount, quote.currency)
  return (
    <div className={css.sections}>
      <Facts
        facts={[
          { name: t('total'), value: money(quote.total) },
          { name: t('words'), value: writers.number(paidWords(quote.lines)) },
          { name: t('subtotal'), value: money(quote.subtotal) },
          { name: t('managementFee'), value: money(quote.managementFee) },
          { name: t('priceList'), value: t('version', { version: quote.priceListVersion }) },
          quote.minimumFeeApplied === true && {
            name: t('minimumFee'),
            value: <Pill look="review">{t('minimumApplied')}</Pill>,
          },
        ]}
      />
      <Warnings of={quote}>{!quote.complete && <li>{t('incomplete')}</li>}</Warnings>
      <ByLanguage lines={quote.lines} quote={quote} />
    </div>
  )
}

function WordsShown({ words }: { readonly words: JobWords }) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  return (
    <div className={css.sections}>
      <Facts facts={[{ name: t('words'), value: writers.number(paidWords(words.lines)) }]} />
      <Warnings of={words}>
        <li>{t('noPrices')}</li>
      </Warnings>
      <ByLanguage lines={words.lines} />
    </div>
  )
}

type WarningsProps = {
  readonly of: { readonly warnings?: readonly string[] }
  readonly children: React.ReactNode
}

function Warnings({ of: { warnings = [] }, children }: WarningsProps) {
  if (!children && warnings.length === 0) return null
  return (
    <div role="note">
      <ul>
        {children}
        {warnings.map((warning) => (
          <li key={warning}>
            <bdi>{warning}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

const named = ['Repetition', 'Context', 'Exact', 'New'] as const
type Line = JobWords['lines'][number]
type TableProps = { readonly lines: readonly Line[]; readonly quote?: Quote }

/** A row for each language, a column for each band. */
function ByLanguage({ lines: all, quote }: TableProps) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  const bands = [...new Set(all.flatMap((line) => line.bands.map(({ name }) => name)))]
  const languages = eachLanguage(all.map((line) => line.targetNativeLanguageCode))
  const factors = new Map(
    quote?.lines.flatMap((line) => line.bands.map(({ name, factor }) => [name, factor])),
  )
  // The bands of a price list have the names that it gives them.
  const nameOf = (band: string) => {
    const known = quote ? undefined : named.find((name) => name === band)
    return known ? t(`band.${known}`) : band
  }
  const wordsIn = (lines: readonly Line[], band: string) =>
    lines.reduce((sum, line) => sum + (line.bands.find(({ name }) => name === band)?.words ?? 0), 0)
  const numbers = (lines: readonly Line[]) =>
    bands.map((band) => (
      <td key={band} className={css.number}>
        {writers.number(wordsIn(lines, band))}
      </td>
    ))
  const title = t(quote ? 'byLanguage' : 'wordsByLanguage')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className={css.scrolls} aria-label={title} tabIndex={0}>
      <table className={css.table}>
        <caption className="unseen">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('language')}</th>
            {quote && (
              <th scope="col" className={css.number}>
                {t('unitPrice')}
              </th>
            )}
            {bands.map((band) => (
              <th key={band} scope="col" className={css.number}>
                <bdi>{nameOf(band)}</bdi> {quote && `× ${factors.get(band)}`}
              </th>
            ))}
            <th scope="col" className={css.number}>
              {t(quote ? 'amount' : 'words')}
            </th>
          </tr>
        </thead>
        <tbody>
          {languages.map((language) => {
            const isOwn = (line: Line) => isSameLanguage(line.targetNativeLanguageCode, language)
            const lines = all.filter(isOwn)
            const priced = quote?.lines.filter(isOwn)
            return (
              <tr key={language}>
                <th scope="row">
                  <bdi>{writers.language(language)}</bdi> <span className="dim">{language}</span>
                </th>
                {priced && (
                  <td className={css.number}>
                    {[...new Set(priced.map(({ unitPrice }) => unitPrice))].join(', ')}
                  </td>
                )}
                {numbers(lines)}
                <td className={css.number}>
                  {priced ? (
                    <Amount lines={priced} currency={quote?.currency ?? ''} />
                  ) : (
                    writers.number(paidWords(lines))
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t(quote ? 'subtotal' : 'total')}</th>
            {quote && <td />}
            {numbers(all)}
            <td className={css.number}>
              {quote
                ? writers.money(quote.subtotal, quote.currency)
                : writers.number(paidWords(all))}
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

function Amount({
  lines,
  currency,
}: {
  readonly lines: readonly QuoteLine[]
  readonly currency: string
}) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  return (
    <>
      {lines.some(({ minimumApplied }) => minimumApplied) && (
        <abbr title={t('minimumApplied')} className="dim">
          {t('minimumMark')}
        </abbr>
      )}{' '}
      {writers.money(addMoney(lines.map(({ amount }) => amount)), currency)}
    </>
  )
}
