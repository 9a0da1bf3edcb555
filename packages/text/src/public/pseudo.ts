/** Pseudo-translation, which shows texts that a program builds in, cuts off or cannot display. */
import { optionsOf } from '../formats/find-format.ts'
import { pseudoSegment, pseudoString } from '../pseudo/pseudo-text.ts'
import { type FileOptions, openNamed } from './files.ts'

/**
 * Pseudo-translates a text: accents every letter, makes it a third longer, and keeps placeholders
 * and tags. The same text always gives the same.
 *
 * @example
 * import { pseudoText } from '@dragoman/text'
 *
 * console.log(pseudoText('Hello {name}')) // Ĥéļļóóñ {name}
 */
export const pseudoText = (text: string): string => pseudoString(text)

/**
 * Pseudo-translates every text of a file. Throws a FormatError if the format is unknown or the file
 * is broken.
 *
 * @example
 * import { pseudoFile } from '@dragoman/text'
 *
 * const bytes = new TextEncoder().encode('greeting: Hello')
 * const pseudo = pseudoFile('en.yml', bytes, { targetLanguage: 'de' })
 * console.log(new TextDecoder().decode(pseudo)) // greeting: Ĥéļļóóñ
 */
export function pseudoFile(
  fileName: string,
  bytes: Uint8Array,
  options: FileOptions & { readonly targetLanguage: string },
): Uint8Array {
  const { format, named } = openNamed(fileName, bytes, options)
  const target = { targetLanguage: options.targetLanguage }
  return format.rewrite(bytes, pseudoSegment, target, optionsOf(named)).bytes
}
