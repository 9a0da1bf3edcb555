/**
 * The requests of a job: approve or reject many at once, download translations, see what went
 * wrong.
 */
import { type Job, type JobRequest, requestStatuses } from '@dragoman/contract/wire'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { HubFailure } from '../../hub.ts'
import { useKeys } from '../../keys.ts'
import { eachLanguage } from '../../language-keys.ts'
import { useLeft } from '../../left.ts'
import { useStateWord } from '../../look/states.tsx'
import { Button } from '../../parts/controls.tsx'
import { Grid } from '../../parts/grid.tsx'
import type { Verdict } from '../../parts/review/use-verdicts.ts'
import { useRoleName } from '../../parts/role-names.ts'
import { Empty } from '../../parts/said.tsx'
import { type Search, useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { reviewRefusal } from './acts.ts'
import css from './job.module.css'
import { RejectDialog } from './reject-dialog.tsx'
import { useRequestColumns } from './request-columns.tsx'
import {
  allInReview,
  inReview,
  useMatching,
  useRequestFilter,
  useRequestPages,
} from './request-pages.ts'
import type { Key } from './sentence.tsx'
import { useJobVerdicts, VerdictBar } from './verdicts.tsx'

export function RequestsTab({ job }: { readonly job: Job }) {
  const t = useWords<Key>('job')
  const roleName = useRoleName()
  const word = useStateWord()
  const writers = useWriters()
  const [search, setSearch] = useSearchState()
  const [ids, changeIds] = useLeft<readonly string[]>('marked', [])
  const marked = useMemo(() => new Set(ids), [ids])
  const setMarked = (next: ReadonlySet<string>) => changeIds(() => [...next])
  const [isRejecting, setRejecting] = useState(false)
  const { jobId } = job
  const { status, language } = useRequestFilter()
  const pages = useRequestPages(job)
  const verdicts = useJobVerdicts()
  const mayReview = useMay('reviewer', 'manager')
  const isBeside = search.at?.startsWith('request.') === true
  const states = new Map(pages.items.map((one) => [one.requestId, one.statusCode]))
  // Marked ones beyond those that were read are in review as far as is known.
  const chosen = [...marked].filter(
    (id) => (states.get(id) ?? inReview) === inReview && !verdicts.on(id),
  )
  const refusal = !mayReview
    ? t('mayNot', { role: roleName('reviewer') })
    : (reviewRefusal(job) ?? (chosen.length === 0 ? t('markInReview') : undefined))
  const toggle = ({ requestId }: JobRequest) => {
    const next = new Set(marked)
    if (!next.delete(requestId)) next.add(requestId)
    setMarked(next)
  }
  const give = (verdict: Verdict, requestIds: readonly string[], note = '') => {
    verdicts.give({ verdict, requestIds, ...(note && { note }) })
    setMarked(new Set())
    setRejecting(false)
  }
  const all = useMutation<string[], HubFailure>({
    mutationFn: () => allInReview(jobId, language),
    onSuccess: (ids) => setMarked(new Set(ids.filter((id) => !verdicts.on(id)))),
  })
  const count = useMatching(job, pages)
  const filter = (some: Search) => {
    setMarked(new Set())
    setSearch(some)
  }
  const mayJudge = mayReview && reviewRefusal(job) === undefined
  useKeys(count === 0 ? [] : [{ keys: 'a', says: t('markAllKey'), act: () => all.mutate() }])
  const keys = [
    {
      keys: 'y',
      says: t('approve', { count: chosen.length }),
      act: ({ requestId, statusCode }: JobRequest) => {
        if (chosen.length > 0) give('approve', chosen)
        else if (statusCode === inReview && !verdicts.on(requestId)) give('approve', [requestId])
      },
    },
    {
      keys: 'n',
      says: t('reject', { count: chosen.length }),
      act: (request: JobRequest) => {
        if (chosen.length === 0 && request.statusCode !== inReview) return
        if (chosen.length === 0) setMarked(new Set([request.requestId]))
        setRejecting(true)
      },
    },
  ]
  const columns = useRequestColumns(job, new Set(chosen), toggle, isBeside)
  const languages = eachLanguage(job.targetNativeLanguageCodes ?? [])
  return (
    <>
      <div className={css.bar}>
        <select
          className={css.select}
          aria-label={t('state')}
          value={status ?? ''}
          onChange={(event) => filter({ state: event.target.value })}
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
            onChange={(event) => filter({ language: event.target.value })}
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
          busy={all.isPending}
          refusal={count === 0 ? t('noneInReview') : undefined}
          onClick={() =>
            chosen.length > 0 && chosen.length === count ? setMarked(new Set()) : all.mutate()
          }
        >
          {chosen.length > 0 && chosen.length === count
            ? t('unmarkAll')
            : count === undefined
              ? t('markEvery')
              : t('markAll', { count: writers.number(count) })}
        </Button>
        <Button small glyph="rejected" refusal={refusal} onClick={() => setRejecting(true)}>
          {t('reject', { count: chosen.length })}
        </Button>
        <Button
          small
          kind="main"
          glyph="tick"
          refusal={refusal}
          onClick={() => give('approve', chosen)}
        >
          {t('approve', { count: chosen.length })}
        </Button>
        {all.error && (
          <p role="alert" className={css.failure}>
            <bdi>{all.error.message}</bdi>
          </p>
        )}
      </div>
      {!isBeside && <VerdictBar />}
      <Grid
        label={t('tab.requests')}
        columns={columns}
        pages={pages}
        idOf={({ requestId }) => requestId}
        selected={search.at?.startsWith('request.') ? search.at.slice(8) : undefined}
        onOpen={({ requestId }) =>
          setSearch({ at: `request.${requestId}` }, search.at ? 'replace' : 'push')
        }
        marked={marked}
        onMark={toggle}
        rowKeys={mayJudge && !isBeside ? keys : []}
        empty={
          <Empty title={status || language ? t('noSuchRequests') : t('noRequests')} glyph="jobs">
            {(status || language) && (
              <Button small onClick={() => filter({ state: undefined, language: undefined })}>
                {t('clearFilter')}
              </Button>
            )}
          </Empty>
        }
      />
      {isRejecting && (
        <RejectDialog
          count={chosen.length}
          onReject={(note) => give('reject', chosen, note)}
          onClose={() => setRejecting(false)}
        />
      )}
    </>
  )
}
