/** The bands of a list: how similar a match must be, and the factor at which it is paid. */
import { Button, GlyphButton } from '../../parts/controls.tsx'
import type { Faults } from '../../parts/fields.tsx'
import { Panel } from '../../parts/page.tsx'
import type en from '../../words/en/prices.json'
import { useWords } from '../../words/words.ts'
import type { DraftBand } from './price-draft.ts'
import css from './prices.module.css'

const kinds = ['Repetition', 'Context', 'Exact', 'Fuzzy', 'New'] as const

export function BandEditor({
  bands,
  faults,
  onChange,
}: {
  readonly bands: readonly DraftBand[]
  readonly faults: Faults
  readonly onChange: (bands: readonly DraftBand[]) => void
}) {
  const t = useWords<keyof typeof en>('prices')
  const put = (at: number, change: Partial<DraftBand>) =>
    onChange(bands.map((band, index) => (index === at ? { ...band, ...change } : band)))
  // Above the last one, which is for new words.
  const add = () =>
    onChange([
      ...bands.slice(0, -1),
      { name: t('newBand'), kind: 'Fuzzy', minPercent: '', maxPercent: '', factor: '' },
      ...bands.slice(-1),
    ])
  return (
    <Panel
      title={t('bands')}
      beside={
        <Button small glyph="add" onClick={add}>
          {t('addBand')}
        </Button>
      }
    >
      <div className={css.scroll}>
        <table className={css.bandTable}>
          <thead>
            <tr>
              <th scope="col">{t('band')}</th>
              <th scope="col">{t('kind')}</th>
              <th scope="col">{t('fromPercent')}</th>
              <th scope="col">{t('toPercent')}</th>
              <th scope="col">{t('factor')}</th>
              <th scope="col">
                <span className="unseen">{t('remove')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {bands.map((band, at) => {
              const fault = (name: string) =>
                faults.get(`bands[${at}].${name}`) ?? faults.get(`bands[${at}]`)
              const input = (
                name: 'name' | 'minPercent' | 'maxPercent' | 'factor',
                label: string,
              ) => (
                <input
                  aria-label={`${label} ${at + 1}`}
                  aria-invalid={fault(name) ? true : undefined}
                  title={fault(name)}
                  value={band[name] ?? ''}
                  {...(name !== 'name' && { dir: 'ltr', inputMode: 'decimal' })}
                  onChange={(event) => put(at, { [name]: event.target.value })}
                />
              )
              const isFuzzy = band.kind === 'Fuzzy'
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a band is identified by its position while its name is typed.
                <tr key={at}>
                  <td>{input('name', t('band'))}</td>
                  <td>
                    <select
                      aria-label={`${t('kind')} ${at + 1}`}
                      aria-invalid={fault('kind') ? true : undefined}
                      title={fault('kind')}
                      value={band.kind}
                      onChange={(event) =>
                        put(at, { kind: event.target.value as DraftBand['kind'] })
                      }
                    >
                      {kinds.map((kind) => (
                        <option key={kind} value={kind}>
                          {t(`kind.${kind}`)}
                        </option>
                      ))}
                    </select>
                  </td>
                  <td>{isFuzzy && input('minPercent', t('fromPercent'))}</td>
                  <td>{isFuzzy && input('maxPercent', t('toPercent'))}</td>
                  <td>{input('factor', t('factor'))}</td>
                  <td>
                    <GlyphButton
                      glyph="bin"
                      label={t('removeBand', { at: at + 1 })}
                      onClick={() => onChange(bands.filter((_, index) => index !== at))}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
