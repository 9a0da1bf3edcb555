/** Beside the rows: memory and terms, checks, notes, history, and the preview of the file. */
import type { CheckFinding, TextParts } from '@dragoman/contract/wire'
import { Comments } from '../../../parts/comments/comments.tsx'
import { Button } from '../../../parts/controls.tsx'
import { Panel as Box } from '../../../parts/page.tsx'
import { useWriters } from '../../../times.ts'
import { useWords } from '../../../words/words.ts'
import { Findings } from '../active-row.tsx'
import { foundIn } from '../filters.ts'
import type { Chords } from '../keys/chords.ts'
import type { Task } from '../task.ts'
import type { Key } from '../texts.ts'
import type { FoundTerm, Match } from '../use-lookups.ts'
import type { Shown } from '../use-segments.ts'
import css from '../workbench.module.css'
import { Assets } from './assets.tsx'
import { History } from './history.tsx'
import { Memory } from './memory.tsx'
import { Preview } from './preview.tsx'
import { Terms } from './terms.tsx'

export const panelTabs = ['memory', 'checks', 'notes', 'comments', 'history', 'preview'] as const
export type PanelTab = (typeof panelTabs)[number]

type PanelProps = {
  readonly task: Task
  readonly row: Shown
  readonly tab: PanelTab
  readonly setTab: (tab: PanelTab) => void
  readonly matches: readonly Match[]
  readonly terms: readonly FoundTerm[]
  readonly chords: Chords
  readonly asked: string
  readonly onAsk: (text: string) => void
  readonly onUse: (text: TextParts) => void
  readonly onInsert: (text: string) => void
  readonly onKeep: (finding: CheckFinding) => void
  readonly isReadOnly: boolean
  /** How many segments have a finding that mends itself. */
  readonly fixable: number
  readonly onFixAll: () => void
  readonly savedAt: number | undefined
}

export function Panel(props: PanelProps) {
  const { task, row, tab, setTab, matches, terms } = props
  const t = useWords<Key>('workbench')
  const writers = useWriters()
  const findings = foundIn(row)
  const notes = row.notes ?? []
  const counts: Partial<Record<PanelTab, number>> = {
    memory: matches.length,
    checks: findings.length,
    notes: notes.length + (row.key ? 1 : 0),
    comments: row.comments?.length ?? 0,
  }
  return (
    <aside className={css.panel} aria-label={t('panel')}>
      <div role="tablist" className={css.tabs} aria-label={t('panel')}>
        {panelTabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab}
            aria-controls="tab-panel"
            onClick={() => setTab(name)}
          >
            {t(`tab.${name}`)}
            {counts[name] ? (
              <em className={name === 'checks' ? css.badCount : undefined}>
                {writers.number(counts[name])}
              </em>
            ) : null}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`} className={css.tabPanel}>
        {tab === 'memory' && (
          <>
            <Memory {...props} />
            {terms.length > 0 && <Terms {...props} />}
            {notes.length > 0 && <Notes row={row} />}
            <Assets task={task} />
          </>
        )}
        {tab === 'checks' &&
          (findings.length === 0 ? (
            <p className="dim">{t('noFindings')}</p>
          ) : (
            <Box>
              <Findings findings={findings} onFix={props.onUse} onKeep={props.onKeep} />
            </Box>
          ))}
        {tab === 'checks' && props.fixable > 0 && !props.isReadOnly && (
          <Button onClick={props.onFixAll}>{t('fixMany', { count: props.fixable })}</Button>
        )}
        {tab === 'checks' &&
          row.kept?.map(({ check, reason }) => (
            <p key={check} className="meta mut">
              {t('keptAs')} <code>{check}</code> <bdi>{reason}</bdi>
            </p>
          ))}
        {tab === 'notes' && <Notes row={row} />}
        {tab === 'notes' && task.description && (
          <Box title={t('instructions')}>
            <p dir="auto">{task.description}</p>
          </Box>
        )}
        {tab === 'comments' && (
          <Comments
            place={{ ...task.at, requestId: task.at.assetTaskId, segmentId: row.segmentId }}
            ids={row.comments ?? []}
          />
        )}
        {tab === 'history' && <History task={task} row={row} />}
        {tab === 'preview' && <Preview task={task} row={row} savedAt={props.savedAt} />}
      </div>
    </aside>
  )
}

function Notes({ row: { notes = [], key, maxLength } }: { readonly row: Shown }) {
  const t = useWords<Key>('workbench')
  if (notes.length === 0 && !key) return <p className="dim">{t('noNotes')}</p>
  return (
    <Box title={t('tab.notes')}>
      {notes.map((note) => (
        <p key={note} dir="auto">
          {note}
        </p>
      ))}
      {key && (
        <p className="meta mut">
          {t('segmentKey')} <code dir="ltr">{key}</code>
        </p>
      )}
      {maxLength && (
        <p className="meta mut">
          {t('atMost', { count: maxLength.count, unit: t(maxLength.unit) })}
        </p>
      )}
    </Box>
  )
}
