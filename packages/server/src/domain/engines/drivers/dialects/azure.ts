/**
 * Azure Translator: version 3.0, and 2026-06-06, which has other JSON and takes similar
 * translations along. Another model never answers in place of the one that was asked for.
 */
import {
  type Cause,
  causeOf,
  charactersOf,
  type Dialect,
  type EngineAddress,
  type EngineCall,
  isText,
  member,
  sourceCharacters,
} from './dialect.ts'
import { codesOf } from './language-codes.ts'
import {
  everyPair,
  formality,
  json,
  placeName,
  resourceName,
  textOrNone,
} from './shared-settings.ts'

type Own = {
  readonly version?: '3.0' | '2026-06-06'
  readonly region?: string
  readonly deployment?: string
  readonly formality?: string
}
const latest = '2026-06-06'
const ownOf = ({ own = {} }: EngineAddress): Own => own as Own
const versionOf = ({ version = latest }: Own): string => version

function headersOf({ apiKey = '', own = {} }: EngineAddress): Record<string, string> {
  const { region } = own as Own
  return {
    'ocp-apim-subscription-key': apiKey,
    ...(region && { 'ocp-apim-subscription-region': region }),
  }
}

const pairCodes = new Set([400019, 400023, 400035, 400036, 400075, 400079])
const maxReferences = 5

function causeIn(status: number, code: number): Cause {
  if (code === 403001) return 'QUOTA'
  if (pairCodes.has(code)) return 'PAIR'
  return causeOf(code > 100_000 ? Math.floor(code / 1_000) : status)
}

/**
 * An adapted translation also costs the characters of the translation, which is rarely twice as
 * long.
 */
const adapted = ({ texts, about = [] }: EngineCall): number =>
  texts.reduce(
    (sum, text, at) => sum + (about[at]?.references?.length ? 2 * charactersOf(text) : 0),
    0,
  )

function inputsOf(own: Own, { texts, source, target, format, about = [] }: EngineCall): object[] {
  const textType = format === 'html' ? 'html' : 'plain'
  return texts.map((text, at) => {
    const pairs = (about[at]?.references ?? []).slice(0, maxReferences)
    const referenceTextPairs = pairs.map((one) => ({ source: one.source, target: one.target }))
    const wanted = {
      language: target,
      deploymentName: own.deployment,
      tone: own.formality,
      allowFallback: false,
      ...(pairs.length > 0 && { referenceTextPairs }),
    }
    return { text, language: source, textType, targets: [wanted] }
  })
}

export const azure: Dialect = {
  name: 'Azure Translator',
  notes: [
    'No other model answers in place of the one that you name. Version 2026-06-06 takes similar translations of the memory along; such a text also costs the characters of its translation. Azure says what it bills, and the hub counts that.',
  ],
  defaultUrl: 'https://api.cognitive.microsofttranslator.com',
  required: ['apiKey'],
  says: {
    url: 'By default the global address; for a resource with its own, https://NAME.cognitiveservices.azure.com/translator/text.',
    apiKey: 'A key of the resource.',
  },
  settings: {
    version: { enum: [latest, '3.0'], default: latest, description: 'The api-version.' },
    region: placeName('The region of the resource, unless it is global.'),
    deployment: resourceName(
      'A custom model (its category in 3.0) or a deployed language model. By default, the general one.',
    ),
    formality,
  },
  limits: {
    texts: 1_000,
    perText: { most: 50_000, unit: 'CHARACTERS' },
    perCall: { most: 50_000, unit: 'CHARACTERS' },
  },
  cost: {
    unit: 'CHARACTERS',
    estimate: (call) => sourceCharacters(call) + adapted(call),
    billed: (_, { 'x-metered-usage': metered = '' }) =>
      /^\d{1,12}$/.test(metered) ? Number(metered) : undefined,
  },
  translate: {
    request: (at, call) => {
      const own = ownOf(at)
      const sent = { path: '/translate', headers: headersOf(at), contentType: json }
      const version = versionOf(own)
      if (version === latest)
        return {
          ...sent,
          query: { 'api-version': version },
          body: JSON.stringify({ inputs: inputsOf(own, call) }),
        }
      const { texts, source: from, target: to, format } = call
      const textType = format === 'html' ? 'html' : 'plain'
      const category = own.deployment === undefined ? {} : { category: own.deployment }
      const query = {
        'api-version': version,
        from,
        to,
        textType,
        allowFallback: 'false',
        ...category,
      }
      return { ...sent, query, body: JSON.stringify(texts.map((text) => ({ Text: text }))) }
    },
    read: (answer) => {
      const all = Array.isArray(answer) ? answer : member(answer, 'value')
      if (!Array.isArray(all)) return undefined
      return all.map((one) => {
        const translations = member(one, 'translations')
        return Array.isArray(translations) ? textOrNone(member(translations[0], 'text')) : undefined
      })
    },
  },
  languages: {
    request: (at) => ({
      method: 'GET',
      path: '/languages',
      query: { 'api-version': versionOf(ownOf(at)), scope: 'translation' },
    }),
    read: (answer) => {
      const all = member(answer, 'translation')
      return typeof all === 'object' && all !== null ? everyPair(Object.keys(all)) : undefined
    },
  },
  codeOf: codesOf({
    chinese: ['zh-Hans', 'zh-Hant'],
    names: { tl: 'fil' },
    variants: ['pt-PT', 'fr-CA', 'sr-Latn', 'sr-Cyrl', 'mn-Cyrl', 'mn-Mong', 'iu-Latn', 'tlh-Latn'],
    usual: { sr: 'sr-Cyrl', mn: 'mn-Cyrl' },
  }),
  errorOf: (status, answer) => {
    const error = member(answer, 'error')
    const [code, sentence] = [member(error, 'code'), member(error, 'message')]
    return {
      cause: causeIn(status, isText(code) || typeof code === 'number' ? Number(code) : 0),
      sentence,
    }
  },
  takes: { references: true },
}
