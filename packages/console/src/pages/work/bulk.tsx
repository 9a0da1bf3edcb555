/** Actions on the marked rows: approve those in review, claim open ones, share them out. */
import { type BulkAct, BulkBar } from '../../parts/list/bulk-bar.tsx'
import type { Marked } from '../../parts/list/marked.ts'
import { useMay } from '../../session.tsx'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import { ApproveDialog, ClaimDialog } from './many-dialogs.tsx'
import { ShareDialog } from './share-dialog.tsx'
import type { View, Work } from './works.ts'

type BulkProps = {
  readonly view: View
  readonly marked: Marked<Work>
  readonly onDone: () => void
}
const dialogs = { approve: ApproveDialog, claim: ClaimDialog, share: ShareDialog } as const

export function WorkBulkBar({ view, marked, onDone }: BulkProps) {
  const t = useWords<keyof typeof en>('work')
  const mayShare = useMay('provider-manager')
  const count = marked.size
  const acts: (BulkAct<keyof typeof dialogs> | false)[] = [
    view === 'REVIEW' && { name: 'approve', key: 'y', says: t('approve', { count }) },
    view === 'OPEN' && { name: 'claim', key: 'C', says: t('claimMany', { count }) },
    view !== 'REVIEW' && mayShare && { name: 'share', key: 's', says: t('share') },
  ]
  return (
    <BulkBar
      marked={marked}
      acts={acts
        .filter((act) => act !== false)
        .map((act, at) => ({ ...act, kind: at === 0 ? 'main' : 'plain' }))}
      says={t('marked', { count })}
      unmark={t('unmark')}
      onDone={onDone}
      dialog={(act, works, onClose) => {
        const Dialog = dialogs[act]
        return <Dialog works={works} onClose={onClose} />
      }}
    />
  )
}
