/** Sends the job to its provider again: what failed there is fixed there. */
import type { Job } from '@dragoman/contract/wire'
import { Button } from '../../parts/controls.tsx'
import { useRoleName } from '../../parts/role-names.ts'
import { useAct } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { useWords } from '../../words/words.ts'
import { actsOf } from './acts.ts'
import { changes } from './acts-menu.tsx'
import css from './job.module.css'
import { useRefusalWords } from './refusal-words.ts'
import type { Key } from './sentence.tsx'

export function SendAgain({ job }: { readonly job: Job }) {
  const t = useWords<Key>('job')
  const roleName = useRoleName()
  const words = useRefusalWords(job)
  const may = useMay('manager')
  const invoke = useAct('invokeProvider', changes)
  const { jobId, providerId = '' } = job
  const refusal = actsOf(job).find(({ act }) => act === 'invoke')?.refusal
  const refused = refusal
    ? words(refusal)
    : may
      ? undefined
      : t('mayNot', { role: roleName('manager') })
  return (
    <div className={css.again}>
      <Button
        small
        glyph="again"
        busy={invoke.isPending}
        refusal={refused}
        onClick={() => invoke.mutate({ params: { providerId }, body: { jobId } })}
      >
        {t('act.invoke')}
      </Button>
      <span role="status" className="dim">
        {invoke.isSuccess && t('sentAgain')}
      </span>
      {invoke.error && (
        <p role="alert" className={css.failure}>
          <bdi>{invoke.error.message}</bdi>
        </p>
      )}
    </div>
  )
}
