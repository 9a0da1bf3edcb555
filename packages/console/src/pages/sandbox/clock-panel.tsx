/**
 * The clock: the hub's time, the ways to advance it, what falls due next, and what the last move
 * caused.
 */
import { parseDuration } from '@dragoman/contract/wire'
import { useState } from 'react'
import { useNow } from '../../clock.ts'
import { Button } from '../../parts/controls.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/page.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/sandbox.json'
import { useWords } from '../../words/words.ts'
import { Command, Refusal } from './command.tsx'
import { DueWords, grouped } from './due-words.tsx'
import css from './sandbox.module.css'
import { type Advance, curlOf, type DueAnswer, useControl, useSandbox } from './sandbox-calls.ts'

type Key = keyof typeof en
const steps = ['1m', '1h', '1d'] as const
const advancePath = '/sandbox/clock/advance'

export function ClockPanel() {
  const t = useWords<Key>('sandbox')
  const writers = useWriters()
  const now = useNow()
  const due = useSandbox<DueAnswer>('/sandbox/due', 3_000)
  const advance = useControl<Advance>('POST', advancePath)
  const [by, setBy] = useState('6mo')
  const [shown, setShown] = useState<object>({ by: '1d' })
  const next = due.data?.due[0]
  const isWrong = parseDuration(by) === undefined
  const move = (body: object) => {
    setShown(body)
    advance.mutate(body)
  }
  const control = (body: object) => ({
    busy: advance.isPending,
    onClick: () => move(body),
    onFocus: () => setShown(body),
    onPointerEnter: () => setShown(body),
  })
  const iso = new Date(now).toISOString()
  const ahead = due.data?.offsetMs ?? 0
  return (
    <Panel tone="warn">
      <div className={css.clock}>
        <div className={css.time}>
          <p className="meta dim">{t('clock')}</p>
          <p className={css.now}>
            <time dateTime={iso} title={iso}>
              {writers.dateYear(now)}, {writers.clock(now)} {writers.zoneName(now)}
            </time>
          </p>
          <p className="meta mut">
            {ahead >= 1_000 ? t('ahead', { time: writers.duration(ahead) }) : t('real')}
          </p>
        </div>
        <div className={css.moves}>
          {steps.map((step) => (
            <Button key={step} {...control({ by: step })}>
              {t(`by.${step}`)}
            </Button>
          ))}
          {next && (
            <Button kind="main" {...control({ to: next.time })}>
              {t('toNext', { time: writers.relative(next.time, now) })}
            </Button>
          )}
          <form
            className={css.custom}
            onSubmit={(event) => {
              event.preventDefault()
              if (!isWrong && !advance.isPending) move({ by })
            }}
          >
            <input
              aria-label={t('custom')}
              title={t('customHint')}
              aria-invalid={isWrong}
              value={by}
              dir="ltr"
              size={6}
              spellCheck={false}
              onFocus={() => setShown({ by })}
              onChange={(event) => {
                setBy(event.target.value)
                setShown({ by: event.target.value })
              }}
            />
            <Button
              type="submit"
              busy={advance.isPending}
              refusal={isWrong ? t('customHint') : undefined}
            >
              {t('advance')}
            </Button>
          </form>
        </div>
      </div>
      <Command text={curlOf('POST', advancePath, shown)} />
      <Refusal failure={advance.error} />
      <div className={css.dues}>
        <section aria-label={t('fallsDue')}>
          <h3>{t('fallsDue')}</h3>
          {due.data?.due.length === 0 && <p className="meta dim">{t('nothingDue')}</p>}
          <ol>
            {grouped(due.data?.due ?? [])
              .slice(0, 6)
              .map((one) => (
                <li
                  className={css.dueRow}
                  key={`${one.time} ${one.kind} ${one.name} ${one.jobId} ${one.clientId}`}
                >
                  <Moment at={one.time} as="relative" />
                  <DueWords due={one} />
                </li>
              ))}
          </ol>
          <Command text={curlOf('GET', '/sandbox/due')} />
        </section>
        <LastAdvance last={due.data?.lastAdvance} isMoving={advance.isPending} />
      </div>
    </Panel>
  )
}

function LastAdvance({
  last,
  isMoving,
}: {
  readonly last: Advance | undefined
  readonly isMoving: boolean
}) {
  const t = useWords<Key>('sandbox')
  const writers = useWriters()
  const [isOpen, setOpen] = useState(false)
  const by = last ? writers.duration(Date.parse(last.to) - Date.parse(last.from)) : ''
  return (
    <section aria-label={t('lastAdvance')}>
      <h3>{t('lastAdvance')}</h3>
      <p className="meta" role="status">
        {isMoving
          ? t('moving')
          : last
            ? t('happened', { by, count: last.happened.length + last.more })
            : t('neverMoved')}
      </p>
      {last && last.happened.length > 0 && (
        <Button
          small
          kind="quiet"
          glyph={isOpen ? 'down' : 'next'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('hide') : t('show')}
        </Button>
      )}
      {isOpen && last && (
        <ol className={css.happened}>
          {grouped(last.happened).map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order is the order of events.
            <li key={at}>
              <Moment at={one.time} />
              <DueWords due={one} />
            </li>
          ))}
          {last.more > 0 && <li className="dim">{t('andMore', { count: last.more })}</li>}
        </ol>
      )}
      {last && last.upkeep > 0 && <p className="meta dim">{t('upkeep', { count: last.upkeep })}</p>}
    </section>
  )
}
