/**
 * Google Cloud Translation: v2 (Basic) with an API key, and v3 (Advanced) with a token that a
 * service account signed.
 */
import { createVerify, generateKeyPairSync } from 'node:crypto'
import {
  bytes,
  checkBody,
  codePoints,
  type Received,
  type Reply,
  type Vendor,
  type VendorCall,
} from '../vendor.ts'

export const googleKey = 'AIzaSy-google-key-for-tests'
export const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
export const googleProject = 'garden-shop'
const email = `translator@${googleProject}.iam.gserviceaccount.com`
export const serviceAccount = JSON.stringify({
  type: 'service_account',
  project_id: googleProject,
  private_key_id: 'a1b2c3',
  private_key: privateKey,
  client_email: email,
})

const published =
  'translation.googleapis.com/$discovery/rest?version=v2 and v3, docs.cloud.google.com/translate/quotas, google.aip.dev/auth/4111, read 17 November 2026'
const codes = ['de', 'en', 'fr', 'pt', 'pt-PT', 'zh-CN', 'zh-TW']

const error = (code: number, status: string, message: string, reason?: string): Reply => ({
  status: code,
  body: {
    error: {
      code,
      message,
      status,
      ...(reason && {
        errors: [
          { message, domain: reason.endsWith('Exceeded') ? 'usageLimits' : 'global', reason },
        ],
      }),
    },
  },
})
const invalid = (message: string) => error(400, 'INVALID_ARGUMENT', message, 'badRequest')
const errors = {
  rate: error(403, 'PERMISSION_DENIED', 'User Rate Limit Exceeded', 'userRateLimitExceeded'),
  quota: error(403, 'PERMISSION_DENIED', 'Daily Limit Exceeded', 'dailyLimitExceeded'),
  server: error(500, 'INTERNAL', 'Internal error encountered.', 'backendError'),
}
/** As in its answers to HTML. */
const escapes = (text: string): string =>
  text.replaceAll("'", '&#39;').replace(/"(?![^<]*>)/g, '&quot;')

const text = { type: 'string' }
const v2Fault = checkBody(
  {
    q: { type: 'array', items: text },
    source: text,
    target: text,
    format: { enum: ['html', 'text'] },
    model: text,
  },
  ['q', 'target'],
)
const v3Fault = checkBody(
  {
    contents: { type: 'array', items: text },
    mimeType: { enum: ['text/html', 'text/plain'] },
    sourceLanguageCode: text,
    targetLanguageCode: text,
    model: text,
    glossaryConfig: {
      type: 'object',
      required: ['glossary'],
      additionalProperties: false,
      properties: { glossary: text, ignoreCase: { type: 'boolean' } },
    },
    labels: { type: 'object' },
  },
  ['contents', 'targetLanguageCode'],
)

const isKnown = (source: string, target: string) => codes.includes(source) && codes.includes(target)

function askV2(call: Received): VendorCall | Reply {
  const wrong = v2Fault(call.json)
  if (wrong) return invalid(`Invalid JSON payload received. ${wrong}`)
  const body = call.json as { q: string[]; source: string; target: string }
  if (body.q.length > 128) return invalid('Too many text segments')
  if (bytes(body.q) > 100_000) return invalid('Text too long')
  if (!isKnown(body.source, body.target))
    return invalid(`Bad language pair: ${body.source}|${body.target}`)
  return {
    texts: body.q,
    source: body.source,
    target: body.target,
    billed: codePoints(body.q),
    reply: (all) => ({
      body: { data: { translations: all.map((one) => ({ translatedText: one })) } },
    }),
  }
}

export const googleV2: Vendor = {
  name: 'Google v2',
  published,
  escapes,
  read: (call) => {
    if (call.query.has('key')) return invalid('The key must not be in the address')
    const key = call.headers['x-goog-api-key']
    if (!key)
      return error(403, 'PERMISSION_DENIED', 'The request is missing a valid API key.', 'forbidden')
    if (key !== googleKey) return invalid('API key not valid. Please pass a valid API key.')
    if (call.method === 'GET' && call.path === '/language/translate/v2/languages')
      return { body: { data: { languages: codes.map((language) => ({ language })) } } }
    if (call.method !== 'POST' || call.path !== '/language/translate/v2')
      return error(404, 'NOT_FOUND', 'Not found.')
    return askV2(call)
  },
  errors: {
    ...errors,
    key: invalid(`API key not valid. Please pass a valid API key, not ${googleKey}.`),
    pair: invalid('Bad language pair: en|de'),
  },
}

const parent = `/v3/projects/${googleProject}/locations/global`

/** Google accepts a token that the service account signed itself, for at most an hour. */
function isSigned(authorization = '', now = Date.now()): boolean {
  const [head = '', claims = '', signature = ''] = authorization.replace(/^Bearer /, '').split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8') || '{}')
  const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`)
  if (!verify.verify(publicKey, Buffer.from(signature, 'base64url'))) return false
  const { iss, sub, aud, iat, exp } = read(claims)
  const isTimely = exp - iat <= 3_600 && Math.abs(iat * 1_000 - now) < 3_600_000
  return iss === email && sub === email && aud === 'https://translation.googleapis.com/' && isTimely
}

function askV3(call: Received): VendorCall | Reply {
  const wrong = v3Fault(call.json)
  if (wrong) return invalid(`Invalid JSON payload received. ${wrong}`)
  const body = call.json as {
    contents: string[]
    sourceLanguageCode: string
    targetLanguageCode: string
    glossaryConfig?: { glossary: string }
  }
  if (body.contents.length > 1_024) return invalid('Too many strings in contents.')
  if (codePoints(body.contents) > 30_000) return invalid('Text is too long.')
  if (!isKnown(body.sourceLanguageCode, body.targetLanguageCode))
    return invalid(`Target language is invalid: ${body.targetLanguageCode}`)
  const { glossaryConfig } = body
  return {
    texts: body.contents,
    source: body.sourceLanguageCode,
    target: body.targetLanguageCode,
    billed: codePoints(body.contents),
    reply: (all) => {
      const translations = all.map((one) => ({ translatedText: one }))
      const glossaryTranslations = translations.map((one) => ({ ...one, glossaryConfig }))
      return { body: { translations, ...(glossaryConfig && { glossaryTranslations }) } }
    },
  }
}

export const googleV3: Vendor = {
  name: 'Google v3',
  published,
  escapes,
  read: (call) => {
    if (!isSigned(call.headers.authorization))
      return error(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
    const supported = { supportSource: true, supportTarget: true }
    if (call.method === 'GET' && call.path === `${parent}/supportedLanguages`)
      return { body: { languages: codes.map((languageCode) => ({ languageCode, ...supported })) } }
    if (call.method !== 'POST' || call.path !== `${parent}:translateText`)
      return error(404, 'NOT_FOUND', 'Not found.')
    return askV3(call)
  },
  errors: {
    ...errors,
    key: error(
      401,
      'UNAUTHENTICATED',
      `Request had invalid authentication credentials: ${privateKey}`,
    ),
    pair: invalid('Target language is invalid.'),
  },
}
