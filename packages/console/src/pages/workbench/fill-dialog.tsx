/**
 * Fills open segments in from the memory, repetitions and an engine. What it will do is counted
 * before anything is written.
 */
import type { FillSource } from '@dragoman/contract/wire'
import { useEffect, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { useAct, useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import type { Drafts } from './drafts/use-drafts.ts'
import type { Task } from './task.ts'
import type { Key } from './texts.ts'
import css from './workbench.module.css'

type FillDialogProps = {
  readonly task: Task
  readonly drafts: Drafts
  readonly onClose: () => void
  readonly onFilled: (says: string) => void
}

const sources = ['MEMORY', 'REPEATS', 'ENGINE'] as const satisfies readonly FillSource[]
const minimums = [100, 95, 85, 75] as const

export function FillDialog({ task, drafts, onClose, onFilled }: FillDialogProps) {
  const t = useWords<Key>('workbench')
  const writers = useWriters()
  const [from, setFrom] = useState<readonly FillSource[]>(['MEMORY', 'REPEATS'])
  const [minimum, setMinimum] = useState<number>(95)
  const [confirm, setConfirm] = useState(true)
  const [isSaved, setSaved] = useState(false)
  const { flush } = drafts
  // What was typed here counts before anything is counted.
  useEffect(() => void flush().finally(() => setSaved(true)), [flush])
  const body = { from: [...from], minimum, confirm }
  const isReady = isSaved && from.length > 0
  const dry = useCall(
    'fillSegments',
    { params: task.at, query: { dryRun: true }, body },
    { enabled: isReady, keepOld: false },
  )
  const fill = useAct('fillSegments', ['listSegments', 'listSegmentMatches'])
  const toggle = (source: FillSource) =>
    setFrom((before) =>
      sources.filter((one) => (one === source ? !before.includes(one) : before.includes(one))),
    )
  const found = isReady ? dry.data : undefined
  return (
    <Dialog
      title={t('fillTitle')}
      act={t('fill')}
      busy={fill.isPending}
      refusal={
        from.length === 0
          ? t('fillWhat')
          : found?.filled === 0 && found.confirmed === 0
            ? t('fillNothing')
            : undefined
      }
      failure={fill.error ?? (isReady ? dry.error : null)}
      onAct={() =>
        fill.mutate(
          { params: task.at, body },
          {
            onSuccess: ({ filled, confirmed, left, because }) => {
              onFilled([t('fillDone', { filled, confirmed, left }), because].join(' ').trim())
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      <fieldset className={css.fillFrom}>
        <legend>{t('fillFrom')}</legend>
        {sources.map((source) => (
          <label key={source}>
            <input
              type="checkbox"
              checked={from.includes(source)}
              onChange={() => toggle(source)}
            />
            {t(`fill.${source}`)}
          </label>
        ))}
      </fieldset>
      <label className={css.field}>
        <span>{t('fillMinimum')}</span>
        <select
          value={minimum}
          disabled={!from.includes('MEMORY')}
          onChange={({ target }) => setMinimum(Number(target.value))}
        >
          {minimums.map((percent) => (
            <option key={percent} value={percent}>
              {writers.percent(percent / 100, 0)}
            </option>
          ))}
        </select>
      </label>
      <label className={css.fillConfirm}>
        <input type="checkbox" checked={confirm} onChange={() => setConfirm(!confirm)} />
        {t('fillConfirm')}
      </label>
      <p role="status" aria-busy={isReady && dry.isFetching}>
        {found &&
          t('fillPreview', {
            memory: found.by.memory,
            repeats: found.by.repeats,
            engine: found.by.engine,
            confirmed: found.confirmed,
            left: found.left,
          })}
      </p>
    </Dialog>
  )
}
