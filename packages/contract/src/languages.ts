/**
 * The accepted language codes, in the specification's spelling ("Versioning"), and how a code is
 * matched (contract, section 3): ignoring case, with `_` for `-`. A caller's code is returned as
 * sent.
 */
import { editDistance } from './edit-distance.ts'
import { limits } from './limits.ts'

export const languages: readonly string[] = `
  aa-ET ab-GE ach-UG ADH af-ZA ak-GH alg-CA am-ET apa-us ar-AE ar-DZ ar-EG ar-IL ar-IQ ar-JO ar-KW AR-LB ar-LY ar-MA
  arn-CL ar-OM ar-qa ar-SA ar-SD ar-TN ar-xg ar-XN as-IN az-AZ az-Latn-AZ bal-PK ban-IN ba-RU be-BY ber-MA bfy-IN
  bg-BG bhb-IN bh-IN bih-in bin-NG bi-VU bn-BD bn-IN bo-CN br-FR brx-IN bs-BA bs-Cyrl-BA bs-Latn-BA ca-ES ca-ES-V
  ceb-PH chk-FM co-FR co-IT cr-CA cs-CZ cy-GB da-DK de-at de-BE de-ch de-de de-li de-lu dua-CM dv-MV dyu-BF dz-BT
  ee-GH el-CY el-GR en-au en-bz en-ca en-cpe en-cy en-EG en-gb en-HK en-id en-ie en-IN en-jm en-JO en-KE en-LB en-LK
  en-MT en-MW en-MY en-NG en-nz en-PH en-PK en-SA en-SG en-us en-xg en-XN en-za eo-XN es-ar es-BO es-CL es-CO es-CR
  es-CU es-DO es-EC es-es es-GT es-HN es-mx es-NI es-PA es-PE es-pr es-PY es-SV es-US es-UY es-VE es-XL es-XN et-EE
  etu-NG eu-ES fa-AF fa-in fa-IR fat-GH fi-FI fil-PH fo-FO fr-011 fr-be fr-ca fr-CD fr-ch fr-CI fr-CM fr-DZ fr-fr
  fr-GN fr-lu fr-MA fr-QM fr-TG fr-TN fr-xn fuf-GN fy-NL gaa-GH ga-ie gd-GB gil-kir gl-ES gu-IN gur-GH ha-NE he-IL
  hi-FJ hi-IN hil-PH hmn-LA ho-PG hr-ba hr-HR ht-HT hu-HU hy-AM hz-na id-ID igb-NG ig-NG ike-CA-NU ike-CA-QC ilo-PH
  is-IS it-CH it-IT its-NG ja-jp jam-jm jaz-NC jv-ID ka-GE kam-KE kck-ZW kg-CD kik-KE kk-cn kk-KZ kl-GL km-KH kn-IN
  kok-IN ko-kr kri-SL ks-IN ks-PK ksw-mymr ku-IQ ku-TR ky-KG la-VA lb-LU lg-UG ln-CG lo-LA loz-ZM lt-LT lu-CD luo-ke
  lv-LV mai-IN mg-MG mi-NZ mk-MK ml-IN mni-IN mnk-GM mn-MN moh-CA mr-IN ms-MY ms-SG mt-MT mtq-vn myi-IN my-MM myn-GT
  naq-NA nb-NO nd-ZW ne-NP nic-GH nl-BE nl-NL nn-NO nr-ZA nso-ZA nv-US ny-MW oc-ES om-ET or-IN pag-PH pa-IN pam-PH
  pap-AW pa-PK pl-PL ps-AF pt-AO pt-BR pt-MZ pt-PT qu-BO qu-pe rm-CH roa-IT ro-MD rom-MK ro-RO ru-BY ru-EE ru-IL
  ru-kg ru-KZ ru-lt ru-LV ru-RU ru-UA ru-xn rw-RW sa-IN sat-IN sco-GB sd-PK se-NO sgn-GB shg-BW si-LK skr-PK sk-SK
  sl-SI sm-WS sn-ZW so-SO sq-AL sr-Cyrl-RS sr-Latn-ME sr-Latn-RS srp-ME sso-LS ss-SZ st-LS su-ID sus-GN sv-FI sv-SE
  sw-KE syl-BD ta-IN ta-LK tcy-IN te-IN tem-SL TEO tet-TL tg-TJ th-TH ti-ER tig-ER tiv-NG tk-TM tll-CD tl-PH tn-BW
  to-TO tpi-PG tr-CY tr-TR ts-ZA tt-RU tvl-TV tw-GH ug-CN ug-ny uk-UA und-und ur-IN ur-PK uz-Cyrl-UZ uz-Latn-UZ uz-UZ
  ve-ZA vi-VN wo-SN wuu-CN-CN xh-ZA xsm-GH yao-MW yi-IL yo-NG zh(-Hans)-MY zh-cn zh-hk zh-mo zh-SG zh-tw zh-xy zu-ZA
`
  .trim()
  .split(/\s+/)

/** Codes are short; a longer text cannot be one. */
const longest = limits.languageCharacters

/** No accepted code is this long, so the rest cannot change which one is nearest. */
const compared = 16

/** The usual choice between two equally similar codes, for a language with an unknown region. */
const usual: { en: string; [language: string]: string } = {
  en: 'en-us',
  zh: 'zh-cn',
  ar: 'ar-SA',
  sv: 'sv-SE',
}

