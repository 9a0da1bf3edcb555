/**
 * One provider: whether it accepts jobs, a test, what it cost, its config, languages, metadata, and
 * sending a job again.
 */
import { useState } from 'react'
import { Link } from 'wouter'
import { Button, Copy } from '../../parts/controls.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Name } from '../../parts/name.tsx'
import { Code, Facts, Inspector, Panel } from '../../parts/page.tsx'
import { Shown } from '../../parts/said.tsx'
import { useAct, useCall } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/providers.json'
import { useWords } from '../../words/words.ts'
import { type Provider, StatusPill, type Work } from './provider.tsx'
import css from './providers.module.css'
import type { Shares } from './shares.ts'
import { TestPanel } from './test-panel.tsx'
import { UsagePanel } from './usage-panel.tsx'

type Key = keyof typeof en

export function ProviderInspector({
  providerId,
  typeName,
  work,
  shares,
  onClose,
}: {
  readonly providerId: string
  readonly typeName: (typeId: string) => string
  readonly work: Work | undefined
  readonly shares: Shares
  readonly onClose: () => void
}) {
  const t = useWords<Key>('providers')
  const found = useCall('findProvider', { params: { providerId } }, { keepOld: false })
  const name = found.data?.name ?? ''
  return (
    <Inspector
      label={t('details')}
      title={
        <>
          <Name of={name} />
          {found.data && <StatusPill status={found.data.status} />}
        </>
      }
      onClose={onClose}
    >
      <Shown of={found}>
        {(provider) => (
          <>
            <StatePanel {...{ provider, work, shares }} />
            <TestPanel provider={provider} />
            {provider.typeId === 'machine-translation' && <UsagePanel provider={provider} />}
            <ConfigPanel provider={provider} typeName={typeName} />
            <LanguagesPanel provider={provider} />
            <SchemaPanel provider={provider} />
            <InvokePanel provider={provider} />
          </>
        )}
      </Shown>
    </Inspector>
  )
}

/** First a sentence: whether it accepts jobs, and how much work it has. */
type StateProps = {
  readonly provider: Provider
  readonly work: Work | undefined
  readonly shares: Shares
}

function StatePanel({ provider, work, shares: { onTime, rejected } }: StateProps) {
  const t = useWords<Key>('providers')
  const { percent } = useWriters()
  const mayChange = useMay('admin')
  const act = useAct('changeProvider', ['findProvider', 'listProviders'])
  const isOn = provider.status === 'ENABLED'
  const turn = () =>
    act.mutate({
      params: { providerId: provider.id },
      body: { status: isOn ? 'DISABLED' : 'ENABLED' },
    })
  return (
    <Panel
      tone={isOn ? (work && work.withErrors > 0 ? 'bad' : 'good') : 'warn'}
      title={t(isOn ? 'takesJobs' : 'takesNone')}
    >
      <p className="mut">
        {t('workSentence', {
          open: work?.openJobs ?? 0,
          late: work?.late ?? 0,
          errors: work?.withErrors ?? 0,
        })}{' '}
        {!isOn && t('disabledBody')}
      </p>
      <Facts
        facts={[
          { name: t('onTime'), value: onTime === undefined ? t('nothingDue') : percent(onTime) },
          {
            name: t('rejects'),
            value: rejected === undefined ? t('nothingDue') : percent(rejected),
          },
        ]}
      />
      <p className="dim meta">{t('inTwelveWeeks')}</p>
      <div className={css.acts}>
        <Button
          small
          busy={act.isPending}
          refusal={mayChange ? undefined : t('onlyAdmins')}
          onClick={turn}
        >
          {t(isOn ? 'disable' : 'enable')}
        </Button>
        <Link href={`/?filter=${encodeURIComponent(`providerId eq '${provider.id}'`)}`}>
          {t('showJobs')}
        </Link>
      </div>
      {act.error && (
        <p role="alert" className={css.bad}>
          <bdi>{act.error.message}</bdi>
        </p>
      )}
    </Panel>
  )
}

