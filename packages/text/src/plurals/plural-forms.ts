/**
 * The plural forms of a gettext catalogue in a language: how many, by which rule, and which one is
 * for the number one. The rules are those of CLDR for integers, in gettext syntax.
 */

export type PluralForms = {
  readonly count: number
  /** The expression of the header `Plural-Forms`. */
  readonly rule: string
  /** The form for one; undefined if there is a single form. */
  readonly one: number | undefined
}

const slavic = 'n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2'

const rows: readonly [languages: string, rule: string, one?: number][] = [
  ['bo dz id ig ii ja jv kea km ko lkt lo ms my osa sah ses sg su th to vi wo yo yue zh', '0'],
  [
    'ak am as bho bn fa ff fr gu guw hi hy kab kn ln mg nso pa pcm pt si ti wa zu fil tl',
    'n > 1',
    0,
  ],
  ['is mk', 'n%10!=1 || n%100==11', 0],
  ['he iu naq sat se sma smi smj smn sms', 'n==1 ? 0 : n==2 ? 1 : 2', 0],
  ['be bs hr ru sh sr uk', `n%10==1 && n%100!=11 ? 0 : ${slavic}`, 0],
  ['pl', `n==1 ? 0 : ${slavic}`, 0],
  ['cs sk', 'n==1 ? 0 : n>=2 && n<=4 ? 1 : 2', 0],
  ['mo ro', 'n==1 ? 0 : n==0 || (n%100>0 && n%100<20) ? 1 : 2', 0],
  ['lt', 'n%10==1 && (n%100<11 || n%100>19) ? 0 : n%10>=2 && (n%100<11 || n%100>19) ? 1 : 2', 0],
  ['lv prg', 'n%10==1 && n%100!=11 ? 0 : n!=0 ? 1 : 2', 0],
  ['dsb hsb sl', 'n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3', 0],
  ['gd', 'n==1 || n==11 ? 0 : n==2 || n==12 ? 1 : n>2 && n<20 ? 2 : 3', 0],
  [
    'mt',
    'n==1 ? 0 : n==2 ? 1 : n==0 || (n%100>=3 && n%100<=10) ? 2 : n%100>10 && n%100<20 ? 3 : 4',
    0,
  ],
  ['ga', 'n==1 ? 0 : n==2 ? 1 : n>2 && n<7 ? 2 : n>6 && n<11 ? 3 : 4', 0],
  ['ar ars', 'n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5', 1],
  ['cy', 'n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n==3 ? 3 : n==6 ? 4 : 5', 1],
]

const byLanguage = new Map<string, PluralForms>(
  rows.flatMap(([languages, rule, one]) => {
    // The last number of a choice is its highest; a comparison by itself is 0 or 1.
    const count = rule.includes('?') ? Number(rule.slice(-1)) + 1 : rule === '0' ? 1 : 2
    return languages
      .split(' ')
      .map((language): [string, PluralForms] => [language, { count, rule, one }])
  }),
)
const usual: PluralForms = { count: 2, rule: 'n != 1', one: 0 }

export function pluralForms(language: string): PluralForms {
  const tag = language.toLowerCase().replaceAll('_', '-')
  if (tag === 'pt-pt') return usual
  return byLanguage.get(tag.split('-')[0] ?? '') ?? usual
}

/** `de-DE` in gettext spelling: `de_DE`; a script goes after an @. */
export function localeName(language: string): string {
  const [base = '', ...rest] = language.replaceAll('_', '-').split('-')
  const script = rest.find((one) => one.length === 4)?.toLowerCase()
  const region = rest.find((one) => one.length === 2 || /^\d{3}$/.test(one))?.toUpperCase()
  const variant = script === 'latn' ? '@latin' : script === 'cyrl' ? '@cyrillic' : ''
  const place = region ?? (script === 'hant' ? 'TW' : script === 'hans' ? 'CN' : undefined)
  return base.toLowerCase() + (place ? `_${place}` : '') + variant
}

/** The usual spelling of a language code, for files whose readers tell `es-es` from `es-ES`. */
export function languageTag(code: string): string {
  const [base = '', ...rest] = code.split(/[-_]/)
  if (!/^[A-Za-z]{2,3}$/.test(base)) return code
  const spelled = rest.map((part) => {
    if (/^[A-Za-z]{4}$/.test(part))
      return part.charAt(0).toUpperCase() + part.slice(1).toLowerCase()
    return part.length === 2 ? part.toUpperCase() : part
  })
  return [base.toLowerCase(), ...spelled].join('-')
}

type Names = { readonly languages?: { readonly names?: readonly LanguageName[] } | undefined }
type LanguageName = { readonly language: string; readonly name: string }

/** The project's own name for a language in its files, by the options of the job. */
export function nameInFiles(language: string, { languages }: Names): string | undefined {
  const same = (code: string) => code.replaceAll('_', '-').toLowerCase()
  return languages?.names?.find((one) => same(one.language) === same(language))?.name
}
