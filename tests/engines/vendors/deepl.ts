/** DeepL: text translation v2, languages v3, glossaries v3. */
import { randomUUID } from 'node:crypto'
import { checkBody, codePoints, type Received, type Reply, type Vendor } from '../vendor.ts'

export const deeplKey = 'f63c02c5-deepl-key-for-tests:fx'

const text = { type: 'string' }
const fault = checkBody(
  {
    text: { type: 'array', minItems: 1, items: text },
    source_lang: text,
    target_lang: text,
    context: text,
    show_billed_characters: { type: 'boolean' },
    split_sentences: { enum: ['0', '1', 'nonewlines'] },
    preserve_formatting: { type: 'boolean' },
    formality: { enum: ['default', 'more', 'less', 'prefer_more', 'prefer_less'] },
    model_type: { enum: ['quality_optimized', 'prefer_quality_optimized', 'latency_optimized'] },
    glossary_id: text,
    tag_handling: { enum: ['xml', 'html'] },
    tag_handling_version: { enum: ['v1', 'v2'] },
    outline_detection: { type: 'boolean' },
    non_splitting_tags: { type: 'array', items: text },
    splitting_tags: { type: 'array', items: text },
    ignore_tags: { type: 'array', items: text },
  },
  ['text', 'target_lang'],
)
const dictionary = {
  type: 'object',
  required: ['source_lang', 'target_lang', 'entries', 'entries_format'],
  additionalProperties: false,
  properties: {
    source_lang: text,
    target_lang: text,
    entries: text,
    entries_format: { enum: ['tsv', 'csv'] },
  },
}
const glossaryFault = checkBody(
  { name: text, dictionaries: { type: 'array', minItems: 1, items: dictionary } },
  ['name', 'dictionaries'],
)

type Body = {
  readonly text: readonly string[]
  readonly source_lang?: string
  readonly target_lang: string
  readonly glossary_id?: string
  readonly formality?: string
  readonly tag_handling?: string
  readonly tag_handling_version?: string
  readonly show_billed_characters?: boolean
}
type Glossary = {
  readonly glossary_id: string
  readonly name: string
  readonly dictionaries: readonly { source_lang: string; target_lang: string; entries: string }[]
}

const both = (lang: string, name: string, formality: boolean) => ({
  lang,
  name,
  usable_as_source: !lang.includes('-'),
  usable_as_target: lang !== 'en' && lang !== 'pt',
  features: {
    tag_handling: { status: 'stable' },
    ...(formality && { formality: { status: 'stable' } }),
  },
})
const languages = [
  both('de', 'German', true),
  both('en', 'English', false),
  both('en-GB', 'English (British)', false),
  both('en-US', 'English (American)', false),
  both('fr', 'French', true),
  both('pt', 'Portuguese', false),
  both('pt-BR', 'Portuguese (Brazilian)', true),
  both('zh', 'Chinese', false),
  both('zh-Hans', 'Chinese (simplified)', false),
  both('zh-Hant', 'Chinese (traditional)', false),
]
const has = (code: string, as: 'usable_as_source' | 'usable_as_target') =>
  languages.find((one) => one.lang.toLowerCase() === code.toLowerCase())?.[as] === true

const error = (status: number, message: string): Reply => ({ status, body: { message } })
const notSupported = (name: string) => error(400, `Value for '${name}' not supported.`)

/** Tags must be closed, and `&` and `<` escaped. */
const isWellFormed = (xml: string): boolean => {
  const open: string[] = []
  const rest = xml.replace(
    /<(\/?)([a-z]+)(?: [a-z]+="[^"<]*")*(\/?)>/g,
    (all, end, name, single) => {
      if (end && open.pop() !== name) return '<'
      if (!end && !single) open.push(name)
      return all === '' ? '<' : ''
    },
  )
  return open.length === 0 && !/<|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(rest)
}

