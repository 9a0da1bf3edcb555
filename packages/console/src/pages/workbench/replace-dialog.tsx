/**
 * Searches in the targets and replaces, with a preview of each change before anything is written.
 */
import type { TextParts } from '@dragoman/contract/wire'
import { useMemo, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { DifferenceText } from '../../parts/review/difference-text.tsx'
import { differencesOf } from '../../parts/review/differences.ts'
import { useWords } from '../../words/words.ts'
import type { Drafts } from './drafts/use-drafts.ts'
import type { Task } from './task.ts'
import type { Key } from './texts.ts'
import type { Shown } from './use-segments.ts'
import css from './workbench.module.css'

type ReplaceProps = {
  readonly task: Task
  readonly rows: readonly Shown[]
  readonly drafts: Drafts
  readonly onClose: () => void
}

const replaced = (text: TextParts, from: string, to: string): TextParts =>
  text.map((part) => (typeof part === 'string' ? part.replaceAll(from, to) : part))

export function ReplaceDialog({ task, rows, drafts, onClose }: ReplaceProps) {
  const t = useWords<Key>('workbench')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const found = useMemo(
    () =>
      from === ''
        ? []
        : rows.filter(({ target }) =>
            target?.some((part) => typeof part === 'string' && part.includes(from)),
          ),
    [rows, from],
  )
  const chosen = found.filter(({ segmentId }) => !left.has(segmentId))
  const toggle = (segmentId: string) =>
    setLeft((before) => {
      const next = new Set(before)
      if (!next.delete(segmentId)) next.add(segmentId)
      return next
    })
  const run = () => {
    for (const row of chosen) {
      const target = replaced(row.target ?? [], from, to)
      drafts.write(row.seen, target, row.state === 'TRANSLATED' ? 'TRANSLATED' : 'DRAFT', row.kept)
    }
    onClose()
  }
  return (
    <Dialog
      wide
      title={t('key.replace')}
      act={t('replaceMany', { count: chosen.length })}
      refusal={chosen.length === 0 ? t('nothingFound') : undefined}
      onAct={run}
      onClose={onClose}
    >
      <label className={css.field}>
        <span>{t('replaceFrom')}</span>
        <input
          data-autofocus
          dir="auto"
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
      </label>
      <label className={css.field}>
        <span>{t('replaceTo')}</span>
        <input dir="auto" value={to} onChange={({ target }) => setTo(target.value)} />
      </label>
      <ul className={css.changes}>
        {found.slice(0, 100).map((row) => (
          <li key={row.segmentId}>
            <label>
              <input
                type="checkbox"
                checked={!left.has(row.segmentId)}
                onChange={() => toggle(row.segmentId)}
              />
              <span className="dim num">{row.position}</span>
              <DifferenceText
                pieces={differencesOf(row.target ?? [], replaced(row.target ?? [], from, to))}
                tags={row.tags}
                language={task.task.targetNativeLanguageCode}
              />
            </label>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
