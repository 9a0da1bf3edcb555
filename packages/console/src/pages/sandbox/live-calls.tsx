/** The last calls that the sandbox received, with the faults that acted on them. */
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../parts/controls.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/page.tsx'
import { Shown } from '../../parts/said.tsx'
import type en from '../../words/en/sandbox.json'
import { useWords } from '../../words/words.ts'
import { Command } from './command.tsx'
import css from './sandbox.module.css'
import { curlOf, type RecordedCall, useSandbox } from './sandbox-calls.ts'

const path = '/sandbox/calls?newest=30'

export function LiveCalls() {
  const t = useWords<keyof typeof en>('sandbox')
  const [isPaused, setPaused] = useState(false)
  const [from, setFrom] = useState(0)
  const calls = useSandbox<{ calls: readonly RecordedCall[]; last: number }>(
    path,
    isPaused ? false : 1_500,
  )
  return (
    <Panel
      title={t('liveCalls')}
      beside={
        <span className={css.beside}>
          <Button
            small
            kind="quiet"
            aria-pressed={isPaused}
            glyph="play"
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? t('resume') : t('pause')}
          </Button>
          <Button small kind="quiet" glyph="close" onClick={() => setFrom(calls.data?.last ?? 0)}>
            {t('clear')}
          </Button>
        </span>
      }
    >
      <Shown of={calls} rows={4}>
        {(read) => {
          const shown = read.calls.filter(({ number }) => number > from).reverse()
          if (shown.length === 0) return <p className="dim">{t('noCalls')}</p>
          return (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
            <ol className={css.calls} tabIndex={0} aria-label={t('liveCalls')}>
              {shown.map((call) => (
                <li
                  key={call.number}
                  className={call.status >= 400 || call.status === 0 ? css.bad : undefined}
                >
                  <Moment at={call.time} as="nearClock" />
                  <Link href={`/calls/${encodeURIComponent(call.id)}`} className="mono" dir="ltr">
                    {call.method} {call.route}
                  </Link>
                  <span className={css.result}>
                    <b>{call.status === 0 ? t('noAnswer') : call.status}</b>{' '}
                    {call.code && <code>{call.code}</code>}
                  </span>
                  <span className="meta mut">
                    <bdi>{call.client}</bdi>
                    {call.fault && <span className={css.by}>{call.fault.scenario}</span>}
                  </span>
                </li>
              ))}
            </ol>
          )
        }}
      </Shown>
      <Command text={curlOf('GET', path)} />
    </Panel>
  )
}
