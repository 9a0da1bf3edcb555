/**
 * DeepL v2. Markers are sent as XML with tag handling v2, which the answer keeps. Neighbours and
 * notes are sent as the context, which is not billed; the terms of the site as a glossary.
 */
import {
  type Cause,
  causeOf,
  type Dialect,
  type EngineCall,
  isText,
  type MadeGlossary,
  member,
  sourceCharacters,
  sumOfCounts,
} from './dialect.ts'
import { codesOf } from './language-codes.ts'
import { everyPair, formality, json, resourceName, textOrNone, textsIn } from './shared-settings.ts'

const sourceCode = codesOf({ chinese: ['zh', 'zh'] })
const targetCode = codesOf({
  chinese: ['zh-Hans', 'zh-Hant'],
  variants: ['en-GB', 'en-US', 'pt-BR', 'pt-PT', 'es-419', 'fr-CA'],
  usual: { en: 'en-US', pt: 'pt-PT' },
})

const authorized = (apiKey = '') => ({ authorization: `DeepL-Auth-Key ${apiKey}` })

/** Enough for the sentences around a text; the whole call may have 128 KiB. */
const maxContext = 4_000

function contextOf({ about = [] }: EngineCall): string | undefined {
  const around = about.flatMap(({ before, after, notes = [] }) => [...notes, before, after])
  const context = [...new Set(textsIn(around))].join('\n').slice(0, maxContext)
  return context === '' ? undefined : context
}

/** A glossary serves all regions of its languages. */
const baseOf = (code: string): string => code.split('-', 1)[0]?.toLowerCase() ?? ''

function glossaryIn(one: unknown): MadeGlossary | undefined {
  const [id, name] = [member(one, 'glossary_id'), member(one, 'name')]
  return isText(id) && isText(name)
    ? { id, name, isReady: member(one, 'ready') !== false }
    : undefined
}

const formalities: Readonly<Record<string, string>> = {
  formal: 'prefer_more',
  informal: 'prefer_less',
}

function causeIn(status: number, message: unknown): Cause {
  if (status === 456) return 'QUOTA'
  if (status === 414) return 'SMALLER'
  if (
    status === 400 &&
    isText(message) &&
    /_lang\b/i.test(message) &&
    /not supported/i.test(message)
  )
    return 'PAIR'
  return causeOf(status)
}

export const deepl: Dialect = {
  name: 'DeepL',
  notes: [
    'Tags are sent as XML with tag handling v2. Texts around a text and notes are sent as its context, which DeepL does not bill. DeepL says what it bills, and the hub counts that.',
    'The terms of the site go along as a glossary of the account, one for each pair of languages, unless `glossary` names another. The hub makes it when it is needed, replaces it when the terms change, and calls it "dragoman" with the id of the provider.',
  ],
  defaultUrl: ({ apiKey }) =>
    `https://api${isText(apiKey) && apiKey.endsWith(':fx') ? '-free' : ''}.deepl.com`,
  required: ['apiKey'],
  says: {
    url: 'By default https://api.deepl.com, or https://api-free.deepl.com for a key that ends in ":fx".',
    apiKey: 'The API key of the account.',
  },
  settings: {
    formality,
    model: {
      enum: ['quality_optimized', 'prefer_quality_optimized', 'latency_optimized'],
      description: 'The model_type of DeepL. By default, DeepL chooses.',
    },
    glossary: resourceName('The id of a glossary of the account that is used for every call.'),
  },
  limits: { texts: 50, perCall: { most: 50_000, unit: 'BYTES' } },
  cost: {
    unit: 'CHARACTERS',
    estimate: sourceCharacters,
    billed: (answer) => {
      const all = member(answer, 'translations')
      if (!Array.isArray(all)) return undefined
      return sumOfCounts(all.map((one) => member(one, 'billed_characters')))
    },
  },
  translate: {
    request: ({ apiKey, own = {} }, call) => ({
      path: '/v2/translate',
      headers: authorized(apiKey),
      contentType: json,
      body: JSON.stringify({
        text: call.texts,
        source_lang: call.source.toUpperCase(),
        target_lang: call.target.toUpperCase(),
        context: contextOf(call),
        show_billed_characters: true,
        preserve_formatting: true,
        formality: formalities[String(own.formality)],
        model_type: own.model,
        glossary_id: own.glossary ?? call.glossary,
        ...(call.format === 'html' && { tag_handling: 'xml', tag_handling_version: 'v2' }),
      }),
    }),
    read: (answer) => {
      const all = member(answer, 'translations')
      return Array.isArray(all) ? all.map((one) => textOrNone(member(one, 'text'))) : undefined
    },
  },
  languages: {
    request: ({ apiKey }) => ({
      method: 'GET',
      path: '/v3/languages',
      query: { resource: 'translate_text' },
      headers: authorized(apiKey),
    }),
    read: (answer) => {
      if (!Array.isArray(answer)) return undefined
      const usable = (as: string) =>
        textsIn(
          answer.map((one) =>
            member(one, `usable_as_${as}`) === true ? member(one, 'lang') : undefined,
          ),
        )
      return everyPair(usable('source'), usable('target'))
    },
  },
  codeOf: (code, as) => (as === 'source' ? sourceCode(code) : targetCode(code)),
  errorOf: (status, answer) => {
    const sentence = member(answer, 'message')
    return { cause: causeIn(status, sentence), sentence }
  },
  glossaries: {
    pairOf: ({ source, target }, { own = {} }) =>
      own.glossary === undefined ? `${baseOf(source)}-${baseOf(target)}` : undefined,
    list: ({ apiKey }) => ({ method: 'GET', path: '/v3/glossaries', headers: authorized(apiKey) }),
    read: (answer) => {
      const all = member(answer, 'glossaries')
      return Array.isArray(all) ? all.flatMap((one) => glossaryIn(one) ?? []) : undefined
    },
    create: ({ apiKey }, { source, target }, { name, terms }) => ({
      path: '/v3/glossaries',
      headers: authorized(apiKey),
      contentType: json,
      body: JSON.stringify({
        name,
        dictionaries: [
          {
            source_lang: baseOf(source),
            target_lang: baseOf(target),
            entries: terms.map((term) => `${term.source}\t${term.target}`).join('\n'),
            entries_format: 'tsv',
          },
        ],
      }),
    }),
    created: glossaryIn,
    remove: ({ apiKey }, id) => ({
      method: 'DELETE',
      path: `/v3/glossaries/${encodeURIComponent(id)}`,
      headers: authorized(apiKey),
    }),
  },
  takes: { context: true },
}
