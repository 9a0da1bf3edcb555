/**
 * Amazon Translate: JSON 1.1 with a signature of version 4, which is computed here without the
 * signer of the hub.
 */
import { createHash, createHmac } from 'node:crypto'
import { bytes, checkBody, codePoints, type Received, type Reply, type Vendor } from '../vendor.ts'

export const amazonKeyId = 'AKIDEXAMPLE'
export const amazonSecret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
export const amazonRegion = 'eu-central-1'
const codes = ['de', 'en', 'fr', 'pt', 'pt-PT', 'zh', 'zh-TW']

const error = (type: string, message: string, status = 400): Reply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: { __type: type, message },
})

const text = { type: 'string', minLength: 1 }
const fault = checkBody(
  {
    Text: text,
    SourceLanguageCode: text,
    TargetLanguageCode: text,
    TerminologyNames: { type: 'array', items: text, maxItems: 1 },
    Settings: {
      type: 'object',
      additionalProperties: false,
      properties: {
        Formality: { enum: ['FORMAL', 'INFORMAL'] },
        Profanity: { enum: ['MASK'] },
        Brevity: { enum: ['ON'] },
      },
    },
  },
  ['Text', 'SourceLanguageCode', 'TargetLanguageCode'],
)
const listFault = checkBody(
  { DisplayLanguageCode: text, MaxResults: { type: 'integer', maximum: 500 } },
  [],
)

const sha256 = (data: string) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

/**
 * Docs: Create a signed AWS API request. Only what is signed counts, so the signed headers must
 * include the target.
 */
export function isSignedFor(call: Received): boolean {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/translate\/aws4_request, SignedHeaders=([^,]+), Signature=(.+)$/.exec(
      call.headers.authorization ?? '',
    )
  if (!found) return false
  const [, id, day = '', region = '', names = '', signature] = found
  const time = String(call.headers['x-amz-date'] ?? '')
  const headers = names.split(';')
  if (id !== amazonKeyId || region !== amazonRegion || !time.startsWith(day)) return false
  if (
    !['content-type', 'host', 'x-amz-date', 'x-amz-target'].every((name) => headers.includes(name))
  )
    return false
  const canonical = [
    call.method,
    call.path,
    '',
    ...headers.map((name) => `${name}:${String(call.headers[name] ?? '').trim()}`),
    '',
    names,
    sha256(call.body),
  ].join('\n')
  const scope = `${day}/${region}/translate/aws4_request`
  const key = [region, 'translate', 'aws4_request'].reduce(hmac, hmac(`AWS4${amazonSecret}`, day))
  return (
    hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex') ===
    signature
  )
}

export const amazon: Vendor = {
  name: 'Amazon Translate',
  published:
    'docs.aws.amazon.com/translate/latest/APIReference (TranslateText, ListLanguages) and AWS Signature Version 4, read 17 November 2026',
  read: (call) => {
    const target = String(call.headers['x-amz-target'] ?? '')
    if (call.method !== 'POST' || call.path !== '/')
      return error('UnknownOperationException', 'Not found', 404)
    if (call.headers['content-type'] !== 'application/x-amz-json-1.1')
      return error('SerializationException', 'The content type is not supported')
    if (!call.headers.authorization)
      return error('MissingAuthenticationTokenException', 'Missing Authentication Token')
    if (!isSignedFor(call))
      return error(
        'InvalidSignatureException',
        'The request signature we calculated does not match the signature',
      )
    if (target === 'AWSShineFrontendService_20170701.ListLanguages') {
      if (listFault(call.json)) return error('ValidationException', String(listFault(call.json)))
      const all = codes.map((LanguageCode) => ({ LanguageCode, LanguageName: LanguageCode }))
      return {
        body: {
          DisplayLanguageCode: 'en',
          Languages: [{ LanguageCode: 'auto', LanguageName: 'Auto' }, ...all],
        },
      }
    }
    if (target !== 'AWSShineFrontendService_20170701.TranslateText')
      return error('UnknownOperationException', 'Unknown operation')
    const wrong = fault(call.json)
    if (wrong) return error('ValidationException', wrong)
    const body = call.json as {
      Text: string
      SourceLanguageCode: string
      TargetLanguageCode: string
    }
    if (bytes([body.Text]) > 10_000)
      return error(
        'TextSizeLimitExceededException',
        'Input text size exceeds limit. Max length of request text allowed is 10000 bytes',
      )
    if (!codes.includes(body.SourceLanguageCode) || !codes.includes(body.TargetLanguageCode))
      return error('UnsupportedLanguagePairException', 'Unsupported language pair')
    const { Text, ...pair } = { ...body }
    return {
      texts: [Text],
      source: body.SourceLanguageCode,
      target: body.TargetLanguageCode,
      billed: codePoints([Text]),
      reply: ([first]) => ({
        headers: { 'content-type': 'application/x-amz-json-1.1' },
        body: { TranslatedText: first, ...pair },
      }),
    }
  },
  errors: {
    rate: error('ThrottlingException', 'Rate exceeded'),
    quota: error('LimitExceededException', 'The specified limit has been exceeded.'),
    server: error('InternalServerException', 'An internal server error occurred.', 500),
    key: error(
      'UnrecognizedClientException',
      `The security token is invalid: ${amazonKeyId} ${amazonSecret}`,
    ),
    pair: error('UnsupportedLanguagePairException', 'Unsupported language pair: en to de.'),
  },
}
