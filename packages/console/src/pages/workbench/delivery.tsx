/**
 * Delivers the task: saves first, then says what stands in the way, segment by segment, or returns
 * to Work.
 */
import type { CheckFinding } from '@dragoman/contract/wire'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { HubFailure } from '../../hub.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { Button } from '../../parts/controls.tsx'
import { useSentence } from '../../parts/review/use-sentence.ts'
import { useAct } from '../../queries.ts'
import { useWords } from '../../words/words.ts'
import type { Drafts } from './drafts/use-drafts.ts'
import { isOpen } from './filters.ts'
import type { Task } from './task.ts'
import type { Key } from './texts.ts'
import type { Shown } from './use-segments.ts'
import css from './workbench.module.css'

type Refused = { readonly segmentId: string; readonly check: string } & Pick<
  CheckFinding,
  'message' | 'facts'
>
type Delivery = { readonly ask: () => void; readonly isBusy: boolean; readonly shown: ReactNode }

export function useDelivery(
  { at }: Task,
  drafts: Drafts,
  all: readonly Shown[],
  goTo: (row: Shown) => void,
): Delivery {
  const t = useWords<Key>('workbench')
  const sentence = useSentence()
  const [, go] = useLocation()
  const deliver = useAct('deliverSegments', [
    'findAssetTask',
    'listWork',
    'countOpen',
    'listSegments',
  ])
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<HubFailure>()
  const ask = async () => {
    setFailure(undefined)
    setSaving(true)
    try {
      await drafts.flush()
      await deliver.mutateAsync({ params: at })
      go('/work')
    } catch (error) {
      setFailure(
        error instanceof HubFailure ? error : new HubFailure(0, { message: String(error) }),
      )
    } finally {
      setSaving(false)
    }
  }
  const checks = refusedIn(failure)
  const open = failure?.code === 'SEGMENTS_OPEN' ? all.filter(isOpen) : []
  const rowOf = (segmentId: string) => all.find((one) => one.segmentId === segmentId)
  const link = (row: Shown | undefined, says: string, key = '') =>
    row && (
      <Button key={key} small kind="quiet" onClick={() => goTo(row)}>
        <bdi>{says}</bdi>
      </Button>
    )
  return {
    ask: () => void ask(),
    isBusy: isSaving || deliver.isPending,
    shown: failure && (
      <div className={css.notice} role="alert">
        <p className={css.fault}>
          <Glyph name="error" size={14} />
          <bdi>{open.length > 0 ? t('stillOpen', { open: open.length }) : failure.message}</bdi>
        </p>
        {link(open[0], t('goFirst'))}
        {checks.map((found) =>
          link(rowOf(found.segmentId), sentence(found), `${found.segmentId} ${found.check}`),
        )}
        <Button small kind="quiet" glyph="close" onClick={() => setFailure(undefined)}>
          {t('close')}
        </Button>
      </div>
    ),
  }
}

function refusedIn(failure: HubFailure | undefined): Refused[] {
  return ((failure?.checks ?? []) as Refused[]).slice(0, 10)
}
