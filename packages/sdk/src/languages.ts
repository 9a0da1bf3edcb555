/**
 * From the codes of a content system to those that the service accepts: by the connector's own table, else as it stands,
 * else the nearest accepted code of the same language. Another language is never guessed.
 */
import { findLanguage, HubError, nearestLanguage } from '@dragoman/contract/wire'

/** Codes of the content system to accepted ones: `{ german: 'de-DE' }`. */
export type LanguageTable = Readonly<Record<string, string>>

export function mapLanguage(code: string, table: LanguageTable = {}): string {
  const given = Object.hasOwn(table, code) ? (table[code] ?? code) : code
  if (findLanguage(given) !== undefined) return given
  const nearest = nearestLanguage(given)
  if (primaryOf(nearest) === primaryOf(given)) return nearest
  throw new HubError('INVALID_LANGUAGE', { code: given, nearest })
}

const primaryOf = (code: string): string => code.replaceAll('_', '-').split(/[-(]/, 1)[0]?.toLowerCase() ?? ''
