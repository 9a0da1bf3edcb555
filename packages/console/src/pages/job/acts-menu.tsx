/**
 * What a person can do with the job: the next step as the main button, the rest in a menu; what is
 * forbidden shows the reason.
 */
import type { Job, Role } from '@dragoman/contract/wire'
import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { type CallName, call } from '../../hub.ts'
import { useKeys } from '../../keys.ts'
import { Button, GlyphButton } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { saveFile } from '../../parts/download.tsx'
import { useRoleName } from '../../parts/role-names.ts'
import { useAct } from '../../queries.ts'
import { useRoles } from '../../session.tsx'
import { useWords } from '../../words/words.ts'
import { actsOf, type JobAct, mainActOf } from './acts.ts'
import css from './job.module.css'
import { ActFields, copyOf, planOf, type Said, saidOf } from './managing/act-fields.tsx'
import { NotApproved } from './not-approved.tsx'
import { useRefusalWords } from './refusal-words.ts'
import type { Key } from './sentence.tsx'

/** The roles that the hub allows to do it. The hub decides; this only explains. */
const rolesFor = (act: JobAct): readonly Role[] =>
  act === 'cancel' ? ['manager', 'provider-manager'] : ['manager']
const mustConfirm: readonly JobAct[] = ['cancel', 'delete', 'archive', 'complete', 'plan', 'copy']
export const changes: readonly CallName[] = [
  'findJob',
  'findRequest',
  'listJobs',
  'listTimeline',
  'listRequests',
  'findJobLanes',
]

export function Acts({ job }: { readonly job: Job }) {
  const t = useWords<Key>('job')
  const roleName = useRoleName()
  const [, go] = useLocation()
  const [asked, setAsked] = useState<JobAct>()
  const roles = useRoles()
  const { jobId, providerId = '' } = job
  const params = { jobId }
  const isManager = roles.includes('manager') || roles.includes('admin')
  const [said, setSaid] = useState<Said>(() => saidOf(job))
  const acts = {
    submit: useAct('submitJob', changes),
    complete: useAct('completeJob', changes),
    reopen: useAct('reopenJob', changes),
    archive: useAct('archiveJob', changes),
    unarchive: useAct('unarchiveJob', changes),
    invoke: useAct('invokeProvider', changes),
    cancel: useAct('changeProviderJob', changes),
    stop: useAct('cancelJob', [...changes, 'listComments']),
    plan: useAct('planJob', changes),
    copy: useAct('copyJob', ['listJobs']),
    delete: useAct('deleteJob', ['listJobs']),
  }
  const run = (act: JobAct) => {
    const done = { onSuccess: () => setAsked(undefined) }
    if (act === 'invoke') acts.invoke.mutate({ params: { providerId }, body: { jobId } }, done)
    else if (act === 'cancel' && isManager)
      acts.stop.mutate({ params, body: said.note.trim() ? { note: said.note } : {} }, done)
    else if (act === 'cancel')
      acts.cancel.mutate({ params: { providerId, jobId }, body: { statusCode: 'CANCELLED' } }, done)
    else if (act === 'plan') acts.plan.mutate({ params, body: planOf(job, said) }, done)
    else if (act === 'copy')
      acts.copy.mutate(
        { params, body: copyOf(said) },
        { onSuccess: ({ jobId: copied }) => go(`/jobs/${copied}`) },
      )
    else if (act === 'submit') acts.submit.mutate({ params, body: {} }, done)
    else if (act === 'delete') acts.delete.mutate({ params }, { onSuccess: () => go('/') })
    else acts[act].mutate({ params }, done)
  }
  const press = (act: JobAct) => {
    setSaid(saidOf(job))
    if (mustConfirm.includes(act)) setAsked(act)
    else run(act)
  }
  const main = mainActOf(job)
  const refusalWords = useRefusalWords(job)
  const offered = actsOf(job).map(({ act, refusal }) => {
    const may = roles.includes('admin') || rolesFor(act).some((role) => roles.includes(role))
    const lacksRole = may
      ? undefined
      : t('mayNot', { role: rolesFor(act).map(roleName).join(', ') })
    return { act, refusal: refusal ? refusalWords(refusal) : lacksRole }
  })
  const mainRefusal = offered.find(({ act }) => act === main)?.refusal
  useKeys([
    ...offered.flatMap(({ act, refusal }) =>
      refusal === undefined && act !== main
        ? [{ keys: '', says: t(`act.${act}`), act: () => press(act) }]
        : [],
    ),
    { keys: '', says: t('exportCassette'), act: () => void saveCassette(job) },
  ])
  const failed = Object.values(acts).find(({ error }) => error)?.error
  const asking = asked && acts[asked === 'cancel' && isManager ? 'stop' : asked]
  return (
    <>
      {main && (
        <Button
          kind="main"
          refusal={mainRefusal}
          busy={acts[main].isPending}
          onClick={() => press(main)}
        >
          {t(`act.${main}`)}
        </Button>
      )}
      <Menu position="bottom-end" width={320} withinPortal>
        <Menu.Target>
          <GlyphButton kind="plain" small={false} glyph="more" label={t('moreActs')} />
        </Menu.Target>
        <Menu.Dropdown>
          {offered
            .filter(({ act }) => act !== main)
            .map(({ act, refusal }) => (
              <Menu.Item
                key={act}
                aria-disabled={refusal !== undefined || undefined}
                className={refusal === undefined ? css.item : css.refused}
                closeMenuOnClick={refusal === undefined}
                onClick={() => refusal === undefined && press(act)}
              >
                {t(`act.${act}`)}
                {refusal && <small className={css.reason}>{refusal}</small>}
              </Menu.Item>
            ))}
          <Menu.Item className={css.item} onClick={() => void saveCassette(job)}>
            {t('exportCassette')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {failed && !asked && (
        <p role="alert" className={css.failure}>
          <bdi>{failed.message}</bdi> <code>{failed.code}</code>
        </p>
      )}
      {asked && asking && (
        <Dialog
          title={t(`ask.${asked}` as Key, { name: job.jobName })}
          act={t(`act.${asked}`)}
          kind={asked === 'delete' || asked === 'cancel' ? 'danger' : 'main'}
          busy={asking.isPending}
          failure={asking.error}
          onAct={() => run(asked)}
          onClose={() => {
            asking.reset()
            setAsked(undefined)
          }}
        >
          {asked === 'complete' && <NotApproved job={job} />}
          <p>{t(`told.${asked}` as Key)}</p>
          {(asked === 'plan' || asked === 'copy' || (asked === 'cancel' && isManager)) && (
            <ActFields act={asked} said={said} onSay={setSaid} />
          )}
        </Dialog>
      )}
    </>
  )
}

/** The job and its timeline with every call, without bodies, for a bug report. */
async function saveCassette(job: Job): Promise<void> {
  const timeline: unknown[] = []
  let navNext: string | undefined
  do {
    const query = {
      pageSize: 200,
      only: 'changes' as const,
      ...(navNext !== undefined && { navNext }),
    }
    const page = await call('listTimeline', { params: { jobId: job.jobId }, query })
    timeline.push(...page.timeline)
    navNext = page.pagination.navNext
  } while (navNext !== undefined && timeline.length < 20_000)
  const text = JSON.stringify({ job, timeline }, null, 2)
  saveFile(`${job.jobId}.cassette.json`, new Blob([text], { type: 'application/json' }))
}
