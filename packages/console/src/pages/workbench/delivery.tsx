/** Delivers the task: saves first, then says what stands in the way, segment by segment, or returns to Work. */
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
import type { Task } from './task.ts'
import type { Key } from './texts.ts'
import css from './workbench.module.css'

type Refused = { readonly segmentId: string; readonly check: string } & Pick<CheckFinding, 'message' | 'facts'>
type Delivery = { readonly ask: () => void; readonly isBusy: boolean; readonly shown: ReactNode }

export function useDelivery({ at }: Task, drafts: Drafts, goTo: (segmentId: string) => void): Delivery {
  const t = useWords<Key>('workbench')
  const sentence = useSentence()
  const [, go] = useLocation()
  const deliver = useAct('deliverSegments', ['findAssetTask', 'listWork', 'countOpen', 'listSegments'])
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
      setFailure(error instanceof HubFailure ? error : new HubFailure(0, { message: String(error) }))
    } finally {
      setSaving(false)
    }
  }
  const checks = refusedIn(failure)
  return {
    ask: () => void ask(),
    isBusy: isSaving || deliver.isPending,
    shown: failure && (
      <div className={css.notice} role="alert">
        <p className={css.fault}>
          <Glyph name="error" size={14} />
          <bdi>{failure.message}</bdi>
        </p>
        {checks.map((found) => (
          <Button key={`${found.segmentId} ${found.check}`} small kind="quiet" onClick={() => goTo(found.segmentId)}>
            <bdi>{sentence(found)}</bdi>
          </Button>
        ))}
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
