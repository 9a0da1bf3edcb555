/**
 * The segment at hand: its source with terms, the editor, the tags still to place, the length, and
 * what the checks find.
 */
import type { CheckFinding, Segment, TextParts } from '@dragoman/contract/wire'
import { type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { Glyph } from '../../look/glyphs.tsx'
import { ChipEditor, type ChipEditorHandle } from '../../parts/chip-editor/chip-editor.tsx'
import { Chip, ChipText } from '../../parts/chip-editor/chip-text.tsx'
import { lengthOf, missingTags, sameText } from '../../parts/chip-editor/texts.ts'
import { Button } from '../../parts/controls.tsx'
import { useFixWords, useSentence } from '../../parts/review/use-sentence.ts'
import { useWords } from '../../words/words.ts'
import { DraftNote } from './draft-note.tsx'
import { foundIn } from './filters.ts'
import { type Chords, shownChord } from './keys/chords.ts'
import { SegmentNote } from './reject-note.tsx'
import { Cell, MarkCells, markAtHand } from './rows.tsx'
import { type Task, textKey } from './task.ts'
import type { Key } from './texts.ts'
import { useChecks } from './use-checks.ts'
import type { FoundTerm } from './use-lookups.ts'
import type { Shown } from './use-segments.ts'
import css from './workbench.module.css'

/** What the keys of the page act on. */
export type Hand = { readonly segment: Segment; value: TextParts; editor: ChipEditorHandle | null }

type ActiveRowProps = {
  readonly task: Task
  readonly row: Shown
  readonly terms: readonly FoundTerm[]
  readonly chords: Chords
  readonly hand: RefObject<Hand | undefined>
  readonly isReadOnly: boolean
  readonly isPlain: boolean
  readonly onChange: (row: Shown, target: TextParts) => void
  readonly onFound: (row: Shown, checks: readonly CheckFinding[], of: string) => void
  readonly onKeep: (row: Shown, check: CheckFinding) => void
  readonly onLeave: () => void
}

export function ActiveRow(props: ActiveRowProps) {
  const {
    task,
    row,
    terms,
    chords,
    hand,
    isReadOnly,
    isPlain,
    onChange,
    onFound,
    onKeep,
    onLeave,
  } = props
  const t = useWords<Key>('workbench')
  const says = useId()
  const [value, setValue] = useState<TextParts>(row.target ?? [])
  const editor = useRef<ChipEditorHandle>(null)
  // What is not written here was written elsewhere: by a fix, a replacement, another tab or an
  // earlier visit.
  const last = useRef(value)
  const mine = useRef(new WeakSet<TextParts>())
  const write = (target: TextParts) => {
    mine.current.add(target)
    last.current = target
    setValue(target)
    if (hand.current) hand.current.value = target
    onChange(row, target)
  }
  if (hand.current?.segment.segmentId !== row.segmentId)
    hand.current = { segment: row, value, editor: null }
  // The editor is loaded when it is first wanted.
  const hold = useCallback(
    (opened: ChipEditorHandle | null) => {
      editor.current = opened
      if (hand.current) hand.current.editor = opened
      opened?.focus()
    },
    [hand],
  )
  useEffect(() => {
    const now = row.target ?? []
    if (mine.current.has(now) || sameText(now, last.current)) return
    last.current = now
    setValue(now)
    if (hand.current) hand.current.value = now
  }, [row.target, hand])
  const asked = useChecks(task, row, value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each answer.
  useEffect(() => {
    if (asked) onFound(row, asked, textKey(value))
  }, [asked])
  const missing = value.length > 0 || row.target ? missingTags(row.source, value) : []
  const findings =
    value.length === 0
      ? []
      : foundIn({ checks: [...(asked ?? row.checks)], ...(row.kept && { kept: row.kept }) })
  const { maxLength } = row
  const length = maxLength && lengthOf(value, row.tags, maxLength.unit)
  const marks = terms.map(({ part, from, to, entries }) => ({
    part,
    from,
    to,
    show: (text: string) => (
      <mark className={css.term} title={entries.map((entry) => entry.text).join(', ')}>
        {text}
      </mark>
    ),
  }))
  return (
    <>
      <Cell kind="position">{row.position}</Cell>
      <Cell>
        <ChipText
          text={row.source}
          tags={row.tags}
          language={task.task.sourceNativeLanguageCode}
          marks={marks}
        />
        <SegmentNote row={row} />
      </Cell>
      <Cell>
        {isReadOnly ? (
          <ChipText text={value} tags={row.tags} language={task.task.targetNativeLanguageCode} />
        ) : (
          <div className={css.box}>
            <ChipEditor
              value={value}
              tags={row.tags}
              source={row.source}
              language={task.task.targetNativeLanguageCode}
              label={t('targetOf', { position: row.position })}
              describedBy={says}
              isPlain={isPlain}
              onChange={write}
              onKey={() => false}
              onLeave={onLeave}
              handle={hold}
            />
            <div className={css.under} id={says}>
              {missing.length > 0 && (
                <span className={css.missing}>
                  <Glyph name="error" size={14} />
                  {t('toPlace')}
                  {[...new Set(missing)].map((number) => {
                    const tag = row.tags.find((one) => one.tag === number)
                    return (
                      tag && (
                        <button
                          key={number}
                          type="button"
                          className={css.place}
                          onMouseDown={(event) => event.preventDefault()}
                          onClick={() => editor.current?.insertTag(number)}
                        >
                          <Chip tag={tag} />
                          {number < 10 && (
                            <kbd>
                              {shownChord(chords.tag[0] ?? '').replace('1–9', String(number))}
                            </kbd>
                          )}
                        </button>
                      )
                    )
                  })}
                </span>
              )}
              {maxLength && (
                <span
                  className={(length ?? 0) > maxLength.count ? css.tooLong : css.length}
                  dir="ltr"
                >
                  {length} / {maxLength.count}
                  <span className="unseen"> {t(maxLength.unit)}</span>
                </span>
              )}
            </div>
            <Findings
              // What is still to place stands above, tag by tag.
              findings={findings.filter(
                ({ check }) => check !== 'tags.missing' || missing.length === 0,
              )}
              onFix={(fix) => editor.current?.replace(fix)}
              onKeep={(one) => onKeep(row, one)}
            />
          </div>
        )}
        <DraftNote row={row} />
      </Cell>
      <MarkCells row={row} mark={markAtHand(row)} />
    </>
  )
}

type FindingsProps = {
  readonly findings: readonly CheckFinding[]
  readonly onFix: (target: TextParts) => void
  readonly onKeep: (finding: CheckFinding) => void
}

export function Findings({ findings, onFix, onKeep }: FindingsProps) {
  const sentence = useSentence()
  const fixWords = useFixWords()
  const t = useWords<Key>('workbench')
  return findings.map((finding) => (
    <p key={finding.check} className={finding.severity === 'BLOCKING' ? css.blocking : css.warning}>
      <Glyph name="error" size={14} />
      <bdi className={css.message}>{sentence(finding)}</bdi>
      {finding.fix && (
        <Button
          small
          onClick={(event) => {
            // The row around it is not chosen by this.
            event.stopPropagation()
            if (finding.fix) onFix(finding.fix)
          }}
        >
          <bdi>{fixWords(finding) ?? t('fix')}</bdi>
        </Button>
      )}
      <Button small kind="quiet" onClick={() => onKeep(finding)}>
        {t('keep')}
      </Button>
    </p>
  ))
}
