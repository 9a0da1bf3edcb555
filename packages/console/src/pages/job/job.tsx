/** Everything about one job: its state and facts, then a tab for each question. */
import { type Job, paidWords } from '@dragoman/contract/wire'
import { useState } from 'react'
import { useParams } from 'wouter'
import { useMinute } from '../../clock.ts'
import { Pill, StatePill } from '../../look/states.tsx'
import { Comments } from '../../parts/comments/comments.tsx'
import { Copy } from '../../parts/controls.tsx'
import { DeliveryInspector } from '../../parts/deliveries/delivery-inspector.tsx'
import { useLateWords } from '../../parts/due.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Facts, Page, Tabs } from '../../parts/page.tsx'
import { StateBar, type StateCounts } from '../../parts/plots/state-bar.tsx'
import { Empty, Failed, Loading } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay, useSession } from '../../session.tsx'
import { useLive } from '../../stream.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { Acts } from './acts-menu.tsx'
import { CostTab, useJobWords } from './cost.tsx'
import { DeliveriesTab } from './deliveries.tsx'
import { EntryInspector, type Selection } from './entry-inspector.tsx'
import { FilesTab } from './files.tsx'
import css from './job.module.css'
import { MetadataTab } from './metadata.tsx'
import { RawTab } from './raw.tsx'
import { RequestInspector } from './request-inspector.tsx'
import { RequestsTab } from './requests.tsx'
import type { Key } from './sentence.tsx'
import { TimelineTab } from './timeline.tsx'
import { idOf } from './timeline-rows.ts'
import { VerdictsOf } from './verdicts.tsx'
import { Waits } from './waits.tsx'

const tabs = [
  'timeline',
  'requests',
  'comments',
  'files',
  'deliveries',
  'cost',
  'metadata',
  'raw',
] as const
type TabName = (typeof tabs)[number]
const isTab = (name: string): name is TabName => (tabs as readonly string[]).includes(name)

export default function JobPage() {
  const t = useWords<Key>('job')
  const { jobId = '', tab = 'timeline' } = useParams<{ jobId: string; tab?: string }>()
  const job = useCall(
    'findJob',
    { params: { jobId }, query: { aggregateRequests: true } },
    { keepOld: false },
  )
  const above = { href: '/', text: t('jobs') }
  if (!job.data) {
    const isGone = job.error?.status === 404
    return (
      <Page title={isGone ? t('gone') : t('title')} above={above}>
        {isGone ? (
          <Empty title={t('gone')}>{t('goneBody', { jobId })}</Empty>
        ) : job.error ? (
          <Failed failure={job.error} retry={() => void job.refetch()} />
        ) : (
          <Loading rows={8} />
        )}
      </Page>
    )
  }
  return (
    <VerdictsOf key={jobId} jobId={jobId}>
      <JobShown job={job.data} tab={isTab(tab) ? tab : 'timeline'} />
    </VerdictsOf>
  )
}

function JobShown({ job, tab }: { readonly job: Job; readonly tab: TabName }) {
  const t = useWords<Key>('job')
  const [selected, setSelected] = useState<Selection>()
  const { jobId, statusCode } = job
  useLive(
    'findJob',
    'listTimeline',
    'findJobLanes',
    'listRequests',
    'listSiteDeliveries',
    'findDelivery',
  )
  const isDeveloper = useMay('developer')
  const open = { jobId, state: ['PENDING' as const, 'PARKED' as const] }
  const undelivered =
    useCall('listSiteDeliveries', { query: open }, { enabled: isDeveloper }).data?.deliveries ?? []
  const failing = undelivered.filter(({ state, tries }) => state === 'PARKED' || tries > 0).length
  const provider = useCall(
    'findProvider',
    { params: { providerId: job.providerId ?? '' } },
    { enabled: job.providerId !== undefined },
  ).data
  const counts = (job.aggregateRequests?.byStatusCode ?? {}) as StateCounts
  const titles: Record<TabName, { count?: React.ReactNode; isBad?: boolean }> = {
    timeline: {},
    requests: { count: job.aggregateRequests?.total },
    comments: {},
    files: {},
    deliveries: failing > 0 ? { count: t('failing', { count: failing }), isBad: true } : {},
    cost: {},
    metadata: {},
    raw: {},
  }
  const shown = {
    timeline: <TimelineTab job={job} provider={provider?.name ?? ''} onSelected={setSelected} />,
    requests: <RequestsTab job={job} />,
    comments: <JobComments job={job} />,
    files: <FilesTab job={job} />,
    deliveries: <DeliveriesTab job={job} />,
    cost: <CostTab job={job} />,
    metadata: <MetadataTab job={job} schema={provider?.extendedMetadataSchema} />,
    raw: <RawTab job={job} />,
  }
  const scrollsItself =
    tab === 'timeline' || tab === 'requests' || tab === 'files' || tab === 'deliveries'
  return (
    <Page
      title={job.jobName}
      above={{ href: '/', text: t('jobs') }}
      beside={
        <>
          <StatePill status={statusCode} />
          {job.archiveStatus !== 'ACTIVE' && (
            <Pill look="cancelled">{t(`archive.${job.archiveStatus}`)}</Pill>
          )}
          {job.hasError && (
            <Pill look="rejected" glyph="error">
              {t('hasError')}
            </Pill>
          )}
          {failing > 0 && (
            <Pill look="rejected" glyph="error">
              {t('deliveriesFailing', { count: failing })}
            </Pill>
          )}
        </>
      }
      acts={<Acts job={job} />}
      head={
        <>
          <JobFacts job={job} provider={provider?.name} />
          {job.latestErrorMessage && (
            <p className="mut">
              <bdi>{job.latestErrorMessage}</bdi>
            </p>
          )}
          <Waits job={job} />
          <StateBar counts={counts} />
          <Tabs
            label={t('tabs')}
            at={tab}
            tabs={tabs.map((name) => ({
              name,
              href: `/jobs/${jobId}/${name}`,
              title: t(`tab.${name}`),
              ...titles[name],
            }))}
          />
        </>
      }
      inspector={
        <Selected job={job} tab={tab} selected={selected} provider={provider?.name ?? ''} />
      }
      fills={scrollsItself}
    >
      {shown[tab]}
    </Page>
  )
}