export function deepl(): Vendor & { readonly glossaries: Glossary[] } {
  const glossaries: Glossary[] = []
  const translate = (call: Received): ReturnType<Vendor['read']> => {
    if (Buffer.byteLength(call.body) > 128 * 1024) return error(413, 'Request entity too large')
    const wrong = fault(call.json)
    if (wrong) return error(400, `Bad request. Reason: ${wrong}`)
    const body = call.json as Body
    if (body.text.length > 50) return error(400, 'Too many texts')
    if (body.source_lang && !has(body.source_lang, 'usable_as_source'))
      return notSupported('source_lang')
    if (!has(body.target_lang, 'usable_as_target')) return notSupported('target_lang')
    const target = languages.find(
      ({ lang }) => lang.toLowerCase() === body.target_lang.toLowerCase(),
    )
    if (/^(?:more|less)$/.test(body.formality ?? '') && !target?.features.formality)
      return error(400, "'formality' is not supported for given 'target_lang'.")
    const glossary = glossaries.find((one) => one.glossary_id === body.glossary_id)
    if (body.glossary_id && !glossary) return error(404, 'Glossary not found')
    if (body.glossary_id && !body.source_lang)
      return error(400, 'Use of glossary requires source_lang')
    if (
      body.tag_handling === 'xml' &&
      body.tag_handling_version === 'v2' &&
      !body.text.every(isWellFormed)
    )
      return error(400, 'Tag handling parsing failed, please check input.')
    const counted = body.tag_handling
      ? body.text.map((one) => one.replace(/<[^>]*>/g, ''))
      : body.text
    return {
      texts: body.text,
      source: body.source_lang ?? 'en',
      target: body.target_lang,
      billed: codePoints(counted),
      reply: (translations) => ({
        body: {
          translations: translations.map((one, at) => ({
            detected_source_language: (body.source_lang ?? 'EN').toUpperCase(),
            text: one,
            ...(body.show_billed_characters && {
              billed_characters: codePoints(counted.slice(at, at + 1)),
            }),
            ...(body.tag_handling && { tag_handling_version: body.tag_handling_version ?? 'v1' }),
          })),
        },
      }),
    }
  }
  const summary = ({ dictionaries, ...rest }: Glossary) => ({
    ...rest,
    dictionaries: dictionaries.map(({ entries, ...pair }) => ({
      ...pair,
      entry_count: entries.split('\n').length,
    })),
    creation_time: '2026-06-30T12:00:00.000Z',
  })
  const manage = (call: Received): Reply => {
    const [, id] = /^\/v3\/glossaries\/(.+)$/.exec(call.path) ?? []
    if (call.method === 'GET' && !id) return { body: { glossaries: glossaries.map(summary) } }
    const at = glossaries.findIndex((one) => one.glossary_id === id)
    if (id && at < 0) return error(404, 'Glossary not found')
    if (call.method === 'DELETE') {
      glossaries.splice(at, 1)
      return { status: 204 }
    }
    const wrong = glossaryFault(call.json)
    if (call.method !== 'POST' || wrong) return error(400, `Bad request. Reason: ${wrong}`)
    const made = { glossary_id: randomUUID(), ...(call.json as Omit<Glossary, 'glossary_id'>) }
    if (
      made.dictionaries.some(
        ({ entries }) => !entries.split('\n').every((line) => /^[^\t]+\t[^\t]+$/.test(line)),
      )
    )
      return error(400, 'Invalid glossary entries')
    glossaries.push(made)
    return { status: 201, body: summary(made) }
  }
  return {
    name: 'DeepL',
    published:
      'github.com/DeepLcom/openapi openapi.yaml 3.5.0 to 3.9.0 and developers.deepl.com, read 17 November 2026',
    glossaries,
    read: (call) => {
      if (call.headers.authorization !== `DeepL-Auth-Key ${deeplKey}`)
        return error(403, 'Forbidden')
      if (call.method === 'GET' && call.path === '/v3/languages')
        return call.query.get('resource') === 'translate_text'
          ? { body: languages }
          : error(400, 'resource is required')
      if (
        call.method === 'POST' &&
        !/^application\/json\b/.test(call.headers['content-type'] ?? '')
      )
        return error(415, 'Unsupported media type')
      if (call.path.startsWith('/v3/glossaries')) return manage(call)
      return call.method === 'POST' && call.path === '/v2/translate'
        ? translate(call)
        : error(404, 'Not found')
    },
    errors: {
      rate: error(429, 'Too many requests'),
      quota: error(456, 'Quota Exceeded'),
      server: error(500, 'Internal Server Error'),
      key: error(403, `Forbidden: ${deeplKey}`),
      pair: notSupported('target_lang'),
    },
  }
}
