/** Says that only the person who claimed a task may write, and claims it. */
import { Button } from '../../parts/controls.tsx'
import { useAct } from '../../queries.ts'
import { useWords } from '../../words/words.ts'
import type { Task } from './task.ts'
import type { Key } from './texts.ts'
import css from './workbench.module.css'

export function ClaimFirst({ task: { at, task } }: { readonly task: Task }) {
  const t = useWords<Key>('workbench')
  const claim = useAct('claimAssetTask', ['findAssetTask', 'listWork', 'countOpen'])
  if (task.shares?.length) return null
  const by = task.assignee?.name ?? task.assignee?.personId
  return (
    <div className={css.notice}>
      <span>{by ? <bdi>{t('claimedBy', { name: by })}</bdi> : t('claimFirst')}</span>
      {!by && (
        <Button
          small
          kind="main"
          busy={claim.isPending}
          onClick={() => claim.mutate({ params: at })}
        >
          {t('claim')}
        </Button>
      )}
      {claim.error && (
        <span role="alert" className={css.fault}>
          <bdi>{claim.error.message}</bdi>
        </span>
      )}
    </div>
  )
}
