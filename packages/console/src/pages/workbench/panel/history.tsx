/**
 * What is known of the past of a segment: who changed it and when, the delivery before, and the
 * verdict of the reviewer.
 */
import type { TextParts } from '@dragoman/contract/wire'
import { ChipText } from '../../../parts/chip-editor/chip-text.tsx'
import { Panel as Box } from '../../../parts/page.tsx'
import { DifferenceText } from '../../../parts/review/difference-text.tsx'
import { differencesOf } from '../../../parts/review/differences.ts'
import { useSession } from '../../../session.tsx'
import { useWriters } from '../../../times.ts'
import { useWords } from '../../../words/words.ts'
import { riskWord, useReasons } from '../draft-note.tsx'
import type { Task } from '../task.ts'
import type { Key } from '../texts.ts'
import type { Shown } from '../use-segments.ts'

export function History({
  task,
  row,
}: {
  readonly task: Task
  readonly row: Shown & { readonly previous?: TextParts }
}) {
  const t = useWords<Key>('workbench')
  const writers = useWriters()
  const { person } = useSession()
  const { review, changedBy, changedByName, changedTime, origin, engine, risk, previous, before } =
    row
  const { corrected } = row
  // What was just saved has no name yet.
  const name = changedBy === person.personId ? person.name : changedByName
  const reasons = useReasons(row)
  if (!review && !changedTime && !origin && !previous && !before && !corrected)
    return <p className="dim">{t('noHistory')}</p>
  return (
    <Box>
      {changedTime && (
        <p>
          <bdi>{t('changedBy', { name: name ?? t('someone') })}</bdi>{' '}
          <time dateTime={changedTime} className="dim">
            {writers.full(changedTime)}
          </time>
        </p>
      )}
      {corrected && (
        <p>
          <bdi>{t('corrected', { name: corrected.by })}</bdi>
        </p>
      )}
      {origin && (
        <p className="mut">
          {t(`origin.${origin}`)}
          {engine && (
            <>
              {': '}
              <bdi>{engine.name}</bdi>
            </>
          )}
        </p>
      )}
      {risk !== undefined && (
        <p className="mut">
          {t(riskWord(row), { risk })}
          {reasons && `: ${reasons}`}
        </p>
      )}
      {previous && (
        <>
          <p className="meta dim">{t('sincePrevious')}</p>
          <DifferenceText
            pieces={differencesOf(previous, row.target ?? [])}
            tags={row.tags}
            language={task.task.targetNativeLanguageCode}
          />
        </>
      )}
      {before && (
        <>
          <p className="meta dim">{t('sinceOlder')}</p>
          <p data-before="source">
            <DifferenceText
              pieces={differencesOf(before.source, row.source)}
              tags={row.tags}
              language={task.task.sourceNativeLanguageCode}
            />
          </p>
          {before.target && (
            <p data-before="target">
              <ChipText
                text={before.target}
                tags={row.tags}
                language={task.task.targetNativeLanguageCode}
              />
            </p>
          )}
        </>
      )}
      {review && (
        <p>
          <b>{t(`verdict.${review.verdict}`)}</b> {review.type && t(`type.${review.type}`)}{' '}
          {review.severity && t(`severity.${review.severity}`)}{' '}
          {review.note && <bdi>{review.note}</bdi>}
        </p>
      )}
    </Box>
  )
}
