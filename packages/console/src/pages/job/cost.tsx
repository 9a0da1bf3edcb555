/** What the job costs: by language and band, with the price list it is based on. Money is the text that the hub sent. */
import type { Job, Quote, QuoteLine } from '@dragoman/contract/wire'
import { Pill } from '../../look/states.tsx'
import { Facts } from '../../parts/page.tsx'
import { Empty, Failed, Loading } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import css from './job.module.css'
import { addMoney } from './money.ts'
import type { Key } from './sentence.tsx'

export function CostTab({ job }: { readonly job: Job }) {
  const t = useWords<Key>('job')
  const quote = useCall('quoteJob', { params: { jobId: job.jobId } }, { keepOld: false })
  if (quote.data) return <QuoteShown quote={quote.data} />
  if (quote.error?.code === 'PRICE_LIST_NOT_FOUND')
    return (
      <Empty title={t('noPrices')} glyph="cost">
        <bdi>{quote.error.message}</bdi>
      </Empty>
    )
  if (quote.error) return <Failed failure={quote.error} retry={() => void quote.refetch()} />
  return <Loading rows={8} />
}

function QuoteShown({ quote }: { readonly quote: Quote }) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  const money = (amount: string) => writers.money(amount, quote.currency)
  const words = quote.lines.reduce((sum, { counts }) => sum + counts.words, 0)
  return (
    <div className={css.sections}>
      <Facts
        facts={[
          { name: t('total'), value: money(quote.total) },
          { name: t('words'), value: writers.number(words) },
          { name: t('subtotal'), value: money(quote.subtotal) },
          { name: t('managementFee'), value: money(quote.managementFee) },
          { name: t('priceList'), value: t('version', { version: quote.priceListVersion }) },
          quote.minimumFeeApplied === true && {
            name: t('minimumFee'),
            value: <Pill look="review">{t('minimumApplied')}</Pill>,
          },
        ]}
      />
      {(!quote.complete || quote.warnings?.length) && (
        <ul role="note">
          {!quote.complete && <li>{t('incomplete')}</li>}
          {quote.warnings?.map((warning) => (
            <li key={warning}>
              <bdi>{warning}</bdi>
            </li>
          ))}
        </ul>
      )}
      <ByLanguage quote={quote} />
    </div>
  )
}

/** A row for each language, a column for each band. */
function ByLanguage({ quote }: { readonly quote: Quote }) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  const bands = [...new Set(quote.lines.flatMap((line) => line.bands.map(({ name }) => name)))]
  const languages = [...new Set(quote.lines.map((line) => line.targetNativeLanguageCode))]
  const factors = new Map(quote.lines.flatMap((line) => line.bands.map(({ name, factor }) => [name, factor])))
  const wordsIn = (lines: readonly QuoteLine[], band: string) =>
    lines.reduce((sum, line) => sum + (line.bands.find(({ name }) => name === band)?.words ?? 0), 0)
  const money = (lines: readonly QuoteLine[]) =>
    writers.money(addMoney(lines.map(({ amount }) => amount)), quote.currency)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className={css.scrolls} aria-label={t('byLanguage')} tabIndex={0}>
      <table className={css.table}>
        <caption className="unseen">{t('byLanguage')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('language')}</th>
            <th scope="col" className={css.number}>
              {t('unitPrice')}
            </th>
            {bands.map((band) => (
              <th key={band} scope="col" className={css.number}>
                <bdi>{band}</bdi> × {factors.get(band)}
              </th>
            ))}
            <th scope="col" className={css.number}>
              {t('amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {languages.map((language) => {
            const lines = quote.lines.filter((line) => line.targetNativeLanguageCode === language)
            const isMinimum = lines.some(({ minimumApplied }) => minimumApplied)
            const prices = [...new Set(lines.map(({ unitPrice }) => unitPrice))]
            return (
              <tr key={language}>
                <th scope="row">
                  <bdi>{writers.language(language)}</bdi> <span className="dim">{language}</span>
                </th>
                <td className={css.number}>{prices.join(', ')}</td>
                {bands.map((band) => (
                  <td key={band} className={css.number}>
                    {writers.number(wordsIn(lines, band))}
                  </td>
                ))}
                <td className={css.number}>
                  {isMinimum && (
                    <abbr title={t('minimumApplied')} className="dim">
                      {t('minimumMark')}
                    </abbr>
                  )}{' '}
                  {money(lines)}
                </td>
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('subtotal')}</th>
            <td />
            {bands.map((band) => (
              <td key={band} className={css.number}>
                {writers.number(wordsIn(quote.lines, band))}
              </td>
            ))}
            <td className={css.number}>{writers.money(quote.subtotal, quote.currency)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
