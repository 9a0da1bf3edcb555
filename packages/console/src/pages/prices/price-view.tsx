/**
 * One saved version: its facts, its bands, the matrix; beside it the selected pair with the price
 * of each band.
 */
import type { PriceList } from '@dragoman/contract/wire'
import type { ReactNode } from 'react'
import { Chip, Chips } from '../../parts/controls.tsx'
import { Name } from '../../parts/name.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { useSearchState } from '../../search.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/prices.json'
import { useWords } from '../../words/words.ts'
import { type Cell, PriceMatrix } from './price-matrix.tsx'
import {
  any,
  findLine,
  holesIn,
  languagesOf,
  plain,
  servicesOf,
  times,
  type UsedLanguagePair,
} from './price-model.ts'
import css from './prices.module.css'

type Key = keyof typeof en

/** `?service=` and `?cell=en-us>de-de` in the URL. */
export function useCell(lines: PriceList['lines']) {
  const [{ service: asked, cell }, change] = useSearchState()
  const services = servicesOf(lines)
  const service = services.find((one) => one === asked) ?? services[0] ?? ''
  const [source, target] = (cell ?? '').split('>')
  return {
    services,
    service,
    selected: source && target ? ({ source, target } satisfies Cell) : undefined,
    choose: (next: string) => change({ service: next }),
    select: (next: Cell | undefined) => change({ cell: next && `${next.source}>${next.target}` }),
  }
}

export function PriceView({
  list,
  pairs,
}: {
  readonly list: PriceList
  readonly pairs: readonly UsedLanguagePair[]
}) {
  const t = useWords<Key>('prices')
  const writers = useWriters()
  const { services, service, selected, choose, select } = useCell(list.lines)
  const holes = holesIn(list.lines, pairs, service)
  return (
    <div className={css.stack}>
      <Facts
        facts={[
          { name: t('name'), value: <Name of={list.name} /> },
          { name: t('currency'), value: list.currency },
          { name: t('validFrom'), value: writers.dateYear(`${list.validFrom}T12:00:00Z`) },
          list.validTo !== undefined && {
            name: t('validTo'),
            value: writers.dateYear(`${list.validTo}T12:00:00Z`),
          },
          { name: t('minimumFee'), value: writers.money(list.minimumFee ?? '0', list.currency) },
          {
            name: t('managementFee'),
            value: writers.percent(Number(list.managementFeePercent ?? '0') / 100, 4),
          },
        ]}
      />
      {holes.length > 0 && (
        <Panel tone="warn" title={t('holesTitle', { count: holes.length })}>
          <p className="mut">
            {t('holesBody')}{' '}
            {holes.slice(0, 12).map(({ sourceLanguage, targetLanguage }, at) => (
              <span key={`${sourceLanguage} ${targetLanguage}`}>
                {at > 0 && ', '}
                <bdi dir="ltr">
                  {sourceLanguage} → {targetLanguage}
                </bdi>
              </span>
            ))}
            {holes.length > 12 && ' …'}
          </p>
        </Panel>
      )}
      {services.length > 1 && (
        <Chips label={t('service')}>
          {services.map((one) => (
            <Chip key={one} pressed={one === service} onPress={() => choose(one)}>
              <bdi>{one}</bdi>
            </Chip>
          ))}
        </Chips>
      )}
      <div className={css.beside}>
        <PriceMatrix
          lines={list.lines}
          service={service}
          sources={languagesOf(list.lines, service, 'sourceLanguage')}
          targets={languagesOf(
            list.lines,
            service,
            'targetLanguage',
            holes.map(({ targetLanguage }) => targetLanguage),
          )}
          pairs={pairs}
          selected={selected}
          onSelect={select}
        />
        <PairPanel list={list} service={service} cell={selected} />
      </div>
    </div>
  )
}

/** What a unit costs in each band. */
export function PairPanel({
  list,
  service,
  cell,
  children,
}: {
  readonly list: Pick<PriceList, 'lines' | 'bands' | 'currency'>
  readonly service: string
  readonly cell: Cell | undefined
  readonly children?: ReactNode
}) {
  const t = useWords<Key>('prices')
  const line =
    cell &&
    findLine(list.lines, { service, sourceLanguage: cell.source, targetLanguage: cell.target })
  const word = (code: string) => (code === any ? t('any') : code)
  return (
    <Panel
      title={
        cell ? (
          <bdi>{t('cell', { source: word(cell.source), target: word(cell.target) })}</bdi>
        ) : (
          t('bands')
        )
      }
    >
      {!cell && <p className="mut">{t('chooseCell')}</p>}
      {cell && !line && <p className="mut">{t('noPriceBody')}</p>}
      {line && (
        <p className="mut">
          {t('perUnit', {
            price: `${plain(line.unitPrice)} ${list.currency}`,
            unit: t(`unit.${line.unit}`),
          })}
          {line.minimumFee &&
            `, ${t('atLeast', { fee: `${plain(line.minimumFee)} ${list.currency}` })}`}
        </p>
      )}
      {children}
      <table className={css.bands}>
        <thead>
          <tr>
            <th scope="col">{t('band')}</th>
            <th scope="col">{t('factor')}</th>
            <th scope="col">{line ? t('price') : ''}</th>
          </tr>
        </thead>
        <tbody>
          {list.bands.map(({ name, kind, minPercent, maxPercent, factor }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: bands are identified by their position; names may repeat.
            <tr key={at}>
              <th scope="row">
                <Name of={name} />{' '}
                {kind === 'Fuzzy' && !name.includes(String(minPercent)) && (
                  <span className="dim">
                    {minPercent}–{maxPercent} %
                  </span>
                )}
              </th>
              <td>{factor}</td>
              <td>{line ? (times(line.unitPrice, factor) ?? '') : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
