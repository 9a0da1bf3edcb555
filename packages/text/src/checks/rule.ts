/**
 * What every rule gets and returns. A rule is pure, and its time grows with the length of the
 * texts, not faster.
 */
import type { CheckFact, CheckName, MaxLength, TextParts, TextTag } from '@dragoman/contract/wire'
import type { Language } from './language.ts'
import type { Side } from './read-text.ts'

export type TextPair = {
  readonly source: TextParts
  readonly tags: readonly TextTag[]
  readonly target: TextParts
  readonly maxLength?: MaxLength | undefined
  /** About the terms of this text, from domain/terms. */
  readonly terms?: readonly Told[] | undefined
  /** The best fuzzy match, as it was offered. */
  readonly fuzzy?: { readonly percent: number; readonly target: TextParts } | undefined
  /** White space is layout, as in HTML: spaces and line breaks are not compared. */
  readonly loose?: boolean | undefined
}

export type Context = {
  readonly source: Side
  readonly target: Side
  readonly from: Language
  readonly to: Language
  readonly pair: TextPair
}

/** A sentence, and what it says by name, for other languages. */
export type Told = { readonly message: string; readonly fact: CheckFact }
export type Found = {
  readonly message: string
  /** One for each sentence of the message. */
  readonly facts: readonly CheckFact[]
  readonly fix?: TextParts | undefined
}
export type Rule = (context: Context) => Found | undefined
export type Rules = Readonly<Partial<Record<CheckName, Rule>>>
