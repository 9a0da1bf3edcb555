/**
 * The audit log: who did what to which thing, with the old and the new values, filtered by the URL.
 * The pages of health and of access both have it.
 */
import { auditThings } from '@dragoman/contract/wire'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { usePages } from '../../queries.ts'
import type en from '../../words/en/audit.json'
import { useWords } from '../../words/words.ts'
import { Copy } from '../controls.tsx'
import { ChoiceField, TextField } from '../fields.tsx'
import { columnsOf } from '../list/columns.tsx'
import { useLiveList } from '../list/list.tsx'
import { ListPage } from '../list/list-page.tsx'
import { useRowInQuery } from '../list/open-row.ts'
import { useUrlFilter } from '../list/url-filter.ts'
import { Moment } from '../moment.tsx'
import { Name } from '../name.tsx'
import { Code, Facts, Inspector, Panel } from '../page.tsx'
import css from './audit-list.module.css'
import { auditFilters, useAuditQuery } from './audit-query.ts'
import { ExportAudit } from './export-audit.tsx'
import { type Act, Thing } from './thing.tsx'

type Key = keyof typeof en

/** Who acted, in words. */
export function Actor({ act: { actor, clientId, personId } }: { readonly act: Act }) {
  const t = useWords<Key>('audit')
  const people = usePages('listPeople', {}, { enabled: personId !== undefined })
  if (personId)
    return <Name of={people.items.find((one) => one.personId === personId)?.name ?? personId} />
  if (clientId) return <Name of={clientId} />
  return <>{t(actor === 'hub' ? 'byHub' : 'byCommand')}</>
}

type AuditProps = { readonly title: string; readonly head: ReactNode }

export function AuditPage({ title, head }: AuditProps) {
  const t = useWords<Key>('audit')
  const filter = useUrlFilter(auditFilters)
  const { search, change } = filter
  const list = useLiveList('listAudit', { query: useAuditQuery() })
  const open = useRowInQuery('act')
  const act = list.pages.items.find(({ auditId }) => String(auditId) === open.id)
  const field = (name: (typeof auditFilters)[number]) => ({
    label: t(name),
    value: search[name] ?? '',
    onChange: (value: string) => change({ [name]: value }),
  })
  const column = columnsOf<Act, Key>(t)
  return (
    <ListPage
      {...{ title, head }}
      {...list}
      label={t('title')}
      columns={[
        column('time', '170px', 2, ({ time }) => <Moment at={time} />),
        column('who', 'minmax(0, 1fr)', 2, (one) => <Actor act={one} />),
        column('what', 'minmax(0, 2fr)', 1, (one) => (
          <span lang="en" className={css.what}>
            <span>
              {one.thing} <b>{one.verb}</b>
            </span>
            <Thing act={one} />
          </span>
        )),
        column('fields', 'minmax(0, 1fr)', 'hidden', ({ fields }) => (
          <span className="mut">{fields?.join(', ')}</span>
        )),
      ]}
      idOf={({ auditId }) => String(auditId)}
      rowHeight={34}
      open={open}
      filter={filter}
      none={{ glyph: 'lock', title: t('none'), body: <p>{t('noneBody')}</p> }}
      noMatch={{ glyph: 'lock', title: t('noMatch'), clear: t('clear') }}
      acts={<ExportAudit />}
      inspector={act && <ActInspector act={act} onClose={open.close} />}
      bar={
        <div className={css.bar}>
          <ChoiceField
            {...field('thing')}
            choices={[
              { value: '', title: t('everything') },
              ...auditThings.map((one) => ({ value: one, title: one })),
            ]}
          />
          <TextField mono maxLength={100} {...field('thingId')} />
          <TextField mono maxLength={100} {...field('client')} />
          <TextField maxLength={100} {...field('verb')} />
          <TextField kind="date" {...field('since')} />
          <TextField kind="date" {...field('until')} />
        </div>
      }
    />
  )
}

type InspectorProps = { readonly act: Act; readonly onClose: () => void }

/** The act that the URL names, beside the list. */
function ActInspector({ act, onClose }: InspectorProps) {
  const t = useWords<Key>('audit')
  const facts = (side: unknown) => JSON.stringify(side, null, 2)
  return (
    <Inspector
      label={t('title')}
      title={
        <span lang="en">
          {act.thing} {act.verb}
        </span>
      }
      onClose={onClose}
    >
      <Panel>
        <Facts
          facts={[
            { name: t('time'), value: <Moment at={act.time} /> },
            { name: t('who'), value: <Actor act={act} /> },
            act.siteId !== undefined && { name: t('site'), value: <bdi>{act.siteId}</bdi> },
            { name: t('thingId'), value: <Thing act={act} withId /> },
            act.fields !== undefined && { name: t('fields'), value: act.fields.join(', ') },
            {
              name: t('trace'),
              value: (
                <Copy text={act.traceId} label={t('copyTrace')}>
                  <span className="mono">{act.traceId}</span>
                </Copy>
              ),
            },
          ]}
        />
        <p>
          <Link href={`/calls/${encodeURIComponent(act.traceId)}`}>{t('showCall')}</Link>
        </p>
      </Panel>
      {act.was && (
        <Panel title={t('was')}>
          <Code text={facts(act.was)} label={t('was')} />
        </Panel>
      )}
      {act.is && (
        <Panel title={t('is')}>
          <Code text={facts(act.is)} label={t('is')} />
        </Panel>
      )}
    </Inspector>
  )
}
