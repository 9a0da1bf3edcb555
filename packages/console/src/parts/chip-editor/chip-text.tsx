/**
 * A text of the desk, to read: tags as chips, in the language and direction of the text, isolated
 * from what stands around it. Ranges of it can be marked: terms in a source, differences of a
 * match.
 */
import type { TextParts, TextTag } from '@dragoman/contract/wire'
import type { ReactNode } from 'react'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/parts.json'
import { directionOf, useWords } from '../../words/words.ts'
import { showsOf, type TagWords } from './chip.ts'
import css from './chip-editor.module.css'
import { officeWords } from './office-words.ts'

/** A range of one text part. `part` counts all parts, tags as well. */
export type TextMark = {
  readonly part: number
  readonly from: number
  readonly to: number
  /** Renders the marked text, such as in a `<mark>`. */
  readonly show: (text: string) => ReactNode
}

export type ChipTextProps = {
  readonly text: TextParts
  readonly tags: readonly TextTag[]
  readonly language: string
  readonly marks?: readonly TextMark[]
}

/** What is said of a tag: its text in the file, but words for the markup of Office. */
export function useTagWords(): TagWords {
  const t = useWords<keyof typeof en>('parts')
  const writers = useWriters()
  const wordsOf = (tag: TextTag) => {
    const words = officeWords(tag.shows)
    return words && writers.list(words.map((word) => t(word)))
  }
  return {
    shows: (tag) => wordsOf(tag) ?? showsOf(tag),
    name: (tag) => t('tagName', { number: tag.tag, shows: wordsOf(tag) ?? tag.shows }),
  }
}

export function ChipText({ text, tags, language, marks = [] }: ChipTextProps) {
  return (
    <span className={css.text} lang={language} dir={directionOf(language)}>
      {text.map((part, at) => {
        // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a text do not move.
        if (typeof part !== 'string') {
          const tag = tags.find((one) => one.tag === part.tag)
          return tag && <Chip key={at} tag={tag} />
        }
        return (
          <span key={at}>
            {marked(
              part,
              marks.filter((mark) => mark.part === at),
            )}
          </span>
        )
        // biome-ignore-end lint/suspicious/noArrayIndexKey: as above.
      })}
    </span>
  )
}

export function Chip({ tag }: { readonly tag: TextTag }) {
  const words = useTagWords()
  return (
    <span className={css.chip} dir="ltr" role="img" aria-label={words.name(tag)} title={tag.shows}>
      <span className={css.number}>{tag.tag}</span>
      <span className={css.shows}>{words.shows(tag)}</span>
    </span>
  )
}

/** Where two marks overlap, the one that begins first is shown. */
function marked(text: string, marks: readonly TextMark[]): ReactNode {
  if (marks.length === 0) return text
  const out: ReactNode[] = []
  let start = 0
  for (const { from, to, show } of marks.toSorted((a, b) => a.from - b.from)) {
    if (from < start) continue
    out.push(text.slice(start, from), <span key={from}>{show(text.slice(from, to))}</span>)
    start = to
  }
  out.push(text.slice(start))
  return out
}