/** One entry of the list stands for two codes. */
const malaysian = 'zh(-Hans)-MY'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern means all of ASCII.
const isAscii = /^[\x00-\x7f]*$/

const byText = new Map(languages.map((language) => [normal(language), language]))
byText.set('zh-my', malaysian).set('zh-hans-my', malaysian)

/** Spellings seen so far: a call may have thousands of codes, most of them the same few. */
const bySpelling = new Map<string, string>()
const mostSpellings = 1_000

/** The accepted code that matches the text, in the specification's spelling, or undefined. */
export function findLanguage(code: string): string | undefined {
  const known = bySpelling.get(code)
  if (known !== undefined || code.length > longest) return known
  const language = byText.get(normal(code))
  if (language !== undefined && bySpelling.size < mostSpellings) bySpelling.set(code, language)
  return language
}

/**
 * Every spelling of the code's language, in lower case and with hyphens; none for an unknown code.
 */
export function spellingsOf(code: string): string[] {
  const language = findLanguage(code)
  return [...byText].flatMap(([text, known]) => (known === language ? [text] : []))
}

/** Whether two codes name one language; codes that are not accepted are compared as texts. */
export const isSameLanguage = (one: string, other: string): boolean =>
  (findLanguage(one) ?? normal(one)) === (findLanguage(other) ?? normal(other))

/** How many letters a code of another language may differ in and still be suggested. */
const maxAway = 1

/** Names of languages that others use, with the code that means the same. */
const aliases: Readonly<Record<string, string>> = {
  'es-419': 'es-XL',
  in: 'id-ID',
  iw: 'he-IL',
  no: 'nb-NO',
}

/**
 * The accepted code that a name with a script means: `zh-cn` for `zh-Hans-CN` and `zh-tw` for
 * `zh-Hant`. Undefined for every other name that is no alias.
 */
export function impliedLanguage(code: string): string | undefined {
  const text = normal(code.slice(0, compared))
  if (Object.hasOwn(aliases, text)) return aliases[text]
  const [, language, script, named] =
    /^([a-z]{2,3})-([a-z]{4})(?:-([a-z0-9]{2,3}))?$/.exec(text) ?? []
  if (language === undefined || script === undefined) return undefined
  const region = named ?? new Intl.Locale(`${language}-${script}`).maximize().region
  return findLanguage(`${language}-${script}-${region}`) ?? findLanguage(`${language}-${region}`)
}

/**
 * The accepted code most similar to the text: the same language first, then the fewest changed
 * letters; none if no code has the same language and a typo does not explain it.
 */
export function nearestLanguage(code: string): string | undefined {
  const text = normal(code.slice(0, compared))
  const wanted = primaryOf(text)
  if (wanted === '') return undefined
  const implied = impliedLanguage(code)
  if (implied !== undefined) return implied
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const [known, language] of byText) {
    const sameLanguage = primaryOf(known) === wanted
    const isUsual = known === `${wanted}-${wanted}` || language === usual[wanted]
    const letters = editDistance(text, known)
    // Very short texts are close to everything.
    if (!sameLanguage && (letters > maxAway || text.length < shortest)) continue
    const away = letters - (sameLanguage ? longest : 0) - (isUsual ? 0.5 : 0)
    if (away < least) {
      least = away
      nearest = language
    }
  }
  return nearest
}

/** A shorter text matches only codes of its own language. */
const shortest = 5

/** Every accepted code of the same language. */
export function relatedLanguages(code: string): string[] {
  const wanted = primaryOf(normal(code.slice(0, compared)))
  return languages.filter((language) => wanted !== '' && primaryOf(normal(language)) === wanted)
}

/**
 * Codes of the same language to choose from, those in the same script and the usual one first:
 * three of many.
 */
export function likelyLanguages(code: string): string[] {
  const related = relatedLanguages(code)
  const nearest = nearestLanguage(code)
  const usualFirst = related.toSorted(
    (one, other) => Number(other === nearest) - Number(one === nearest),
  )
  const script = scriptOf(code)
  const inScript = usualFirst.filter((language) => scriptOf(language) === script)
  return [...new Set([...inScript, ...usualFirst])].slice(0, related.length > 5 ? 3 : 5)
}

/** Such as Hant for zh-tw; undefined if the text is not a language tag. */
function scriptOf(code: string): string | undefined {
  try {
    return new Intl.Locale(code.replace(/[()]/g, '').replaceAll('_', '-')).maximize().script
  } catch {
    return undefined
  }
}

/** The error for a code. */
export function languageRefusal(code: string | null): string {
  if (code === null) return `null is not a language code; send one, such as "${usual.en}".`
  const nearest = nearestLanguage(code)
  const hint = nearest === undefined ? ', and none is near it' : `; the nearest is "${nearest}"`
  return `"${code.slice(0, 50).toWellFormed()}" is not an accepted language code${hint}.`
}

const primaryOf = (text: string): string => text.split(/[-(]/, 1)[0] ?? ''

/** Lower-cases ASCII letters only: a Kelvin sign is not a k. No code has other letters. */
function normal(code: string): string {
  return isAscii.test(code) ? code.replaceAll('_', '-').toLowerCase() : code
}
