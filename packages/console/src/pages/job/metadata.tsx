/**
 * What the connector sent with the job: metadata with the titles of the provider's schema, labels,
 * codes, custom data.
 */
import type { Job } from '@dragoman/contract/wire'
import { Pill } from '../../look/states.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Code } from '../../parts/page.tsx'
import { Empty } from '../../parts/said.tsx'
import { useWords } from '../../words/words.ts'
import css from './job.module.css'
import type { Key } from './sentence.tsx'

type Titled = { readonly title?: unknown; readonly properties?: Readonly<Record<string, Titled>> }

export function MetadataTab({ job, schema }: { readonly job: Job; readonly schema: unknown }) {
  const t = useWords<Key>('job')
  const metadata = Object.entries(job.extendedMetadata ?? {})
  const labels = Array.isArray(job.labels)
    ? job.labels
    : Object.entries(job.labels ?? {}).map(([name, value]) => `${name}: ${value}`)
  const facts: [string, React.ReactNode][] = [
    [t('description'), job.description && <bdi>{job.description}</bdi>],
    [t('creator'), <bdi key="creator">{job.creatorId}</bdi>],
    [t('submitter'), job.submitterId && <bdi>{job.submitterId}</bdi>],
    [t('created'), <Moment key="created" at={job.createdDate} />],
    [t('submitted'), job.submittedDate && <Moment at={job.submittedDate} />],
    [t('archival'), job.estimatedArchivalDate && <Moment at={job.estimatedArchivalDate} />],
    [t('serviceType'), job.serviceType && <bdi>{job.serviceType}</bdi>],
    [t('providerReference'), job.providerReference && <bdi>{job.providerReference}</bdi>],
    [t('upstream'), job.upstream?.jobId && <UpstreamLink upstream={job.upstream} />],
    [t('tracking'), job.globalTrackingId && <span className="mono">{job.globalTrackingId}</span>],
  ]
  return (
    <div className={css.sections}>
      <section>
        <h2>{t('facts')}</h2>
        <dl className={css.pairs}>
          {facts
            .filter(([, value]) => value)
            .map(([name, value]) => (
              <Pair key={name} name={name} value={value} />
            ))}
        </dl>
      </section>
      <section>
        <h2>{t('extendedMetadata')}</h2>
        {metadata.length === 0 ? (
          <Empty title={t('noMetadata')} />
        ) : (
          <dl className={css.pairs}>
            {metadata.map(([name, value]) => (
              <Pair key={name} name={titleOf(schema, name)} value={<Value value={value} />} />
            ))}
          </dl>
        )}
      </section>
      {labels.length > 0 && (
        <section>
          <h2>{t('labels')}</h2>
          <ul className={css.labels}>
            {labels.map((label) => (
              <li key={label}>
                <Pill look="created">
                  <bdi>{label}</bdi>
                </Pill>
              </li>
            ))}
          </ul>
        </section>
      )}
      {job.customData !== undefined && (
        <section>
          <h2>{t('customData')}</h2>
          <Code label={t('customData')} text={job.customData} />
        </section>
      )}
    </div>
  )
}

function titleOf(schema: unknown, name: string): string {
  const title = (schema as Titled | undefined)?.properties?.[name]?.title
  return typeof title === 'string' ? title : name
}

function Pair({ name, value }: { readonly name: string; readonly value: React.ReactNode }) {
  return (
    <>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd dir="auto">{value}</dd>
    </>
  )
}

const Value = ({ value }: { readonly value: unknown }) =>
  typeof value === 'string' ? <bdi>{value}</bdi> : <code>{JSON.stringify(value, null, 1)}</code>

/** The same job at the service that it was sent on to. */
const UpstreamLink = ({ upstream: { url, jobId } }: { upstream: NonNullable<Job['upstream']> }) => (
  <a href={`${url}/jobs/${jobId}`} target="_blank" rel="noreferrer">
    <bdi>{`${jobId} · ${URL.canParse(url) ? new URL(url).host : url}`}</bdi>
  </a>
)
