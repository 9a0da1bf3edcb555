/** Fills the demo site with jobs, and empties it again. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callPath, type HubFailure } from '../../hub.ts'
import { Button } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Panel } from '../../parts/page.tsx'
import type en from '../../words/en/sandbox.json'
import { useWords } from '../../words/words.ts'
import { Command, Refusal } from './command.tsx'
import css from './sandbox.module.css'
import { curlOf, useControl } from './sandbox-calls.ts'

type Key = keyof typeof en
const few = 24
const many = 10_000
/** The maximum that one call adds. */
const atOnce = 1_000

export function SeedPanel() {
  const t = useWords<Key>('sandbox')
  const client = useQueryClient()
  const [done, setDone] = useState<number>()
  const [wanted, setWanted] = useState(0)
  const [failure, setFailure] = useState<HubFailure | null>(null)
  const [isAsking, setAsking] = useState(false)
  const isStopped = useRef(false)
  const reset = useControl('POST', '/sandbox/reset')
  const isFilling = done !== undefined && done < wanted && !failure
  const fill = async (jobs: number) => {
    isStopped.current = false
    setFailure(null)
    setWanted(jobs)
    setDone(0)
    try {
      for (let made = 0; made < jobs && !isStopped.current; made += atOnce) {
        const part = Math.min(atOnce, jobs - made)
        await callPath('POST', '/sandbox/seed', { jobs: part })
        setDone(made + part)
      }
    } catch (failed) {
      setFailure(failed as HubFailure)
    }
    await client.invalidateQueries()
  }
  const stop = () => {
    isStopped.current = true
    setWanted(done ?? 0)
  }
  return (
    <Panel title={t('seed')}>
      <div className={css.row}>
        <Button busy={isFilling} onClick={() => void fill(few)}>
          {t('loadDemo', { count: few })}
        </Button>
        <Button busy={isFilling} onClick={() => void fill(many)}>
          {t('loadMany', { count: many })}
        </Button>
        {isFilling && (
          <Button kind="quiet" onClick={stop}>
            {t('stop')}
          </Button>
        )}
        <span role="status" className="meta mut">
          {done === undefined
            ? ''
            : isFilling
              ? t('filling', { done, wanted })
              : t('filled', { done })}
        </span>
        <span className={css.gap} />
        <Button kind="danger" glyph="bin" onClick={() => setAsking(true)}>
          {t('reset')}
        </Button>
      </div>
      <Refusal failure={failure} />
      <Command text={curlOf('POST', '/sandbox/seed', { jobs: few })} />
      <Command text={curlOf('POST', '/sandbox/reset')} />
      {isAsking && (
        <Dialog
          title={t('resetTitle')}
          act={t('resetAct')}
          kind="danger"
          busy={reset.isPending}
          failure={reset.error}
          onClose={() => setAsking(false)}
          onAct={() => reset.mutate(undefined, { onSuccess: () => setAsking(false) })}
        >
          <p>{t('resetBody')}</p>
        </Dialog>
      )}
    </Panel>
  )
}
