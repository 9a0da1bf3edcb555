/** The codes of the contract as engines of LibreTranslate's kind know them: mostly the language without its region. */

/** Where the first part alone would name another language, or none. */
const otherNames: Readonly<Record<string, string>> = { fil: 'tl', iw: 'he', in: 'id', no: 'nb', cmn: 'zh' }
/** How those engines call Chinese in traditional characters. */
const traditional = 'zt'
const traditionalRegions = new Set(['tw', 'hk', 'mo', 'hant'])

/** `named` is the provider's own table, whose codes are compared without case and with `_` for `-`. */
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
