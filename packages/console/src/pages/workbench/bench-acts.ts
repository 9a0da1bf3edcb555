/** What the keys of the workbench do while translating. */
import type { CheckFinding, TextParts } from '@dragoman/contract/wire'
import { type RefObject, useEffect, useRef } from 'react'
import { missingTags } from '../../parts/chip-editor/texts.ts'
import { useWords } from '../../words/words.ts'
import type { Hand } from './active-row.tsx'
import type { Drafts } from './drafts/use-drafts.ts'
import { foundIn, isOpen } from './filters.ts'
import { type Acts, useChords } from './keys/use-chords.ts'
import type { PanelTab } from './panel/panel.tsx'
import type { Key } from './texts.ts'
import type { FoundTerm, Match } from './use-lookups.ts'
import type { Shown } from './use-segments.ts'

type Wanted = (row: Shown) => boolean
export type Dialog = 'keys' | 'replace' | 'goTo' | 'fill' | undefined

type BenchState = {
  readonly isReadOnly: boolean
  readonly hand: RefObject<Hand | undefined>
  readonly shown: readonly Shown[]
  readonly all: readonly Shown[]
  /** -1 if the segment at hand was dropped from memory. */
  readonly index: number
  readonly position: number
  /** Whether it was dropped; then it is read again. */
  readonly recall: (position: number) => boolean
  readonly matches: readonly Match[]
  readonly terms: readonly FoundTerm[]
  readonly choose: (row: Shown) => void
  readonly drafts: Drafts
  readonly fillRepeats: (row: Shown, target: TextParts) => number
  readonly setSaid: (said: string) => void
  readonly setDialog: (dialog: Dialog) => void
  readonly setTab: (tab: PanelTab) => void
  readonly setAsked: (text: string) => void
  readonly setKeeping: (finding: CheckFinding) => void
  readonly deliver: () => void
}

export function useBenchActs(
  bench: BenchState,
): ReturnType<typeof useChords> & { readonly fixAll: () => void } {
  const t = useWords<Key>('workbench')
  const { isReadOnly, hand, shown, all, index, position, matches, terms, choose, drafts } = bench
  const row = shown[index]
  /** A step that waits for the segment at hand to be read again. */
  const waiting = useRef<{
    readonly position: number
    readonly by: number
    readonly wanted: Wanted
  }>(undefined)
  const step = (by: number, wanted: Wanted = () => true): boolean => {
    if (!row && bench.recall(position)) {
      waiting.current = { position, by, wanted }
      return true
    }
    for (let at = index + by; at >= 0 && at < shown.length; at += by) {
      const next = shown[at]
      if (next && wanted(next)) {
        choose(next)
        return true
      }
    }
    return true
  }
  useEffect(() => {
    const next = waiting.current
    if (!row || !next) return
    waiting.current = undefined
    if (row.position === next.position) step(next.by, next.wanted)
  })
  const confirm = (): boolean => {
    const now = hand.current
    if (!row || !now || now.value.length === 0) return true
    drafts.write(row.seen, now.value, 'TRANSLATED', row.kept)
    const filled = bench.fillRepeats(row, now.value)
    if (filled > 0) bench.setSaid(t('filledIn', { count: filled }))
    return step(1, isOpen)
  }
  const missing = (): number[] =>
    row && hand.current ? missingTags(row.source, hand.current.value) : []
  const place = (tag: number | undefined): boolean => {
    if (tag !== undefined) hand.current?.editor?.insertTag(tag)
    return true
  }
  const findings = (): CheckFinding[] => (row ? foundIn(row) : [])
  const fixable = () => findings().find(({ fix }) => fix)?.fix
  const fixAll = (): boolean => {
    const fixed = all.flatMap((one) => {
      const fix = foundIn(one).find((finding) => finding.fix)?.fix
      return fix ? [{ one, fix }] : []
    })
    for (const { one, fix } of fixed) {
      if (one.segmentId === row?.segmentId) hand.current?.editor?.replace(fix)
      else
        drafts.write(one.seen, fix, one.state === 'TRANSLATED' ? 'TRANSLATED' : 'DRAFT', one.kept)
    }
    bench.setSaid(t('fixed', { count: fixed.length }))
    return true
  }
  const done = (act: () => void) => (): boolean => {
    act()
    return true
  }
  const reading: Acts = {
    next: () => step(1),
    previous: () => step(-1),
    nextOpen: () => step(1, isOpen),
    previousOpen: () => step(-1, isOpen),
    goTo: done(() => bench.setDialog('goTo')),
    preview: done(() => bench.setTab('preview')),
    keys: done(() => bench.setDialog('keys')),
    concordance: done(() => {
      const text = hand.current?.editor?.selection() || String(getSelection() ?? '')
      bench.setAsked(text.trim())
      bench.setTab('memory')
    }),
  }
  const writing: Acts = {
    confirm,
    deliver: done(bench.deliver),
    copySource: done(() => row && hand.current?.editor?.replace(row.source)),
    match: (digit) => {
      const match = matches[digit - 1]
      if (match) hand.current?.editor?.replace(match.target)
      return true
    },
    tag: (digit) => place(row?.tags.some(({ tag }) => tag === digit) ? digit : undefined),
    nextTag: () => place(missing()[0]),
    allTags: done(() => {
      for (const tag of missing()) place(tag)
    }),
    term: (digit) => {
      const text = terms.map(
        ({ entries }) => entries.find(({ status }) => status !== 'FORBIDDEN')?.text,
      )[digit - 1]
      if (text) hand.current?.editor?.insertText(text)
      return true
    },
    fix: done(() => {
      const fix = fixable()
      if (fix) hand.current?.editor?.replace(fix)
    }),
    fixAll,
    keepCheck: (digit) => {
      const finding = findings()[digit - 1]
      if (finding) bench.setKeeping(finding)
      return true
    },
    nbsp: done(() => hand.current?.editor?.insertText('\u00a0')),
    save: done(() => void drafts.flush()),
    replace: done(() => bench.setDialog('replace')),
  }
  return { ...useChords(isReadOnly ? reading : { ...reading, ...writing }), fixAll }
}
