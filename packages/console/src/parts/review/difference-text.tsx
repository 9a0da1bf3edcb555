/**
 * A text with what is gone struck out and what is new underlined, in the direction of its language.
 */
import type { TextTag } from '@dragoman/contract/wire'
import { directionOf } from '../../words/words.ts'
import { Chip } from '../chip-editor/chip-text.tsx'
import type { Piece } from './differences.ts'
import css from './review.module.css'

type DifferenceTextProps = {
  readonly pieces: readonly Piece[]
  readonly tags: readonly TextTag[]
  readonly language: string
}

export function DifferenceText({ pieces, tags, language }: DifferenceTextProps) {
  return (
    <span className={css.difference} data-difference lang={language} dir={directionOf(language)}>
      {pieces.map(({ part, kind }, at) => {
        const tag = typeof part === 'string' ? undefined : tags.find((one) => one.tag === part.tag)
        const shown = typeof part === 'string' ? part : tag && <Chip tag={tag} />
        // biome-ignore-start lint/suspicious/noArrayIndexKey: the pieces of a text do not move.
        if (kind === 'gone') return <del key={at}>{shown}</del>
        if (kind === 'new') return <ins key={at}>{shown}</ins>
        return <span key={at}>{shown}</span>
        // biome-ignore-end lint/suspicious/noArrayIndexKey: as above.
      })}
    </span>
  )
}
