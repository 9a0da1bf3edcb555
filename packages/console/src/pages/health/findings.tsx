/**
 * What needs a person's attention: one card for each rule, worst first, with what the hub can do
 * about it.
 */
import type { Finding, OpenCounts } from '@dragoman/contract/wire'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { hubNow } from '../../clock.ts'
import type { HubFailure } from '../../hub.ts'
import { useKeys } from '../../keys.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { Button } from '../../parts/controls.tsx'
import { Page } from '../../parts/page.tsx'
import { Failed, Loading } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import css from './health.module.css'
import type { Key, PartProps } from './part.ts'
import { RemedyDialog } from './remedy.tsx'
import { RuleCard } from './rule-card.tsx'
import { useOperator } from './use-operator.ts'

type Open = UseQueryResult<OpenCounts, HubFailure>

export function Findings({ frame }: PartProps) {
  const t = useWords<Key>('health')
  const open = useCall('countOpen')
  const rules = open.data?.findingRules ?? []
  const client = useQueryClient()
  const reload = () => {
    void open.refetch()
    void client.invalidateQueries({ queryKey: ['listFindings'] })
  }
  const [asked, setAsked] = useState<Finding>()
  const [said, setSaid] = useState<{ good: boolean; text: string }>()
  const list = useRef<HTMLDivElement>(null)
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('li') ?? [])]
  const here = () => rows().findIndex((row) => row.contains(document.activeElement))
  const focus = (at: number) => rows()[Math.max(0, Math.min(rows().length - 1, at))]?.focus()
  useKeys([
    { keys: 'j', says: t('nextFinding'), act: () => focus(here() + 1) },
    { keys: 'k', says: t('previousFinding'), act: () => focus(here() - 1) },
    {
      keys: 'r',
      says: t('actKey'),
      act: () =>
        (rows()[here()] ?? list.current)?.querySelector<HTMLElement>('[data-remedy]')?.click(),
    },
  ])
  return (
    <Page {...frame}>
      {said && (
        <p role="status" className={`${css.said} ${said.good ? 'approved' : 'review'}`}>
          <Glyph name={said.good ? 'tick' : 'clock'} size={14} />
          <bdi>{said.text}</bdi>
        </p>
      )}
      {open.isLoading ? (
        <Loading rows={4} />
      ) : open.error && !open.data ? (
        <Failed failure={open.error} retry={reload} />
      ) : (
        <>
          <Glance open={open} reload={reload} />
          <div className={css.list} ref={list}>
            {rules.map((counted) => (
              <RuleCard key={counted.rule} counted={counted} onRemedy={setAsked} />
            ))}
          </div>
          <OnlySite />
        </>
      )}
      {asked && (
        <RemedyDialog
          finding={asked}
          onClose={() => setAsked(undefined)}
          onDone={(good, text) => {
            setAsked(undefined)
            setSaid({ good, text })
            reload()
          }}
        />
      )}
    </Page>
  )
}

/** The answer to the first question: is the hub healthy? */
function Glance({ open, reload }: { readonly open: Open; readonly reload: () => void }) {
  const t = useWords<Key>('health')
  const { shortClock } = useWriters()
  const isOperator = useOperator()
  const { isFetching } = open
  const [checkedAt, setChecked] = useState(hubNow)
  useEffect(() => {
    if (!isFetching) setChecked(hubNow())
  }, [isFetching])
  const time = shortClock(checkedAt)
  const { findings: count = 0, findingRules: rules = [] } = open.data ?? {}
  const many = (severity: Finding['severity']) =>
    rules.filter((one) => one.severity === severity).reduce((sum, rule) => sum + rule.count, 0)
  const [errors, warnings] = [many('error'), many('warning')]
  const look = errors > 0 ? 'rejected' : warnings > 0 ? 'review' : 'approved'
  const both = errors > 0 && warnings > 0 ? 'yes' : 'no'
  return (
    <section className={`${css.glance} ${look}`} aria-live="polite">
      <Glyph name={count > 0 ? 'error' : 'approved'} size={24} />
      <div>
        <h2>{count > 0 ? t('found', { count }) : t('allWell')}</h2>
        <p>
          {count > 0
            ? t('foundBody', { errors, warnings, both, time })
            : t(isOperator ? 'wellHub' : 'wellSite', { time })}
        </p>
      </div>
      <Button small glyph="again" busy={isFetching} onClick={reload}>
        {t('check')}
      </Button>
    </section>
  )
}

function OnlySite() {
  const t = useWords<Key>('health')
  return useOperator() ? null : <p className={css.foot}>{t('onlySite')}</p>
}
