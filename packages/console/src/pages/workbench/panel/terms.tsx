/** The terms of the source, with the words to use and those to avoid. */
import { Button } from '../../../parts/controls.tsx'
import { Panel as Box } from '../../../parts/page.tsx'
import { directionOf, useWords } from '../../../words/words.ts'
import type { Chords } from '../keys/chords.ts'
import type { Task } from '../task.ts'
import type { Key } from '../texts.ts'
import type { FoundTerm } from '../use-lookups.ts'
import type { Shown } from '../use-segments.ts'
import css from '../workbench.module.css'

type TermsProps = {
  readonly task: Task
  readonly row: Shown
  readonly terms: readonly FoundTerm[]
  readonly chords: Chords
  readonly onInsert: (text: string) => void
  readonly isReadOnly: boolean
}

export function Terms({ task, row, terms, chords, onInsert, isReadOnly }: TermsProps) {
  const t = useWords<Key>('workbench')
  const language = task.task.targetNativeLanguageCode
  return (
    <Box title={t('terms')}>
      {terms.map(({ termId, part, from, to, entries, definition }, at) => {
        const source = row.source[part]
        return (
          <div key={`${termId} ${part} ${from}`} className={css.termRow}>
            <span className={css.termWords}>
              <b lang={task.task.sourceNativeLanguageCode}>
                {typeof source === 'string' ? source.slice(from, to) : ''}
              </b>
              {at < 9 && !isReadOnly && (
                <kbd>{(chords.term[0] ?? '').replace('#', String(at + 1))}</kbd>
              )}
            </span>
            {entries.map(({ text, status, note }) =>
              status === 'FORBIDDEN' || isReadOnly ? (
                <span
                  key={text}
                  className={status === 'FORBIDDEN' ? css.forbidden : undefined}
                  lang={language}
                  dir={directionOf(language)}
                >
                  {text}
                  {status === 'FORBIDDEN' && <span className="meta"> {t('forbidden')}</span>}
                </span>
              ) : (
                <Button key={text} small kind="quiet" title={note} onClick={() => onInsert(text)}>
                  <span lang={language} dir={directionOf(language)}>
                    {text}
                  </span>
                </Button>
              ),
            )}
            {definition && (
              <p className="meta dim" dir="auto">
                {definition}
              </p>
            )}
          </div>
        )
      })}
    </Box>
  )
}
