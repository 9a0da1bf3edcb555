/** What needs a person's attention, worst first, each with what the hub can do about it. */
import type { Finding } from '@dragoman/contract/wire'
import { useEffect, useRef, useState } from 'react'
import { hubNow } from '../../clock.ts'
import { useKeys } from '../../keys.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { Button } from '../../parts/controls.tsx'
import { Page } from '../../parts/page.tsx'
import { Failed, Loading } from '../../parts/said.tsx'
import { type Pages, usePages } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { FindingCard } from './finding.tsx'
import css from './health.module.css'
import type { Key, PartProps } from './part.ts'
import { RemedyDialog } from './remedy.tsx'
import { useOperator } from './use-operator.ts'

/** Every rule lists at most a hundred. */
const maxItems = 2_000
const worst = { error: 0, warning: 1 } as const
const byWorst = (one: Finding, other: Finding): number =>
  worst[one.severity] - worst[other.severity] || (one.since < other.since ? -1 : 1)

export function Findings({ frame }: PartProps) {
  const t = useWords<Key>('health')
  const pages = usePages('listFindings', {})
  const { items, hasMore, isFetching, isLoading, failure, loadMore, reload } = pages
  useEffect(() => {
    if (hasMore && !isFetching && items.length < maxItems) loadMore()
  }, [hasMore, isFetching, items.length, loadMore])
  const found = [...items].sort(byWorst)
  const [asked, setAsked] = useState<Finding>()
  const [said, setSaid] = useState<{ good: boolean; text: string }>()
  const list = useRef<HTMLUListElement>(null)
  const cards = () => [...(list.current?.querySelectorAll<HTMLElement>(':scope > li') ?? [])]
  const here = () => cards().findIndex((card) => card.contains(document.activeElement))
  const focus = (at: number) => cards()[Math.max(0, Math.min(cards().length - 1, at))]?.focus()
  useKeys([
    { keys: 'j', says: t('nextFinding'), act: () => focus(here() + 1) },
    { keys: 'k', says: t('previousFinding'), act: () => focus(here() - 1) },
    {
      keys: 'r',
      says: t('actKey'),
      act: () => {
        const chosen = here() < 0 ? found.find(({ remedy }) => remedy) : found[here()]
        if (chosen?.remedy) setAsked(chosen)
      },
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
      {isLoading ? (
        <Loading rows={4} />
      ) : failure && items.length === 0 ? (
        <Failed failure={failure} retry={reload} />
      ) : (
        <>
          <Glance found={found} pages={pages} />
          <ul className={css.list} ref={list}>
            {found.map((finding) => (
              <FindingCard key={finding.findingId} finding={finding} onRemedy={() => setAsked(finding)} />
            ))}
          </ul>
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
function Glance({ found, pages }: { readonly found: readonly Finding[]; readonly pages: Pages<Finding> }) {
  const t = useWords<Key>('health')
  const { shortClock } = useWriters()
  const isOperator = useOperator()
  const [checkedAt, setChecked] = useState(hubNow)
  useEffect(() => {
    if (!pages.isFetching) setChecked(hubNow())
  }, [pages.isFetching])
  const time = shortClock(checkedAt)
  const many = (severity: Finding['severity']) =>
    found.filter((one) => one.severity === severity).reduce((sum, { more = 1 }) => sum + more, 0)
  const [errors, warnings] = [many('error'), many('warning')]
  const look = errors > 0 ? 'rejected' : warnings > 0 ? 'review' : 'approved'
  const both = errors > 0 && warnings > 0 ? 'yes' : 'no'
  return (
    <section className={`${css.glance} ${look}`} aria-live="polite">
      <Glyph name={found.length > 0 ? 'error' : 'approved'} size={24} />
      <div>
        <h2>{found.length > 0 ? t('found', { errors, warnings, both }) : t('allWell')}</h2>
        <p>{found.length > 0 ? t('foundBody', { time }) : t(isOperator ? 'wellHub' : 'wellSite', { time })}</p>
      </div>
      <Button small glyph="again" busy={pages.isFetching} onClick={pages.reload}>
        {t('check')}
      </Button>
    </section>
  )
}

function OnlySite() {
  const t = useWords<Key>('health')
  return useOperator() ? null : <p className={css.foot}>{t('onlySite')}</p>
}
