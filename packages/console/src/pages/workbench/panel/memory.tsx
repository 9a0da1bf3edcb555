/**
 * What the memory offers: how alike, what differs by words, the translation, where it comes from,
 * and the key that takes it over.
 */
import type { TextParts } from '@dragoman/contract/wire'
import { ChipText } from '../../../parts/chip-editor/chip-text.tsx'
import { Button } from '../../../parts/controls.tsx'
import { Panel as Box } from '../../../parts/page.tsx'
import { DifferenceText } from '../../../parts/review/difference-text.tsx'
import { differencesOf } from '../../../parts/review/differences.ts'
import { useWriters } from '../../../times.ts'
import { useWords } from '../../../words/words.ts'
import type { Chords } from '../keys/chords.ts'
import type { Task } from '../task.ts'
import type { Key } from '../texts.ts'
import { type Match, useConcordance } from '../use-lookups.ts'
import type { Shown } from '../use-segments.ts'
import css from '../workbench.module.css'

type MemoryProps = {
  readonly task: Task
  readonly row: Shown
  readonly matches: readonly Match[]
  readonly chords: Chords
  readonly asked: string
  readonly onAsk: (text: string) => void
  readonly onUse: (text: TextParts) => void
  readonly isReadOnly: boolean
}

export function Memory({
  task,
  row,
  matches,
  chords,
  asked,
  onAsk,
  onUse,
  isReadOnly,
}: MemoryProps) {
  const t = useWords<Key>('workbench')
  const found = useConcordance(task, asked)
  return (
    <>
      {matches.length === 0 && <p className="dim">{t('noMatches')}</p>}
      {matches.map((match, at) => (
        <MatchCard
          key={match.unitId}
          task={task}
          row={row}
          match={match}
          chord={(chords.match[0] ?? '').replace('#', String(at + 1))}
          {...(!isReadOnly && { onUse: () => onUse(match.target) })}
        />
      ))}
      <form
        className={css.ask}
        onSubmit={(event) => {
          event.preventDefault()
          onAsk(String(new FormData(event.currentTarget).get('asked') ?? '').trim())
        }}
      >
        <input
          key={asked}
          type="search"
          name="asked"
          aria-label={t('concordance')}
          placeholder={t('concordance')}
          defaultValue={asked}
        />
      </form>
      {asked && !found.isLoading && found.matches.length === 0 && (
        <p className="dim">{t('noConcordance')}</p>
      )}
      {found.matches.map((match) => (
        <MatchCard
          key={match.unitId}
          task={task}
          row={{ ...row, source: match.source }}
          match={match}
        />
      ))}
    </>
  )
}

type MatchCardProps = {
  readonly task: Task
  readonly row: Shown
  readonly match: Match
  readonly chord?: string
  readonly onUse?: () => void
}

function MatchCard({ task, row, match, chord, onUse }: MatchCardProps) {
  const t = useWords<Key>('workbench')
  const writers = useWriters()
  const { percent, kind, source, target, changedTime, origin, adapted } = match
  const shown = writers.percent(percent / 100, 0)
  return (
    <Box>
      <div className={css.offer}>
        <div className={css.percent}>
          {kind !== 'PART' && <b className={percent >= 85 ? css.near : css.far}>{shown}</b>}
          {chord && <kbd>{chord}</kbd>}
        </div>
        <div className={css.pair}>
          <DifferenceText
            pieces={differencesOf(row.source, source)}
            tags={row.tags}
            language={task.task.sourceNativeLanguageCode}
          />
          <ChipText text={target} tags={row.tags} language={task.task.targetNativeLanguageCode} />
          <div className={css.source}>
            <span className={`meta dim ${css.origin}`} title={origin?.requestName}>
              {(kind === 'CONTEXT' || !origin) && <bdi>{t(`kind.${kind}`)}</bdi>}
              {adapted && <b>{t('adapted')}</b>}
              {origin && <bdi>{origin.jobName ?? t(`from.${origin.kind}`)}</bdi>}
              {origin?.by && <bdi>{origin.by}</bdi>}
              <time dateTime={changedTime}>{writers.dateYear(changedTime)}</time>
            </span>
            {onUse && (
              <Button
                small
                kind="quiet"
                aria-label={t('useMatch', { percent: shown })}
                onClick={onUse}
              >
                {t('use')}
              </Button>
            )}
          </div>
        </div>
      </div>
    </Box>
  )
}
