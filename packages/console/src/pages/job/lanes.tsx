/**
 * One lane per target language: its states over time, without idle time. Also available as a table
 * for people who cannot see it.
 */
import type { JobLane } from '@dragoman/contract/wire'
import { useMemo, useState } from 'react'
import { useNow } from '../../clock.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { looks, useStateWord } from '../../look/states.tsx'
import { Button } from '../../parts/controls.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { type Axis, axisOf } from './lane-axis.ts'
import css from './lanes.module.css'
import type { Key } from './sentence.tsx'

/** If there are more lanes than this, the rest is collapsed. */
const atOnce = 6

export function Lanes({ jobId }: { readonly jobId: string }) {
  const t = useWords<Key>('job')
  const lanes = useCall('findJobLanes', { params: { jobId } }).data?.lanes ?? []
  const [isTable, setTable] = useState(false)
  const [isOpen, setOpen] = useState(false)
  // The axis moves once a minute, not every second.
  const now = Math.floor(useNow() / 60_000) * 60_000 + 60_000
  const axis = useMemo(
    () =>
      axisOf(
        lanes.flatMap(({ segments }) => segments.map(({ time }) => Date.parse(time))),
        now,
      ),
    [lanes, now],
  )
  if (lanes.length === 0) return null
  const shown = isOpen ? lanes : lanes.slice(0, atOnce)
  return (
    <section className={css.lanes} aria-label={t('lanes')}>
      {isTable ? <LaneTable lanes={shown} /> : <Drawn lanes={shown} axis={axis} />}
      <div className={css.acts}>
        {lanes.length > atOnce && (
          <Button small kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t('fewerLanes') : t('allLanes', { count: lanes.length })}
          </Button>
        )}
        <Button small kind="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? t('asLanes') : t('asTable')}
        </Button>
      </div>
    </section>
  )
}

function Drawn({ lanes, axis }: { readonly lanes: readonly JobLane[]; readonly axis: Axis }) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  const { cuts, place, from } = axis
  const isSingle = cuts.length === 1
  return (
    <>
      <div className={css.axis} aria-hidden="true">
        <span className={css.first}>
          {writers.date(from)} {writers.shortClock(from)}
        </span>
        {cuts.map((cut) => (
          <span
            key={cut.from}
            className={css.mark}
            style={{ insetInlineStart: `${(place(cut.from) + place(cut.to)) / 2}%` }}
            title={`${writers.full(cut.idle.from)} – ${writers.full(cut.idle.to)}`}
          >
            {isSingle && <span className={css.side}>{writers.shortClock(cut.idle.from)}</span>}
            <span>{writers.duration(cut.idle.to - cut.idle.from)}</span>
            {isSingle && <span className={css.side}>{writers.shortClock(cut.idle.to)}</span>}
          </span>
        ))}
        <span className={css.now}>{t('now')}</span>
      </div>
      {lanes.map((lane) => (
        <Lane key={lane.language} lane={lane} axis={axis} />
      ))}
    </>
  )
}

function Lane({ lane, axis }: { readonly lane: JobLane; readonly axis: Axis }) {
  const t = useWords<Key>('job')
  const word = useStateWord()
  const writers = useWriters()
  const { language, requests, segments } = lane
  const current = segments.at(-1)?.statusCode ?? 'CREATED'
  const bars = segments.map(({ time, statusCode }, at) => {
    const since = Date.parse(time)
    const until = at + 1 < segments.length ? Date.parse(segments[at + 1]?.time ?? '') : axis.to
    return { statusCode, since, until, start: axis.place(since), end: axis.place(until) }
  })
  return (
    <div className={css.lane}>
      <span className={css.language} title={writers.language(language)}>
        <bdi>{language}</bdi>
      </span>
      <div
        className={css.track}
        role="img"
        aria-label={t('laneSays', {
          language: writers.language(language),
          state: word(current),
          count: requests,
        })}
      >
        {bars
          .filter(({ start, end }) => end - start > 0.15)
          .map(({ statusCode, since, until, start, end }) => (
            <span
              key={since}
              className={`${css.bar} ${looks[statusCode]}`}
              style={{ insetInlineStart: `${start}%`, inlineSize: `${end - start}%` }}
              title={t('segment', {
                state: word(statusCode),
                time: writers.duration(until - since),
                from: writers.full(since),
              })}
            >
              {end - start > 4 && <Glyph name={looks[statusCode]} size={12} />}
            </span>
          ))}
        {axis.cuts.map((cut) => (
          <span
            key={cut.from}
            className={css.cut}
            style={{
              insetInlineStart: `${axis.place(cut.from)}%`,
              inlineSize: `${axis.place(cut.to) - axis.place(cut.from)}%`,
            }}
          />
        ))}
      </div>
      <span className={css.count} title={t('requests', { count: requests })}>
        {requests}
      </span>
    </div>
  )
}

function LaneTable({ lanes }: { readonly lanes: readonly JobLane[] }) {
  const t = useWords<Key>('job')
  const word = useStateWord()
  return (
    <table className={css.table}>
      <caption className="unseen">{t('lanes')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('language')}</th>
          <th scope="col">{t('state')}</th>
          <th scope="col">{t('since')}</th>
        </tr>
      </thead>
      <tbody>
        {lanes.flatMap(({ language, segments }) =>
          segments.map(({ time, statusCode }, at) => (
            <tr key={`${language} ${time}`}>
              <th scope="row">
                {at === 0 ? <bdi>{language}</bdi> : <bdi className="unseen">{language}</bdi>}
              </th>
              <td>{word(statusCode)}</td>
              <td>
                <Moment at={time} />
              </td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  )
}
