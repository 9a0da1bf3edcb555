/**
 * Apertium APY: a form, one text per call, three-letter language codes. Several texts are sent as
 * paragraphs of one text. Unknown words come back unchanged; how many there are is a sign of
 * quality.
 */
import {
  type Answer,
  type Cause,
  causeOf,
  type Dialect,
  type EngineCall,
  isText,
  type LanguagePair,
  member,
  sourceCharacters,
} from './dialect.ts'

/** The codes of Apertium's languages (ISO 639-3) that have two letters in the hub. */
const letters: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'af:afr an:arg ar:ara ast:ast az:aze be:bel bg:bul bn:ben br:bre bs:bos ca:cat cs:ces cy:cym da:dan de:deu el:ell en:eng ' +
    'eo:epo es:spa et:est eu:eus fa:fas fi:fin fo:fao fr:fra ga:gle gd:gla gl:glg he:heb hi:hin hr:hrv hu:hun hy:hye id:ind ' +
    'is:isl it:ita ja:jpn ka:kat kk:kaz ky:kir ko:kor lt:lit lv:lav mk:mkd ml:mal mr:mar ms:msa mt:mlt nb:nob nl:nld nn:nno ' +
    'no:nob oc:oci pl:pol pt:por ro:ron ru:rus se:sme sc:srd sk:slk sl:slv sq:sqi sr:srp sv:swe ta:tam tr:tur tt:tat uk:ukr ' +
    'ur:urd uz:uzb vi:vie zh:zho'
  )
    .split(' ')
    .map((pair) => pair.split(':')),
)
const ours = new Map(
  Object.entries(letters).map(([two, three]) => [three, two === 'no' ? 'nb' : two]),
)

/**
 * Several texts are paragraphs with their numbers, so that each answer is known by its number and
 * not by its place.
 */
const wrapped = ({ texts }: EngineCall): string =>
  texts.length === 1
    ? (texts[0] ?? '')
    : texts.map((text, at) => `<p id="${at}">${text}</p>`).join('\n')

/**
 * When Apertium drops a word, its blank stays: two blanks become one. It also adds a blank after a
 * marker that a word directly follows in the source, as at the start of a line, and a full stop
 * where it moves a marker to the end.
 */
const tidy = (text: string, source: string): string => {
  const stops = source.includes('..') ? text : text.replace(/(?<!\.)\.\.(?!\.)/g, '.')
  const single = stops.replace(/(?<! ) {2,}/g, ' ')
  const glued = new Set(
    [...source.matchAll(/(<x id="\d{1,6}"\/>)\p{L}/gu)].map(([, marker]) => marker),
  )
  return single.replace(/(<x id="\d{1,6}"\/>) /g, (all, marker) =>
    glued.has(marker) ? marker : all,
  )
}

/** A text that has stars of its own hides those of unknown words. */
const marksUnknown = ({ texts }: EngineCall): boolean => !texts.some((text) => text.includes('*'))

/** The star that marks an unknown word is counted and removed. */
function answerOf(text: string, source: string, isMarked: boolean): Answer {
  if (!isMarked) return tidy(text, source)
  let unknown = 0
  const plain = text.replace(/\*(?=[\p{L}\p{M}\p{N}])/gu, () => {
    unknown += 1
    return ''
  })
  return unknown === 0 ? tidy(plain, source) : { text: tidy(plain, source), unknown }
}

/** The paragraphs by their numbers. One that is missing, or comes twice, is none. */
function paragraphsIn(text: string, count: number): (string | undefined)[] {
  const found: (string | undefined)[] = Array.from({ length: count })
  const seen = new Set<number>()
  for (const one of text.split('</p>').slice(0, -1)) {
    const [, before = '', number = '', inside] =
      /^([^<]*)<p id="(\d{1,6})">([\s\S]*)$/.exec(one) ?? []
    if (inside === undefined || before.trim() !== '') continue
    const at = Number(number)
    if (at < count) found[at] = seen.has(at) ? undefined : inside
    seen.add(at)
  }
  return found
}

function cut(text: string, call: EngineCall): (Answer | undefined)[] {
  const { texts } = call
  const all = texts.length === 1 ? [text] : paragraphsIn(text, texts.length)
  return all.map((one, at) =>
    one === undefined ? undefined : answerOf(one, texts[at] ?? '', marksUnknown(call)),
  )
}

export const apertium: Dialect = {
  name: 'Apertium',
  limits: {
    // Plain text has no paragraphs to send several texts in.
    plainTexts: 1,
    // APY cuts a call into pieces and drops all after the tenth, with status 200. Under load a
    // piece may have 500 bytes only.
    perCall: { most: 5_000, unit: 'BYTES' },
    around: '<p id="1000"></p>\n'.length,
  },
  cost: { unit: 'CHARACTERS', estimate: sourceCharacters },
  translate: {
    request: ({ apiKey }, call) => ({
      path: '/translate',
      contentType: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({
        q: wrapped(call),
        langpair: `${call.source}|${call.target}`,
        format: call.format === 'html' ? 'html' : 'txt',
        markUnknown: marksUnknown(call) ? 'yes' : 'no',
        ...(apiKey && { key: apiKey }),
      }).toString(),
    }),
    read: (answer, call) => {
      const text = member(member(answer, 'responseData'), 'translatedText')
      return isText(text) ? cut(text, call) : undefined
    },
  },
  codeOf: (code) => {
    const [language = ''] = code.replaceAll('_', '-').toLowerCase().split('-')
    return letters[language] ?? language
  },
  languages: {
    request: () => ({ method: 'GET', path: '/listPairs' }),
    read: (answer) => {
      const all = member(answer, 'responseData')
      if (!Array.isArray(all)) return undefined
      const targets = new Map<string, Set<string>>()
      for (const one of all) {
        const [source, target] = [member(one, 'sourceLanguage'), member(one, 'targetLanguage')]
        // A suffix, as in eng_US, is a variant, which no code of the hub requests.
        if (!isText(source) || !isText(target) || source.includes('_') || target.includes('_'))
          continue
        targets.set(source, (targets.get(source) ?? new Set()).add(target))
      }
      return [...targets].map(
        ([source, to]): LanguagePair => ({ source: named(source), targets: [...to].map(named) }),
      )
    },
  },
  errorOf: (status, answer) => {
    const sentence = member(answer, 'explanation') ?? member(answer, 'responseDetails')
    const cause: Cause =
      isText(sentence) && /\bpair\b/i.test(sentence) && status === 400 ? 'PAIR' : causeOf(status)
    return { cause, sentence }
  },
}

const named = (code: string): string => ours.get(code) ?? code
