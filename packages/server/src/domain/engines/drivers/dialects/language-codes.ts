/**
 * The codes of engines for the languages of the hub: the first part of a code, unless the engine
 * tells regions or scripts apart.
 */

/** Codes whose first part alone would be another language, or none. */
const otherNames: Readonly<Record<string, string>> = {
  fil: 'tl',
  iw: 'he',
  in: 'id',
  no: 'nb',
  cmn: 'zh',
}
const traditionalParts = new Set(['tw', 'hk', 'mo', 'hant'])

export type Codes = {
  /** Simplified and traditional Chinese. */
  readonly chinese: readonly [string, string]
  /** Names that differ from the usual ones. */
  readonly names?: Readonly<Record<string, string>>
  /**
   * Codes with a region or a script that are a language of their own, as the engine spells them.
   */
  readonly variants?: readonly string[]
  /** The code for a language that has only variants. */
  readonly usual?: Readonly<Record<string, string>>
}

export const codesOf =
  ({ chinese, names = {}, variants = [], usual = {} }: Codes) =>
  (code: string): string => {
    const given = code.replaceAll('_', '-').replace(/[()]/g, '')
    const [first = '', ...rest] = given.toLowerCase().split('-')
    const language = otherNames[first] ?? first
    if (language === 'zh') {
      const isTraditional =
        rest.some((part) => traditionalParts.has(part)) && !rest.includes('hans')
      return isTraditional ? chinese[1] : chinese[0]
    }
    const variant = variants.find((one) => {
      const [base, ...wanted] = one.toLowerCase().split('-')
      return base === language && wanted.every((part) => rest.includes(part))
    })
    return variant ?? usual[language] ?? names[language] ?? language
  }