/** A person of the provider reads what its team says, others what its connector sees. */
function JobComments({ job: { jobId, providerId } }: { readonly job: Job }) {
  const { allowed } = useSession()
  const isTeam = !allowed.includes('listComments') && providerId !== undefined
  return <Comments place={{ jobId, ...(isTeam && { providerId }) }} />
}

/**
 * The thing that `at` in the URL names: `delivery.<id>`, `request.<id>`, or an entry of the
 * timeline.
 */
function Selected({
  job,
  tab,
  selected,
  provider,
}: {
  readonly job: Job
  readonly tab: TabName
  readonly selected: Selection | undefined
  readonly provider: string
}) {
  const [search, setSearch] = useSearchState()
  const [kind = '', ...rest] = (search.at ?? '').split('.')
  const id = rest.join('.')
  if (!id) return null
  const close = () => setSearch({ at: undefined })
  if (kind === 'delivery') return <DeliveryInspector deliveryId={id} onClose={close} />
  if (kind === 'attempt')
    return <DeliveryInspector deliveryId={id.slice(0, id.lastIndexOf('.'))} onClose={close} />
  if (kind === 'request') return <RequestInspector job={job} requestId={id} onClose={close} />
  if (tab !== 'timeline') return null
  const at = search.at ?? ''
  const isRead = selected && idOf(selected.told.entry) === at
  return (
    <EntryInspector
      job={job}
      at={at}
      selected={isRead ? selected : undefined}
      provider={provider}
      onClose={close}
    />
  )
}

function JobFacts({ job, provider }: { readonly job: Job; readonly provider: string | undefined }) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  const isPriced = job.archiveStatus === 'ACTIVE' && job.statusCode !== 'CREATED'
  const { quote, words } = useJobWords(job, isPriced)
  const codes = job.analysisCodes ?? []
  const levels = useCall('listAnalysisCodes', {}, { enabled: codes.length > 0 }).data?.levels ?? []
  const lines = quote?.lines ?? words?.lines
  const now = useMinute()
  const late = useLateWords()
  const isLate = job.dueDate !== undefined && Date.parse(job.dueDate) < now && statusIsOpen(job)
  const facts = (
    <Facts
      facts={[
        job.dueDate !== undefined && {
          name: t('due'),
          value: (
            <span className={isLate ? css.bad : undefined}>
              <Moment at={job.dueDate} as="date" />,{' '}
              {isLate ? late(job.dueDate, now) : <Moment at={job.dueDate} as="relative" />}
            </span>
          ),
        },
        provider !== undefined && { name: t('provider'), value: <bdi>{provider}</bdi> },
        lines && { name: t('words'), value: writers.number(paidWords(lines)) },
        quote && { name: t('cost'), value: writers.money(quote.total, quote.currency) },
        ...codes.map(({ level, code }) => ({
          name: levels.find((one) => one.level === level)?.label || t('level', { level }),
          value: <bdi>{code}</bdi>,
        })),
        Boolean(job.poReference?.trim()) && { name: t('po'), value: <bdi>{job.poReference}</bdi> },
        job.connectorName !== undefined && {
          name: t('connector'),
          value: (
            <bdi>
              {job.connectorName} {job.connectorVersion}
            </bdi>
          ),
        },
        {
          name: t('jobId'),
          value: (
            <span className={css.withCopy}>
              <span className="mono">{job.jobId}</span>
              <Copy text={job.jobId} label={t('copyId')} />
            </span>
          ),
        },
      ]}
    />
  )
  // A narrow screen has room for the first few only.
  return <div className={css.facts}>{facts}</div>
}

const statusIsOpen = ({ statusCode }: Job): boolean =>
  statusCode !== 'COMPLETED' && statusCode !== 'CANCELLED'
