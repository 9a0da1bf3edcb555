/** What differs between two versions: header, bands and lines, the older one first. */
import type { PriceLine, PriceList } from '@dragoman/contract/wire'
import { Panel } from '../../parts/page.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/prices.json'
import { useWords } from '../../words/words.ts'
import { any, type Difference, differences, plain } from './price-model.ts'
import css from './prices.module.css'

type Key = keyof typeof en
type Compared = Pick<
  PriceList,
  | 'name'
  | 'currency'
  | 'validFrom'
  | 'validTo'
  | 'minimumFee'
  | 'managementFeePercent'
  | 'bands'
  | 'lines'
>

const heads = [
  'name',
  'currency',
  'validFrom',
  'validTo',
  'minimumFee',
  'managementFeePercent',
] as const

export function PriceDifference({ was, is }: { readonly was: Compared; readonly is: Compared }) {
  const t = useWords<Key>('prices')
  const writers = useWriters()
  const write = (list: Compared, name: (typeof heads)[number]) => {
    const value = list[name]
    return value !== undefined && name.startsWith('valid')
      ? writers.dateYear(`${value}T12:00:00Z`)
      : value
  }
  const changed = heads.filter((name) => String(was[name] ?? '') !== String(is[name] ?? ''))
  const lines = differences(was.lines, is.lines)
  const bands = bandRows(was.bands, is.bands)
  if (changed.length + lines.length + bands.length === 0)
    return <p className="mut">{t('noDifference')}</p>
  return (
    <div className={css.stack}>
      <p>{sentence(t, lines)}</p>
      {changed.length + bands.length > 0 && (
        <Panel title={t('termsAndBands')}>
          <table className={css.bands}>
            <tbody>
              {changed.map((name) => (
                <tr key={name}>
                  <th scope="row">{t(name === 'managementFeePercent' ? 'managementFee' : name)}</th>
                  <td>
                    <Was>{write(was, name)}</Was>
                  </td>
                  <td>
                    <Is>{write(is, name)}</Is>
                  </td>
                </tr>
              ))}
              {bands.map(({ name, before, after }) => (
                <tr key={name}>
                  <th scope="row">
                    {t('band')} <bdi>{name}</bdi>
                  </th>
                  <td>
                    <Was>{before}</Was>
                  </td>
                  <td>
                    <Is>{after}</Is>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
      )}
      {lines.length > 0 && (
        <Panel title={t('lines')}>
          <table className={css.bands}>
            <tbody>
              {lines.map((one) => (
                <LineRow key={one.key} difference={one} />
              ))}
            </tbody>
          </table>
        </Panel>
      )}
    </div>
  )
}

/** "3 prices change, 1 is added, none is removed." */
export function sentence(
  t: ReturnType<typeof useWords<Key>>,
  lines: readonly Difference[],
): string {
  const changed = lines.filter(({ was, is }) => was && is).length
  const added = lines.filter(({ was }) => !was).length
  return t('differenceSentence', { changed, added, removed: lines.length - changed - added })
}

type Band = Compared['bands'][number]

function bandRows(was: readonly Band[], is: readonly Band[]) {
  const write = (band: Band | undefined) =>
    band &&
    `${band.kind === 'Fuzzy' ? `${band.minPercent}–${band.maxPercent} %, ` : ''}× ${plain(band.factor)}`
  const names = [...new Set([...was, ...is].map(({ name }) => name))]
  return names
    .map((name) => ({
      name,
      before: write(was.find((band) => band.name === name)),
      after: write(is.find((band) => band.name === name)),
    }))
    .filter(({ before, after }) => before !== after)
}

function LineRow({ difference: { was, is } }: { readonly difference: Difference }) {
  const t = useWords<Key>('prices')
  const line = is ?? was
  const word = (code = '') => (code === any ? t('any') : code)
  return (
    <tr>
      <th scope="row">
        <bdi>{line?.service}</bdi>,{' '}
        <bdi>
          {t('cell', { source: word(line?.sourceLanguage), target: word(line?.targetLanguage) })}
        </bdi>
      </th>
      <td>
        <Was>{was && <Price line={was} />}</Was>
      </td>
      <td>
        <Is>{is && <Price line={is} />}</Is>
      </td>
    </tr>
  )
}

function Price({ line }: { readonly line: PriceLine }) {
  const t = useWords<Key>('prices')
  return (
    <>
      <bdi dir="ltr">{plain(line.unitPrice)}</bdi> /{t(`unit.${line.unit}`)}
      {line.minimumFee && `, ${t('atLeast', { fee: plain(line.minimumFee) })}`}
    </>
  )
}

function Was({ children }: { readonly children: React.ReactNode }) {
  const t = useWords<Key>('prices')
  return children ? (
    <del className={css.was}>
      <span className="unseen">{t('was')} </span>
      {children}
    </del>
  ) : (
    <span className="dim">{t('notThere')}</span>
  )
}

function Is({ children }: { readonly children: React.ReactNode }) {
  const t = useWords<Key>('prices')
  return children ? (
    <ins className={css.is}>
      <span className="unseen">{t('is')} </span>
      {children}
    </ins>
  ) : (
    <span className="dim">{t('notThere')}</span>
  )
}
