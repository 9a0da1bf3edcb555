/** Who did what to which thing: the audit log, by filter, and as a file. */
import type { AuditEntry } from '@dragoman/contract/wire'
import { Link } from 'wouter'
import type { CallInput } from '../../hub.ts'
import { Button } from '../../parts/controls.tsx'
import { type Column, Grid } from '../../parts/grid.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Code, Facts, Inspector, Page, Panel } from '../../parts/page.tsx'
import { Empty } from '../../parts/said.tsx'
import { usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useWords } from '../../words/words.ts'
import { ExportAudit } from './export-audit.tsx'
import css from './health.module.css'
import type { Key, PartProps } from './part.ts'

const filters = ['client', 'thing', 'thingId', 'verb', 'since', 'until'] as const
const words = {
  client: 'client',
  thing: 'thing',
  thingId: 'id',
  verb: 'verb',
  since: 'fromDay',
  until: 'toDay',
} as const
const isDay = (name: string): boolean => name === 'since' || name === 'until'

export function Audit({ frame }: PartProps) {
  const t = useWords<Key>('health')
  const [search, change] = useSearchState()
  const given = filters.flatMap((name) => {
    const value = search[name]
    if (!value) return []
    // The last day is meant whole.
    return [[name, name === 'until' && value.length === 10 ? `${value}T23:59:59.999Z` : value] as const]
  })
  const query = Object.fromEntries(given) as CallInput<'listAudit'>['query'] & object
  const pages = usePages('listAudit', { query })
  const selected = pages.items.find(({ auditId }) => String(auditId) === search.act)
  return (
    <Page
      {...frame}
      fills
      acts={<ExportAudit query={query} />}
      inspector={selected && <ActInspector act={selected} onClose={() => change({ act: undefined })} />}
    >
      <div className={css.bar}>
        {filters.map((name) => (
          <label key={name}>
            <span>{t(words[name])}</span>
            <input
              type={isDay(name) ? 'date' : 'search'}
              size={12}
              maxLength={100}
              value={search[name] ?? ''}
              onChange={({ target }) => change({ [name]: target.value })}
            />
          </label>
        ))}
      </div>
      <Grid
        label={t('audit')}
        columns={useColumns()}
        pages={pages}
        idOf={({ auditId }) => String(auditId)}
        selected={search.act}
        onOpen={({ auditId }) => change({ act: String(auditId) }, 'push')}
        empty={
          <Empty title={t('noActs')}>
            <p>{t('noActsBody')}</p>
            <Button small onClick={() => change(Object.fromEntries(filters.map((name) => [name, undefined])))}>
              {t('clear')}
            </Button>
          </Empty>
        }
      />
    </Page>
  )
}

/** A person's name, a client, the command line or the hub itself. */
function useWho(): (act: AuditEntry) => string {
  const t = useWords<Key>('health')
  return ({ actor, clientId }) => clientId ?? (actor === 'client' ? '' : t(`actor.${actor}` as Key))
}

function useColumns(): Column<AuditEntry>[] {
  const t = useWords<Key>('health')
  const who = useWho()
  return [
    { name: 'time', title: t('time'), width: '170px', narrow: 2, cell: ({ time }) => <Moment at={time} /> },
    { name: 'who', title: t('who'), width: 'minmax(0, 1fr)', narrow: 1, cell: (act) => <bdi>{who(act)}</bdi> },
    {
      name: 'what',
      title: t('what'),
      width: 'minmax(0, 2fr)',
      narrow: 1,
      cell: ({ verb, thing, thingId }) => (
        <span lang="en" dir="ltr">
          <b>{verb}</b> {thing} <bdi className="mono">{thingId}</bdi>
        </span>
      ),
    },
    {
      name: 'fields',
      title: t('fields'),
      width: 'minmax(0, 1fr)',
      narrow: 2,
      cell: ({ fields }) => <bdi className="dim">{fields?.join(', ')}</bdi>,
    },
  ]
}

function ActInspector({ act, onClose }: { readonly act: AuditEntry; readonly onClose: () => void }) {
  const t = useWords<Key>('health')
  const who = useWho()
  const { auditId, time, verb, thing, thingId, siteId, fields, was, is, traceId } = act
  return (
    <Inspector label={t('act', { id: auditId })} title={t('act', { id: auditId })} onClose={onClose}>
      <Panel>
        <p lang="en" dir="ltr" className={css.wrap}>
          <bdi>{who(act)}</bdi> <b>{verb}</b> {thing} <bdi className="mono">{thingId}</bdi>
        </p>
        <Facts
          facts={[
            { name: t('time'), value: <Moment at={time} /> },
            siteId ? { name: t('site'), value: <bdi>{siteId}</bdi> } : undefined,
            fields ? { name: t('fields'), value: fields.join(', ') } : undefined,
            { name: t('traceOf'), value: <Link href={`/calls/${encodeURIComponent(traceId)}`}>{traceId}</Link> },
          ]}
        />
      </Panel>
      {was && (
        <Panel title={t('was')}>
          <Code label={t('was')} text={JSON.stringify(was, null, 2)} />
        </Panel>
      )}
      {is && (
        <Panel title={t('is')}>
          <Code label={t('is')} text={JSON.stringify(is, null, 2)} />
        </Panel>
      )}
    </Inspector>
  )
}
