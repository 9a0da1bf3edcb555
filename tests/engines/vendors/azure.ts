/** Azure Translator: version 3.0, and 2026-06-06 with other JSON and reference pairs. */
import {
  checkBody,
  codePoints,
  type Received,
  type Reply,
  type Vendor,
  type VendorCall,
} from '../vendor.ts'

export const azureKey = '9a8b7c6d-azure-key-for-tests'
export const azureRegion = 'westeurope'
const published =
  'github.com/MicrosoftDocs/azure-ai-docs text-translation/reference (v3/translate.md 18 November 2025, 2026-06-06/translate-api.md, status-response-codes.md 2 June 2026)'
const codes = ['de', 'en', 'fr', 'pt', 'pt-pt', 'zh-Hans', 'zh-Hant']

const error = (code: number, message: string): Reply => ({
  status: Math.floor(code / 1_000),
  body: { error: { code, message } },
})
const errors: Vendor['errors'] = {
  rate: error(
    429001,
    'The server rejected the request because the client has exceeded request limits.',
  ),
  quota: error(
    403001,
    'The operation is not allowed because the subscription has exceeded its free quota.',
  ),
  server: error(500000, 'An unexpected error occurred.'),
  key: error(
    401000,
    `The request is not authorized because credentials are missing or invalid: ${azureKey}`,
  ),
  pair: error(400036, 'The target language is not valid.'),
}

const text = { type: 'string' }
const v3Fault = checkBody({ Text: text }, ['Text'])
const target = {
  type: 'object',
  required: ['language'],
  additionalProperties: false,
  properties: {
    language: text,
    script: text,
    deploymentName: text,
    tone: { enum: ['formal', 'informal', 'neutral'] },
    gender: { enum: ['female', 'male', 'neutral'] },
    adaptiveDatasetId: text,
    allowFallback: { type: 'boolean' },
    referenceTextPairs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['source', 'target'],
        additionalProperties: false,
        properties: { source: text, target: text },
      },
    },
    profanityAction: { enum: ['NoAction', 'Marked', 'Deleted'] },
    profanityMarker: { enum: ['Asterisk', 'Tag'] },
  },
}
const fault = checkBody(
  {
    inputs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['text', 'targets'],
        additionalProperties: false,
        properties: {
          text,
          language: text,
          script: text,
          textType: { enum: ['plain', 'html'] },
          targets: { type: 'array', minItems: 1, items: target },
        },
      },
    },
  },
  ['inputs'],
)

/** The address, the key and the size, which both versions check alike. */
function refuse(call: Received, version: string): Reply | undefined {
  if (call.query.get('api-version') !== version)
    return error(400021, 'The API version parameter is missing or invalid.')
  if (call.method === 'GET' && call.path === '/languages') {
    const all = codes.map((code) => [code, { name: code, nativeName: code, dir: 'ltr' }])
    return { body: { translation: Object.fromEntries(all) } }
  }
  if (call.path !== '/translate') return error(404000, 'Not found.')
  if (call.method !== 'POST') return error(405000, 'The request method is not supported.')
  const { 'ocp-apim-subscription-key': key, 'ocp-apim-subscription-region': from } = call.headers
  if (key !== azureKey || from !== azureRegion)
    return error(401000, 'The credentials are missing or invalid.')
  if (!/^application\/json\b/.test(call.headers['content-type'] ?? ''))
    return error(415000, 'Content-Type is invalid.')
  if (call.json === undefined) return error(400074, 'The body of the request is not valid JSON.')
  return undefined
}

const tooMuch = (texts: readonly string[]): Reply | undefined => {
  if (texts.length > 1_000) return error(400072, 'The array of input text has too many elements.')
  return codePoints(texts) > 50_000
    ? error(400077, 'The maximum request size is exceeded.')
    : undefined
}

const v3Parameters = [
  'api-version',
  'from',
  'to',
  'textType',
  'category',
  'allowFallback',
  'profanityAction',
]

function askV3(call: Received): VendorCall | Reply {
  const unknown = [...call.query.keys()].find((name) => !v3Parameters.includes(name))
  if (unknown) return error(400042, `One of the options specified is not valid: ${unknown}`)
  if (!Array.isArray(call.json)) return error(400000, 'One of the request inputs is not valid.')
  if (call.json.some((one) => v3Fault(one)))
    return error(400020, 'One of the elements of the input is not valid.')
  const texts = (call.json as { Text: string }[]).map((one) => one.Text)
  const [from = '', to = ''] = [call.query.get('from') ?? '', call.query.get('to') ?? '']
  if (!codes.includes(from)) return error(400035, 'The source language is not valid.')
  if (!codes.includes(to)) return error(400036, 'The target language is not valid.')
  if (call.query.get('allowFallback') !== 'false')
    return error(400042, 'This test wants allowFallback=false.')
  return (
    tooMuch(texts) ?? {
      texts,
      source: from,
      target: to,
      billed: codePoints(texts),
      reply: (all) => ({
        headers: { 'x-metered-usage': String(codePoints(texts)) },
        body: all.map((one) => ({ translations: [{ text: one, to }] })),
      }),
    }
  )
}

type Input = {
  readonly text: string
  readonly language: string
  readonly targets: readonly {
    readonly language: string
    readonly allowFallback?: boolean
    readonly referenceTextPairs?: readonly unknown[]
  }[]
}

function ask(call: Received): VendorCall | Reply {
  const wrong = fault(call.json)
  if (wrong) return error(400000, `One of the request inputs is not valid: ${wrong}`)
  const { inputs } = call.json as { inputs: readonly Input[] }
  const [first] = inputs
  const to = first?.targets[0]?.language ?? ''
  if (inputs.some((one) => !codes.includes(one.language)))
    return error(400035, 'The source language is not valid.')
  if (
    inputs.some(
      (one) => one.targets.length !== 1 || one.targets[0]?.language !== to || !codes.includes(to),
    )
  )
    return error(400036, 'The target language is not valid.')
  if (inputs.some((one) => one.targets[0]?.allowFallback !== false))
    return error(400042, 'This test wants allowFallback=false.')
  const texts = inputs.map((one) => one.text)
  // An adapted translation also costs the characters of the translation.
  const isAdapted = (at: number) => (inputs[at]?.targets[0]?.referenceTextPairs?.length ?? 0) > 0
  const adapted = texts.filter((_, at) => isAdapted(at))
  const charged = codePoints(texts) + codePoints(adapted)
  return (
    tooMuch(texts) ?? {
      texts,
      source: first?.language ?? '',
      target: to,
      billed: charged,
      reply: (all) => ({
        headers: { 'x-metered-usage': String(charged) },
        body: {
          value: all.map((one, at) => {
            const count = codePoints(texts.slice(at, at + 1))
            const counts = {
              sourceCharacters: count,
              ...(isAdapted(at) && { targetCharacters: count }),
            }
            return { translations: [{ text: one, language: to, ...counts }] }
          }),
        },
      }),
    }
  )
}

export const azureV3: Vendor = {
  name: 'Azure 3.0',
  published,
  errors,
  read: (call) => refuse(call, '3.0') ?? askV3(call),
}
export const azure: Vendor = {
  name: 'Azure 2026-06-06',
  published,
  errors,
  read: (call) => refuse(call, '2026-06-06') ?? ask(call),
}
