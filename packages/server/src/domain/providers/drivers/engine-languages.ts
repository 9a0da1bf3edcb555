/**
 * Maps the contract's language codes to those of LibreTranslate-compatible engines: usually the language without its
 * region.
 */

/** Codes whose first part would name another language, or none. */
const otherNames: Readonly<Record<string, string>> = { fil: 'tl', iw: 'he', in: 'id', no: 'nb', cmn: 'zh' }
/** The engines' code for traditional Chinese. */
const traditional = 'zt'
const traditionalRegions = new Set(['tw', 'hk', 'mo', 'hant'])

/** `named` is the provider's own mapping. Its keys ignore case and accept `_` for `-`. */
export function engineCode(code: string, named: Readonly<Record<string, string>> = {}): string {
  const whole = normal(code)
  const given = Object.entries(named).find(([name]) => normal(name) === whole)
  if (given) return given[1]
  const [language = '', ...rest] = whole.replace(/[()]/g, '').split('-')
  const known = otherNames[language] ?? language
  const isTraditional = rest.some((part) => traditionalRegions.has(part)) && !rest.includes('hans')
  return known === 'zh' && isTraditional ? traditional : known
}

const normal = (code: string): string => code.replaceAll('_', '-').toLowerCase()
