/** The conditions of a rule in words, one after the other. */
import type { RouteCondition } from '@dragoman/contract/wire'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/routing.json'
import { useWords } from '../../words/words.ts'
import css from './routing.module.css'
import { itemsOf, valueText } from './rule-text.ts'

export function Conditions({ when = {} }: { readonly when: RouteCondition | undefined }) {
  const t = useWords<keyof typeof en>('routing')
  const writers = useWriters()
  const { source, target, labels, words, band, extendedMetadata = {} } = when
  const listed = (some: string | readonly string[]) => itemsOf(some).join(', ')
  const shown: { readonly name: string; readonly value: string }[] = [
    ...(source === undefined ? [] : [{ name: t('source'), value: listed(source) }]),
    ...(target === undefined ? [] : [{ name: t('target'), value: listed(target) }]),
    ...(labels === undefined ? [] : [{ name: t('labels'), value: listed(labels) }]),
    ...Object.entries(extendedMetadata).map(([name, value]) => ({ name, value: valueText(value) })),
  ]
  const count = (many: number | undefined) =>
    typeof many === 'number' ? writers.number(many) : String(many)
  const limits = [
    words?.min !== undefined && t('atLeastWords', { count: count(words.min) }),
    words?.max !== undefined && t('atMostWords', { count: count(words.max) }),
  ].filter((one) => one !== false)
  if (shown.length === 0 && limits.length === 0 && !band)
    return <span className="mut">{t('everyJob')}</span>
  return (
    <ul className={css.conditions} aria-label={t('conditions')}>
      {shown.map(({ name, value }) => (
        <li key={name}>
          <span className="mut">
            <bdi>{name}</bdi>
          </span>{' '}
          <bdi className="mono">{value}</bdi>
        </li>
      ))}
      {limits.map((one) => (
        <li key={one}>{one}</li>
      ))}
      {band && (
        <li>
          {t.rich('bandAtLeast', {
            share:
              typeof band.min === 'number' ? writers.percent(band.min / 100) : String(band.min),
            band: band.name,
            b: (inside) => <bdi className="mono">{inside}</bdi>,
          })}
        </li>
      )}
    </ul>
  )
}