function ConfigPanel({
  provider,
  typeName,
}: {
  readonly provider: Provider
  readonly typeName: (typeId: string) => string
}) {
  const t = useWords<Key>('providers')
  const [, change] = useSearchState()
  const mayChange = useMay('admin')
  const config = useCall(
    'findProviderConfig',
    { params: { providerId: provider.id } },
    { keepOld: false },
  )
  return (
    <Panel
      title={t('config')}
      beside={
        <span className={css.atEnd}>
          <Button
            small
            refusal={mayChange ? undefined : t('onlyAdmins')}
            onClick={() => change({ form: 'change' }, 'push')}
          >
            {t('change')}
          </Button>
        </span>
      }
    >
      <Facts
        facts={[
          { name: t('type'), value: typeName(provider.typeId) },
          {
            name: t('providerId'),
            value: (
              <span className={css.id}>
                <code>{provider.id}</code> <Copy text={provider.id} label={t('copyId')} />
              </span>
            ),
          },
          ...Object.entries(config.data?.config ?? {}).map(([name, value]) => ({
            name,
            value: <bdi dir="ltr">{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>,
          })),
          ...(config.data?.secrets ?? []).map((name) => ({ name, value: t('secretSet') })),
        ]}
      />
    </Panel>
  )
}

const shownPairs = 12

function LanguagesPanel({ provider }: { readonly provider: Provider }) {
  const t = useWords<Key>('providers')
  const writers = useWriters()
  const [all, setAll] = useState(false)
  const pairs = provider.capabilities.supportedLanguages ?? []
  const shown = all ? pairs : pairs.slice(0, shownPairs)
  return (
    <Panel title={t('languages')}>
      {pairs.length === 0 ? (
        <p className="mut">{t('anyLanguage')}</p>
      ) : (
        <dl className={css.pairs}>
          {shown.map(({ sources, targets }) => (
            <div key={sources.join()}>
              <dt>{writers.list(sources.map(writers.language))}</dt>
              <dd title={targets.join(', ')}>{writers.list(targets.map(writers.language))}</dd>
            </div>
          ))}
        </dl>
      )}
      {pairs.length > shownPairs && !all && (
        <Button small kind="quiet" onClick={() => setAll(true)}>
          {t('allPairs', { count: pairs.length })}
        </Button>
      )}
    </Panel>
  )
}

function SchemaPanel({ provider }: { readonly provider: Provider }) {
  const t = useWords<Key>('providers')
  const [, change] = useSearchState()
  const mayChange = useMay('admin')
  const schema = provider.extendedMetadataSchema
  return (
    <Panel
      title={t('metadata')}
      beside={
        <span className={css.atEnd}>
          <Button
            small
            refusal={mayChange ? undefined : t('onlyAdmins')}
            onClick={() => change({ form: 'schema' }, 'push')}
          >
            {t(schema ? 'editSchema' : 'addSchema')}
          </Button>
        </span>
      }
    >
      {schema ? (
        <Code text={JSON.stringify(schema, null, 2)} label={t('metadata')} />
      ) : (
        <p className="mut">{t('noSchema')}</p>
      )}
    </Panel>
  )
}

/** Sends a job to the provider again, with the requests that are still open. */
function InvokePanel({ provider }: { readonly provider: Provider }) {
  const t = useWords<Key>('providers')
  const mayInvoke = useMay('manager')
  const [jobId, setJobId] = useState('')
  const act = useAct('invokeProvider', ['countProviderWork'])
  return (
    <Panel title={t('sendAgain')}>
      <form
        className={css.invoke}
        onSubmit={(event) => {
          event.preventDefault()
          if (jobId.trim())
            act.mutate({ params: { providerId: provider.id }, body: { jobId: jobId.trim() } })
        }}
      >
        <TextField
          label={t('jobId')}
          help={t('sendAgainHelp')}
          mono
          value={jobId}
          onChange={setJobId}
          fault={act.error?.message}
        />
        <Button
          type="submit"
          glyph="again"
          busy={act.isPending}
          refusal={mayInvoke ? undefined : t('onlyManagers')}
        >
          {t('sendAgain')}
        </Button>
      </form>
      <p role="status" className={css.good}>
        {act.data && t('sentAgain', { job: act.data.jobId })}
      </p>
    </Panel>
  )
}
