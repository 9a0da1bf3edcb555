/**
 * The audit log as a list: who did what to which thing, with the old and the new values. Used
 * wherever acts are shown.
 */
import { auditThings } from '@dragoman/contract/wire'
import { Link } from 'wouter'
import { useNewer } from '../../live/newer.ts'
import { usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useLive } from '../../stream.ts'
import type en from '../../words/en/audit.json'
import { useWords } from '../../words/words.ts'
import { Button, Copy } from '../controls.tsx'
import { ChoiceField, TextField } from '../fields.tsx'
import { Grid } from '../grid.tsx'
import { NewerBar } from '../live.tsx'
import { Moment } from '../moment.tsx'
import { Name } from '../name.tsx'
import { Code, Facts, Inspector, Panel } from '../page.tsx'
import { Empty } from '../said.tsx'
import css from './audit-list.module.css'
import { auditFilters, useAuditQuery } from './audit-query.ts'
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

/** The filters are kept in the URL. */
export function AuditList() {
  const t = useWords<Key>('audit')
  const [search, change] = useSearchState()
  const query = useAuditQuery()
  const pages = usePages('listAudit', { query })
  const newer = useNewer('listAudit', { query })
  useLive('listAudit')
  const isFiltered = Object.keys(query).length > 0
  const field = (name: (typeof auditFilters)[number]) => ({
    label: t(name),
    value: search[name] ?? '',
    onChange: (value: string) => change({ [name]: value }),
  })
  return (
    <>
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
      <NewerBar newer={newer} />
      <Grid
        label={t('title')}
        pages={pages}
        rowHeight={34}
        idOf={({ auditId }) => String(auditId)}
        selected={search.act}
        onOpen={({ auditId }) => change({ act: String(auditId) }, 'push')}
        empty={
          <Empty glyph="lock" title={isFiltered ? t('noMatch') : t('none')}>
            {isFiltered ? (
              <Button
                small
                onClick={() =>
                  change(Object.fromEntries(auditFilters.map((name) => [name, undefined])))
                }
              >
                {t('clear')}
              </Button>
            ) : (
              <p>{t('noneBody')}</p>
            )}
          </Empty>
        }
        columns={[
          {
            name: 'time',
            title: t('time'),
            width: '170px',
            cell: ({ time }) => <Moment at={time} />,
            narrow: 2,
          },
          {
            name: 'who',
            title: t('who'),
            width: 'minmax(0, 1fr)',
            cell: (one) => <Actor act={one} />,
            narrow: 2,
          },
          {
            name: 'what',
            title: t('what'),
            width: 'minmax(0, 2fr)',
            narrow: 1,
            cell: (one) => (
              <span lang="en" className={css.what}>
                <span>
                  {one.thing} <b>{one.verb}</b>
                </span>
                <Thing act={one} />
              </span>
            ),
          },
          {
            name: 'fields',
            title: t('fields'),
            width: 'minmax(0, 1fr)',
            narrow: 'hidden',
            cell: ({ fields }) => <span className="mut">{fields?.join(', ')}</span>,
          },
        ]}
      />
    </>
  )
}

/** The act that the URL names, beside the list. */
export function ActInspector() {
  const t = useWords<Key>('audit')
  const [{ act: id }, change] = useSearchState()
  const query = useAuditQuery()
  const { items } = usePages('listAudit', { query })
  const act = items.find(({ auditId }) => String(auditId) === id)
  if (!act) return null
  const facts = (side: unknown) => JSON.stringify(side, null, 2)
  return (
    <Inspector
      label={t('title')}
      title={
        <span lang="en">
          {act.thing} {act.verb}
        </span>
      }
      onClose={() => change({ act: undefined })}
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
