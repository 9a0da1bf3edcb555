/** What a page gives to an editor of a text with tags, and what it can ask of it. */
import type { TextParts, TextTag } from '@dragoman/contract/wire'
import type { Ref } from 'react'

export type ChipEditorHandle = {
  /** At the caret. A tag that stands already is moved there. */
  insertTag(tag: number): void
  insertText(text: string): void
  /** The whole text, as one step that can be undone. */
  replace(text: TextParts): void
  focus(): void
  /** The selected text, without tags. */
  selection(): string
}

export type ChipEditorProps = {
  readonly value: TextParts
  readonly tags: readonly TextTag[]
  /** Tells how often a tag may stand; without it, once. */
  readonly source?: TextParts
  readonly language: string
  readonly label: string
  readonly describedBy?: string
  readonly isPlain?: boolean
  readonly onChange: (value: TextParts) => void
  /**
   * Returns whether the key was used; the editor then ignores it. Not called while an input method
   * is composing.
   */
  readonly onKey: (event: KeyboardEvent) => boolean
  readonly onLeave: () => void
  /**
   * An editor that takes the place of a focused one begins with the focus here, each tag counted as
   * one.
   */
  readonly caret?: number | undefined
  readonly handle: Ref<ChipEditorHandle>
}
