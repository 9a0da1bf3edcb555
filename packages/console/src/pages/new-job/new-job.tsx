/**
 * New job: content, languages and provider on the left; on the right what the hub has so far, what
 * it costs, and Submit.
 */
import { useCallback, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useKeys } from '../../keys.ts'
import { Button, ButtonLink } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Page, Panel } from '../../parts/page.tsx'
import { useProviders } from '../../parts/provider-names.ts'
import { Empty } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay, useSession } from '../../session.tsx'
import type en from '../../words/en/new-job.json'
import { useWords } from '../../words/words.ts'
import { DropZone } from './drop-zone.tsx'
import { emptyForm, type Form } from './form.ts'
import { FormFields } from './form-fields.tsx'
import css from './new-job.module.css'
import { PasteField } from './paste-field.tsx'
import { NotPriced, QuotePanel, SoFar } from './so-far.tsx'
import { forgetDraft, lastDraft, readDraft, storedLanguages } from './stored-draft.ts'
import { useDraft } from './use-draft.ts'

/** Another draft is a new page, with nothing left of the previous one. */
export default function NewJobPage() {
  const [search] = useSearchState()
  const [draft] = useState({ first: search.job })
  const isOther =
    search.job !== undefined && draft.first !== undefined && search.job !== draft.first
  return <NewJob key={isOther ? search.job : 'draft'} />
}

function NewJob() {
  const t = useWords<keyof typeof en>('new-job')
  const [search, change] = useSearchState()
  const [, go] = useLocation()
  const { person, version } = useSession()
  const may = useMay('manager')
  const jobId = search.job
  const [form, setForm] = useState<Form>(
    () =>
      (jobId && readDraft(jobId)?.form) || { ...emptyForm, ...(jobId ? {} : storedLanguages()) },
  )
  const [isDiscarding, setDiscarding] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { all: providers, isLoading } = useProviders()
  const names = useMemo(() => ({ job: t('untitled'), pasted: t('pastedName') }), [t])
  const maker = useMemo(() => ({ personId: person.personId, version }), [person.personId, version])
  const onJob = useCallback((id: string) => change({ job: id }), [change])
  const draft = useDraft({ form, jobId, onJob, names, maker })
  const found = useCall(
    'findJob',
    { params: { jobId: jobId ?? '' } },
    { enabled: jobId !== undefined },
  )
  const set = (some: Partial<Form>) => setForm((before) => ({ ...before, ...some }))
  const refusal = refusalOf()
  const submit = async (wasAsked = false) => {
    if (refusal !== undefined || draft.submission.state === 'working') return
    const submitted = await draft.submit(wasAsked)
    setAsking(submitted === 'incomplete')
    if (submitted && submitted !== 'incomplete') go(`/jobs/${submitted}`)
  }
  useKeys([{ keys: 'Ctrl Enter', says: t('submit'), everywhere: true, act: () => void submit() }])

  function refusalOf(): string | undefined {
    if (!may) return t('needsManager')
    if (draft.files.length === 0 && draft.pairs.length === 0) return t('why.content')
    if (!form.source) return t('why.source')
    if (form.targets.length === 0) return t('why.targets')
    if (!form.providerId) return t('why.provider')
    if (draft.files.some(({ state }) => state !== 'stored')) return t('why.uploads')
    if (draft.job.state === 'failed' || draft.requests.state === 'failed') return t('why.failed')
    return undefined
  }

  const job = found.data
  if (jobId && job && job.statusCode !== 'CREATED' && draft.submission.state === 'none')
    return (
      <Page title={t('title')} above={{ href: '/', text: t('jobs') }}>
        <Empty title={t('alreadySubmitted')} glyph="approved">
          <ButtonLink href={`/jobs/${jobId}`}>{t('openJob')}</ButtonLink>
        </Empty>
      </Page>
    )
  const unfinished =
    jobId === undefined && draft.files.length === 0 && !form.pasted ? lastDraft() : undefined
  return (
    <Page title={t('title')} above={{ href: '/', text: t('jobs') }}>
      <div className={css.layout}>
        <div className={css.main}>
          {unfinished && (
            <Panel tone="warn">
              <p>{t('unfinished')}</p>
              <div className={css.row}>
                <Button small onClick={() => location.assign(`?job=${unfinished}`)}>
                  {t('continue')}
                </Button>
                <Button
                  small
                  kind="quiet"
                  onClick={() => {
                    forgetDraft(unfinished)
                    set({})
                  }}
                >
                  {t('forget')}
                </Button>
              </div>
            </Panel>
          )}
          <DropZone {...draft} />
          <PasteField text={form.pasted} onText={(pasted) => set({ pasted })} />
          <FormFields
            form={form}
            set={set}
            providers={providers}
            hasProviders={!isLoading}
            placeholder={job?.jobName ?? ''}
          />
        </div>
        <aside className={css.side} aria-label={t('soFar')}>
          <SoFar draft={draft} jobId={jobId} />
          {draft.quote.found && (
            <QuotePanel
              quote={draft.quote.found}
              targets={form.targets}
              isOld={draft.quote.state !== 'done'}
            />
          )}
          {draft.submission.failure && (
            <Panel tone="bad">
              <div role="alert">
                <p>
                  <bdi>{draft.submission.failure.message}</bdi>
                </p>
                <ul className={css.faults}>
                  {draft.submission.failure.details?.map(({ path, message }) => (
                    <li key={path + message}>
                      <code>{path}</code> <bdi>{message}</bdi>
                    </li>
                  ))}
                </ul>
                <code>{draft.submission.failure.code}</code>
              </div>
            </Panel>
          )}
          <Button
            kind="main"
            refusal={refusal}
            busy={draft.submission.state === 'working'}
            onClick={() => void submit()}
            title="Ctrl Enter"
          >
            {t('submit')}
          </Button>
          {refusal && <p className="meta mut">{refusal}</p>}
          {jobId && (
            <Button kind="quiet" glyph="bin" onClick={() => setDiscarding(true)}>
              {t('discard')}
            </Button>
          )}
        </aside>
      </div>
      {isAsking && draft.quote.found && (
        <Dialog
          title={t('submitUnpriced')}
          act={t('submit')}
          busy={draft.submission.state === 'working'}
          onClose={() => setAsking(false)}
          onAct={() => void submit(true)}
        >
          <NotPriced quote={draft.quote.found} targets={form.targets} />
          <p>{t('unpricedAsk')}</p>
        </Dialog>
      )}
      {isDiscarding && (
        <Dialog
          title={t('discard')}
          act={t('discard')}
          kind="danger"
          onClose={() => setDiscarding(false)}
          onAct={() => void draft.discard().then((isGone) => isGone && go('/'))}
        >
          <p>{t('discardAsk')}</p>
        </Dialog>
      )}
    </Page>
  )
}
