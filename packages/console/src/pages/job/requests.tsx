/** The requests of a job: approve or reject many at once, download translations, see what went wrong. */
import { type Job, type JobRequest, requestStatuses } from '@dragoman/contract/wire'
import { useState } from 'react'
import { useStateWord } from '../../look/states.tsx'
import { Button } from '../../parts/controls.tsx'
import { Grid } from '../../parts/grid.tsx'
import { Empty } from '../../parts/said.tsx'
import { useAct, usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import { useWords } from '../../words/words.ts'
import { reviewRefusal } from './acts.ts'
import css from './job.module.css'
import { changes, RejectDialog } from './reject-dialog.tsx'
import { useRequestColumns } from './request-columns.tsx'
import type { Key } from './sentence.tsx'

export function RequestsTab({ job }: { readonly job: Job }) {
  const t = useWords<Key>('job')
  const word = useStateWord()
  const [search, setSearch] = useSearchState()
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [isRejecting, setRejecting] = useState(false)
  const { jobId } = job
  const status = requestStatuses.find((one) => one === search.state)
  const query = {
    ...(status && { statusCode: [status] }),
    ...(search.language && { targetNativeLanguageCode: search.language }),
  }
  const pages = usePages('listRequests', { params: { jobId }, query })
  const mayReview = useMay('reviewer', 'manager')
  const approve = useAct('approveRequests', changes)
  const inReview = pages.items.filter(({ statusCode }) => statusCode === 'REVIEW_TRANSLATION')
  const chosen = inReview.filter(({ requestId }) => marked.has(requestId)).map(({ requestId }) => requestId)
  const refusal = !mayReview
    ? t('mayNot', { role: 'reviewer' })
    : (reviewRefusal(job) ?? (chosen.length === 0 ? t('markInReview') : undefined))
  const toggle = ({ requestId }: JobRequest) => {
    const next = new Set(marked)
    if (!next.delete(requestId)) next.add(requestId)
    setMarked(next)
  }
  const columns = useRequestColumns(job, marked, toggle)
  const languages = job.targetNativeLanguageCodes ?? []
  return (
    <>
      <div className={css.bar}>
        <select
          className={css.select}
          aria-label={t('state')}
          value={status ?? ''}
          onChange={(event) => setSearch({ state: event.target.value })}
        >
          <option value="">{t('everyState')}</option>
          {requestStatuses.map((one) => (
            <option key={one} value={one}>
              {word(one)}
            </option>
          ))}
        </select>
        {languages.length > 1 && (
          <select
            className={css.select}
            aria-label={t('language')}
            value={search.language ?? ''}
            onChange={(event) => setSearch({ language: event.target.value })}
          >
            <option value="">{t('everyLanguage')}</option>
            {languages.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        )}
        <span className={css.push} />
        <Button
          small
          kind="quiet"
          refusal={inReview.length === 0 ? t('noneInReview') : undefined}
          onClick={() => setMarked(new Set(inReview.map(({ requestId }) => requestId)))}
        >
          {t('markAll', { count: inReview.length })}
        </Button>
        <Button small glyph="rejected" refusal={refusal} onClick={() => setRejecting(true)}>
          {t('reject', { count: chosen.length })}
        </Button>
        <Button
          small
          kind="main"
          glyph="tick"
          refusal={refusal}
          busy={approve.isPending}
          onClick={() =>
            approve.mutate(
              { params: { jobId }, body: { requestIds: chosen } },
              { onSuccess: () => setMarked(new Set()) },
            )
          }
        >
          {t('approve', { count: chosen.length })}
        </Button>
        {approve.error && (
          <p role="alert" className={css.failure}>
            <bdi>{approve.error.message}</bdi>
          </p>
        )}
      </div>
      <Grid
        label={t('tab.requests')}
        columns={columns}
        pages={pages}
        idOf={({ requestId }) => requestId}
        selected={search.at?.startsWith('request.') ? search.at.slice(8) : undefined}
        onOpen={({ requestId }) => setSearch({ at: `request.${requestId}` }, search.at ? 'replace' : 'push')}
        marked={marked}
        onMark={toggle}
        empty={
          <Empty title={status || search.language ? t('noSuchRequests') : t('noRequests')} glyph="jobs">
            {(status || search.language) && (
              <Button small onClick={() => setSearch({ state: undefined, language: undefined })}>
                {t('clearFilter')}
              </Button>
            )}
          </Empty>
        }
      />
      {isRejecting && (
        <RejectDialog
          jobId={jobId}
          requestIds={chosen}
          onClose={(isDone) => {
            setRejecting(false)
            if (isDone) setMarked(new Set())
          }}
        />
      )}
    </>
  )
}
