/**
 * A name that someone chose: isolated in its own writing direction, with invisible characters
 * marked.
 */
import css from './name.module.css'

/**
 * Direction marks, zero-width characters and control characters. Joiners are kept: emoji and
 * several scripts need them.
 */
const unseen = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u

export function Name({ of }: { readonly of: string }) {
  if (!unseen.test(of)) return <bdi>{of}</bdi>
  const parts = [...of].map((letter, at) =>
    unseen.test(letter) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the letters of a text do not move.
      <span key={at} className={css.mark} title={codeOf(letter)}>
        <span aria-hidden="true">{codeOf(letter)}</span>
      </span>
    ) : (
      letter
    ),
  )
  return <bdi>{parts}</bdi>
}

const codeOf = (letter: string): string =>
  `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
