/**
 * The prices of a service, target languages down and source languages across. A pair without its
 * own line shows the price it falls back to. With `onPrice` the cells are fields, and errors of the
 * hub are shown at their cells.
 */
import type { PriceLine } from '@dragoman/contract/wire'
import { isSameLanguage } from '../../language-keys.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/prices.json'
import { useWords } from '../../words/words.ts'
import { any, findLine, plain, type UsedLanguagePair } from './price-model.ts'
import css from './prices.module.css'

export type Cell = { readonly source: string; readonly target: string }

type Props = {
  readonly lines: readonly PriceLine[]
  readonly service: string
  readonly sources: readonly string[]
  readonly targets: readonly string[]
  readonly pairs: readonly UsedLanguagePair[]
  readonly selected: Cell | undefined
  readonly onSelect: (cell: Cell) => void
  readonly onPrice?: (cell: Cell, price: string) => void
  readonly faultOf?: (cell: Cell) => string | undefined
}

export function PriceMatrix(props: Props) {
  const { service, sources, targets } = props
  const t = useWords<keyof typeof en>('prices')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className={css.scroll} tabIndex={0} aria-label={t('matrix', { service })}>
      <table className={css.matrix}>
        <thead>
          <tr>
            <th scope="col">{t('target')}</th>
            {sources.map((source) => (
              <th key={source} scope="col">
                <Language code={source} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {targets.map((target) => (
            <tr key={target}>
              <th scope="row">
                <Language code={target} />
              </th>
              {sources.map((source) => (
                <MatrixCell key={source} {...props} cell={{ source, target }} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Language({ code }: { readonly code: string }) {
  const t = useWords<keyof typeof en>('prices')
  const writers = useWriters()
  if (code === any) return <span className="mut">{t('any')}</span>
  return (
    <>
      <span className={css.language}>{writers.language(code)}</span> <code>{code}</code>
    </>
  )
}

function MatrixCell({
  cell,
  lines,
  service,
  pairs,
  selected,
  onSelect,
  onPrice,
  faultOf,
}: Omit<Props, 'sources' | 'targets'> & { readonly cell: Cell }) {
  const t = useWords<keyof typeof en>('prices')
  const { source, target } = cell
  const own = lines.find(
    (line) =>
      line.service === service && line.sourceLanguage === source && line.targetLanguage === target,
  )
  const used = findLine(lines, { service, sourceLanguage: source, targetLanguage: target })
  const fallback = own ? undefined : used
  const isSelected = selected?.source === source && selected.target === target
  const isHole =
    !used &&
    pairs.some(
      (pair) =>
        isSameLanguage(pair.sourceLanguage, source) && isSameLanguage(pair.targetLanguage, target),
    )
  const via =
    fallback && t('via', { source: fallback.sourceLanguage, target: fallback.targetLanguage })
  const label = t('cell', {
    source: source === any ? t('any') : source,
    target: target === any ? t('any') : target,
  })
  const fault = faultOf?.(cell)
  const className = [css.cell, isSelected && css.selected, isHole && css.hole, fault && css.wrong]
    .filter(Boolean)
    .join(' ')
  if (source === target && source !== any) return <td className={css.same} aria-label={t('same')} />
  return (
    <td className={className}>
      {onPrice ? (
        <input
          aria-label={label}
          aria-invalid={fault ? true : undefined}
          title={fault ?? via}
          inputMode="decimal"
          dir="ltr"
          value={own?.unitPrice ?? ''}
          placeholder={fallback ? plain(fallback.unitPrice) : '–'}
          onFocus={() => onSelect(cell)}
          onChange={(event) => onPrice(cell, event.target.value.trim())}
        />
      ) : (
        <button
          type="button"
          aria-pressed={isSelected}
          title={via ?? (isHole ? t('hole') : undefined)}
          onClick={() => onSelect(cell)}
        >
          <span className="unseen">{label}: </span>
          {used ? (
            <span className={fallback ? css.fallback : css.own} dir="ltr">
              {plain(used.unitPrice)}
            </span>
          ) : (
            <span className={css.none}>{t(isHole ? 'holeShort' : 'noPrice')}</span>
          )}
          {used && used.unit !== 'Word' && <span className="dim"> /{t(`unit.${used.unit}`)}</span>}
          {via && <span className="unseen">, {via}</span>}
        </button>
      )}
      {fault && <span className="unseen">{fault}</span>}
    </td>
  )
}
