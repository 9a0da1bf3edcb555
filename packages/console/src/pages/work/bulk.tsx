/** Actions on the marked rows: approve those in review, claim open ones, share them out. */
import { useState } from 'react'
import { useKeys } from '../../keys.ts'
import { Button } from '../../parts/controls.tsx'
import { useMay } from '../../session.tsx'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import { ApproveDialog, ClaimDialog } from './many-dialogs.tsx'
import { ShareDialog } from './share-dialog.tsx'
import css from './work.module.css'
import type { View, Work } from './works.ts'

type BulkProps = {
  readonly view: View
  readonly marked: ReadonlyMap<string, Work>
  readonly onDone: () => void
}
const dialogs = { approve: ApproveDialog, claim: ClaimDialog, share: ShareDialog } as const
type Act = keyof typeof dialogs

export function BulkBar({ view, marked, onDone }: BulkProps) {
  const t = useWords<keyof typeof en>('work')
  const mayShare = useMay('provider-manager')
  const [act, setAct] = useState<Act>()
  const works = [...marked.values()]
  const count = works.length
  const offered: readonly { readonly act: Act; readonly key: string; readonly title: string }[] = [
    ...(view === 'REVIEW'
      ? [{ act: 'approve', key: 'y', title: t('approve', { count }) } as const]
      : []),
    ...(view === 'OPEN'
      ? [{ act: 'claim', key: 'C', title: t('claimMany', { count }) } as const]
      : []),
    ...(view !== 'REVIEW' && mayShare
      ? [{ act: 'share', key: 's', title: t('share') } as const]
      : []),
  ]
  useKeys(
    count > 0
      ? offered.map((one) => ({ keys: one.key, says: one.title, act: () => setAct(one.act) }))
      : [],
  )
  const Dialog = act && dialogs[act]
  return (
    <>
      <div role="status" className="unseen">
        {count > 0 && t('marked', { count })}
      </div>
      {count > 0 && (
        <section className={css.foot} aria-label={t('marked', { count })}>
          <b>{t('marked', { count })}</b>
          {offered.map((one, at) => (
            <Button
              key={one.act}
              small
              kind={at === 0 ? 'main' : 'plain'}
              onClick={() => setAct(one.act)}
            >
              {one.title}
            </Button>
          ))}
          <Button small kind="quiet" glyph="close" onClick={onDone}>
            {t('unmark')}
          </Button>
        </section>
      )}
      {Dialog && (
        <Dialog
          works={works}
          onClose={(isDone) => {
            setAct(undefined)
            if (isDone) onDone()
          }}
        />
      )}
    </>
  )
}
