/** Asks before a remedy is applied: what will happen, and that it is recorded. */
import type { Finding } from '@dragoman/contract/wire'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct } from '../../queries.ts'
import { useWords } from '../../words/words.ts'
import type { Key } from './part.ts'
import { Sentence } from './sentence.tsx'

/** The finding, or its remedy, no longer exists. */
const gone: readonly string[] = ['FINDING_GONE', 'FINDING_NOT_FOUND', 'FINDING_WITHOUT_REMEDY']

type RemedyProps = {
  readonly finding: Finding
  readonly onClose: () => void
  readonly onDone: (good: boolean, said: string) => void
}

export function RemedyDialog({ finding, onClose, onDone }: RemedyProps) {
  const { findingId, rule, remedy } = finding
  const t = useWords<Key>('health')
  const act = useAct('remedyFinding', ['listFindings', 'listTasks', 'listNodes', 'countOpen'])
  const name = remedy?.name ?? ''
  const run = () =>
    act.mutate(
      { params: { findingId } },
      {
        onSuccess: () => onDone(true, `${t('done')} ${t(`does.${name}` as Key)}`),
        onError: ({ code }) => {
          if (gone.includes(code)) onDone(false, t('gone'))
        },
      },
    )
  return (
    <Dialog
      title={t(`remedy.${name}` as Key)}
      act={t(`remedy.${name}` as Key)}
      onAct={run}
      onClose={onClose}
      busy={act.isPending}
      failure={act.error && !gone.includes(act.error.code) ? act.error : null}
    >
      <p>
        <b>{t(`rule.${rule}`)}</b>
      </p>
      <p className="mut">
        <Sentence finding={finding} />
      </p>
      <p>{t(`does.${name}` as Key)}</p>
      <p className="dim meta">{t('recorded')}</p>
    </Dialog>
  )
}
