/**
 * Maps the codes of a content system to accepted ones: by the connector's own table, else as they
 * are, ignoring case and separator. Never guesses: an ambiguous code is refused with a list of the
 * candidates.
 */
import { findLanguage, HubError, likelyLanguages } from '@dragoman/contract/wire'

/** Codes of the content system to accepted ones: `{ german: 'de-DE', 'zh-Hant': 'zh-tw' }`. */
export type LanguageTable = Readonly<Record<string, string>>

export function mapLanguage(code: string, table: LanguageTable = {}): string {
  const given = Object.hasOwn(table, code) ? (table[code] ?? code) : code
  if (findLanguage(given) !== undefined) return given
  const choices = likelyLanguages(given)
  const hint =
    choices.length > 0
      ? `use ${anyOf(choices)}`
      : 'no accepted code is of this language: check its spelling'
  const mapped = given === code ? '' : ` (to which the table maps "${code}")`
  const because = `"${given}"${mapped} is not an accepted language code; ${hint}, or map it with the option \`languages\`.`
  throw new HubError('INVALID_LANGUAGE', { because })
}

const anyOf = (codes: readonly string[]): string =>
  codes.length > 1 ? `${codes.slice(0, -1).join(', ')} or ${codes.at(-1)}` : (codes[0] ?? '')
