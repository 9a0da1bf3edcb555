/** Amazon Translate: one text in a call, signed with version 4 of the signatures of AWS. */
import {
  type Cause,
  causeOf,
  type Dialect,
  type EngineAddress,
  type EngineRequest,
  isText,
  member,
  type SignatureHeaders,
  sourceCharacters,
  type UnsignedRequest,
} from './dialect.ts'
import { codesOf } from './language-codes.ts'
import { everyPair, formality, resourceName, textOrNone, textsIn } from './shared-settings.ts'

type Own = {
  readonly accessKeyId?: string
  readonly sessionToken?: string
  readonly region?: string
  readonly formality?: string
  readonly glossary?: string
}
const ownOf = ({ own = {} }: EngineAddress): Own => own as Own

const contentType = 'application/x-amz-json-1.1'
const call = (operation: string, body: object): EngineRequest => ({
  path: '/',
  contentType,
  headers: { 'x-amz-target': `AWSShineFrontendService_20170701.${operation}` },
  body: JSON.stringify(body),
})

const causes: Readonly<Record<string, Cause>> = {
  ThrottlingException: 'LATER',
  TooManyRequestsException: 'LATER',
  RequestTimeoutException: 'LATER',
  ServiceUnavailableException: 'LATER',
  InternalServerException: 'LATER',
  LimitExceededException: 'QUOTA',
  TextSizeLimitExceededException: 'SMALLER',
  UnsupportedLanguagePairException: 'PAIR',
  UnrecognizedClientException: 'KEY',
  InvalidSignatureException: 'KEY',
  IncompleteSignatureException: 'KEY',
  MissingAuthenticationTokenException: 'KEY',
  ExpiredTokenException: 'KEY',
  AccessDeniedException: 'KEY',
  OptInRequired: 'KEY',
}

/** The signer is loaded with the first call: most hubs have no use for it. */
async function sign(
  at: EngineAddress,
  request: UnsignedRequest,
  now: number,
): Promise<SignatureHeaders> {
  const [{ SignatureV4 }, { Sha256 }] = await Promise.all([
    import('@smithy/signature-v4'),
    import('./sha256.ts'),
  ])
  const { accessKeyId = '', sessionToken, region = '' } = ownOf(at)
  const credentials = {
    accessKeyId,
    secretAccessKey: at.apiKey ?? '',
    ...(sessionToken && { sessionToken }),
  }
  const signer = new SignatureV4({ service: 'translate', region, credentials, sha256: Sha256 })
  const { protocol, hostname, port, host, pathname } = new URL(request.url)
  const headers = { ...request.headers, host, 'content-type': request.contentType ?? contentType }
  const where = { protocol, hostname, path: pathname, ...(port && { port: Number(port) }) }
  const unsigned = { ...where, method: 'POST', headers, body: request.body, query: {} }
  const signed = await signer.sign(unsigned, { signingDate: new Date(now) })
  // The client sets these two itself, to the values that were signed.
  const { host: _, 'content-type': __, ...rest } = signed.headers
  return rest
}

export const amazon: Dialect = {
  name: 'Amazon Translate',
  notes: [
    'One text is one call, so many small texts take many calls: raise `concurrency` within the limits of the account.',
  ],
  defaultUrl: ({ region }) => `https://translate.${String(region)}.amazonaws.com`,
  required: ['accessKeyId', 'apiKey', 'region'],
  says: {
    url: 'By default https://translate.REGION.amazonaws.com.',
    apiKey:
      'The secret access key of a user or role that may call translate:TranslateText and translate:ListLanguages.',
  },
  settings: {
    accessKeyId: {
      type: 'string',
      pattern: '^[A-Z0-9]{1,128}$',
      description: 'The id of the access key.',
    },
    sessionToken: {
      type: 'string',
      minLength: 1,
      maxLength: 4_000,
      writeOnly: true,
      description: 'The token of temporary credentials. Stored encrypted and never returned.',
    },
    region: {
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,62}$',
      description: 'The region, such as eu-central-1.',
    },
    formality,
    glossary: resourceName('The name of a custom terminology of the account.'),
  },
  format: 'text',
  limits: {
    texts: 1,
    perText: { most: 10_000, unit: 'BYTES' },
    perCall: { most: 10_000, unit: 'BYTES' },
  },
  cost: { unit: 'CHARACTERS', estimate: sourceCharacters },
  translate: {
    request: (at, { texts: [text], source, target }) => {
      const { formality: tone, glossary } = ownOf(at)
      return call('TranslateText', {
        Text: text,
        SourceLanguageCode: source,
        TargetLanguageCode: target,
        TerminologyNames: glossary === undefined ? undefined : [glossary],
        Settings: tone === undefined ? undefined : { Formality: tone.toUpperCase() },
      })
    },
    read: (answer) => {
      const isAnswer = typeof answer === 'object' && answer !== null && 'TranslatedText' in answer
      return isAnswer ? [textOrNone(answer.TranslatedText)] : undefined
    },
  },
  sign,
  languages: {
    request: () => call('ListLanguages', { MaxResults: 500 }),
    read: (answer) => {
      const all = member(answer, 'Languages')
      if (!Array.isArray(all)) return undefined
      return everyPair(
        textsIn(all.map((one) => member(one, 'LanguageCode'))).filter((code) => code !== 'auto'),
      )
    },
  },
  codeOf: codesOf({
    chinese: ['zh', 'zh-TW'],
    names: { nb: 'no', nn: 'no' },
    variants: ['pt-PT', 'fr-CA', 'es-MX', 'fa-AF'],
  }),
  errorOf: (status, answer) => {
    const type = member(answer, '__type')
    const name = isText(type) ? type.slice(type.indexOf('#') + 1) : ''
    const known = Object.hasOwn(causes, name) ? causes[name] : undefined
    return {
      cause: known ?? causeOf(status),
      sentence: member(answer, 'message') ?? member(answer, 'Message'),
    }
  },
}
