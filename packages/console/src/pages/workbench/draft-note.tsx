/**
 * Below a target: the engine or the memory that it comes from, its risk and the reasons; or why no
 * engine could translate the segment.
 */
import type { Segment } from '@dragoman/contract/wire'
import { Glyph } from '../../look/glyphs.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { isRisky } from './filters.ts'
import type { Key } from './texts.ts'
import css from './workbench.module.css'

type Noted = Pick<
  Segment,
  | 'target'
  | 'version'
  | 'origin'
  | 'filled'
  | 'engine'
  | 'risk'
  | 'riskBasis'
  | 'riskReasons'
  | 'openReason'
>

export function DraftNote({ row }: { readonly row: Noted }) {
  const t = useWords<Key>('workbench')
  const reasons = useReasons(row)
  const { percent } = useWriters()
  if (row.openReason !== undefined && !row.target?.length)
    return (
      <p className={css.left}>
        <Glyph name="error" size={14} />
        <bdi>{row.openReason}</bdi>
      </p>
    )
  // Once somebody has saved a text of their own, it is no longer the machine's.
  if (row.filled && row.filled.from !== 'ENGINE')
    return (
      <p className={css.made}>
        {row.filled.from === 'REPEATS' ? t('repeat') : t('origin.memory')}
        {row.filled.percent !== undefined && <b>{percent(row.filled.percent / 100, 0)}</b>}
        {row.filled.adapted && <span>{t('adapted')}</span>}
      </p>
    )
  if (row.risk === undefined) return null
  const looks = isRisky(row) ? `${css.made} ${css.risky}` : css.made
  return (
    <p className={looks} {...(reasons && { title: reasons })}>
      <bdi className={css.engine}>{row.engine?.name ?? t('origin.memory')}</bdi>
      {row.risk > 0 && <b>{t(riskWord(row), { risk: row.risk })}</b>}
      {isRisky(row) && <span>{reasons}</span>}
    </p>
  )
}

/** Signs are not yet a risk. */
export const riskWord = ({ riskBasis }: Pick<Segment, 'riskBasis'>) =>
  riskBasis === 'SHIPPED' || riskBasis === 'LEARNED' ? 'riskEstimate' : 'risk'

/** The reasons of a risk, as a list of words. */
export function useReasons({ riskReasons = [] }: Noted): string {
  const t = useWords<Key>('workbench')
  const { list } = useWriters()
  return riskReasons.length === 0 ? '' : list(riskReasons.map((reason) => t(`risk.${reason}`)))
}
