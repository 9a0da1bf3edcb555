/**
 * Google Cloud Translation: v2 with an API key, v3 with the key of a service account, whose own
 * signature Google accepts instead of a token (AIP-4111). The key never stands in an address.
 */
import { createSign } from 'node:crypto'
import { parseJson } from '../../../../process/parse.ts'
import {
  type Cause,
  causeOf,
  type Dialect,
  type EngineAddress,
  isText,
  member,
  type SignatureHeaders,
  sourceCharacters,
} from './dialect.ts'
import { codesOf } from './language-codes.ts'
import { everyPair, json, placeName, resourceName, textOrNone, textsIn } from './shared-settings.ts'

type Own = {
  readonly version?: 'v2' | 'v3'
  readonly serviceAccount?: string
  readonly project?: string
  readonly location?: string
  readonly model?: string
  readonly glossary?: string
}
const ownOf = ({ own = {} }: EngineAddress): Own => own as Own

type Account = {
  readonly email: string
  readonly key: string
  readonly id?: string
  readonly project?: string
}

function accountIn(text = ''): Account | undefined {
  const parsed = parseJson(text)
  const [email, key] = [member(parsed, 'client_email'), member(parsed, 'private_key')]
  if (!isText(email) || !isText(key)) return undefined
  const [id, project] = [member(parsed, 'private_key_id'), member(parsed, 'project_id')]
  return { email, key, ...(isText(id) && { id }), ...(isText(project) && { project }) }
}

function parentOf({ project, location = 'global', serviceAccount }: Own): string {
  return `/v3/projects/${project ?? accountIn(serviceAccount)?.project}/locations/${location}`
}

const audience = 'https://translation.googleapis.com/'
const lifeSeconds = 3_600
const coded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function tokenOf({ email, key, id }: Account, now: number): string {
  const issued = Math.floor(now / 1_000)
  const claims = { iss: email, sub: email, aud: audience, iat: issued, exp: issued + lifeSeconds }
  const signed = `${coded({ alg: 'RS256', typ: 'JWT', ...(id && { kid: id }) })}.${coded(claims)}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key).toString('base64url')}`
}

const isV3 = (own: Own): boolean => own.version === 'v3'
const keyed = ({ apiKey = '' }: EngineAddress): SignatureHeaders => ({ 'x-goog-api-key': apiKey })

function causeIn(status: number, message: string, reason: string): Cause {
  const isLimit = status === 403 || status === 429
  if (isLimit && (/daily limit|per day/i.test(message) || reason === 'dailyLimitExceeded'))
    return 'QUOTA'
  if (/rate limit/i.test(message) || /rateLimitExceeded/i.test(reason)) return 'LATER'
  if (/API key/i.test(message)) return 'KEY'
  if (status === 400 && /language/i.test(message)) return 'PAIR'
  return causeOf(status)
}

const translationsIn = (answer: unknown): unknown =>
  member(answer, 'glossaryTranslations') ??
  member(answer, 'translations') ??
  member(member(answer, 'data'), 'translations')

export const google: Dialect = {
  name: 'Google Cloud Translation',
  notes: [
    'White space is billed. The quota of a day is unlimited unless you lower it in the console of Google.',
  ],
  defaultUrl: 'https://translation.googleapis.com',
  says: { apiKey: 'The API key, for v2.' },
  settings: {
    version: {
      enum: ['v2', 'v3'],
      default: 'v2',
      description: '"v2" (Basic) takes an API key, "v3" (Advanced) the key of a service account.',
    },
    serviceAccount: {
      type: 'string',
      minLength: 1,
      maxLength: 10_000,
      writeOnly: true,
      description:
        'The JSON file with the key of a service account, as text, for v3. Stored encrypted and never returned.',
    },
    project: placeName('The project, for v3. By default, that of the service account.'),
    location: { ...placeName('The location, for v3.'), default: 'global' },
    model: resourceName('The model, as Google names it. By default, the general one.'),
    glossary: resourceName(
      'A glossary of the project, for v3: projects/…/locations/…/glossaries/….',
    ),
  },
  faultIn: ({ version, apiKey, serviceAccount, project }) => {
    if (version !== 'v3')
      return apiKey ? undefined : { path: 'apiKey', message: 'v2 needs an API key' }
    const account = accountIn(isText(serviceAccount) ? serviceAccount : '')
    const path = 'serviceAccount'
    if (!account) return { path, message: 'v3 needs the JSON of a key of a service account' }
    return account.project || project
      ? undefined
      : { path: 'project', message: 'the key names no project' }
  },
  limits: {
    texts: 128,
    perText: { most: 30_000, unit: 'CHARACTERS' },
    perCall: { most: 5_000, unit: 'CHARACTERS' },
  },
  cost: { unit: 'CHARACTERS', estimate: sourceCharacters },
  translate: {
    request: (at, { texts, source, target, format }) => {
      const own = ownOf(at)
      const { model, glossary } = own
      if (!isV3(own)) {
        const body = { q: texts, source, target, format, model }
        return {
          path: '/language/translate/v2',
          headers: keyed(at),
          contentType: json,
          body: JSON.stringify(body),
        }
      }
      const mimeType = format === 'html' ? 'text/html' : 'text/plain'
      const languages = { sourceLanguageCode: source, targetLanguageCode: target }
      const glossaryConfig = glossary === undefined ? undefined : { glossary }
      const body = JSON.stringify({
        contents: texts,
        mimeType,
        ...languages,
        model,
        glossaryConfig,
      })
      return { path: `${parentOf(own)}:translateText`, contentType: json, body }
    },
    read: (answer) => {
      const all = translationsIn(answer)
      return Array.isArray(all)
        ? all.map((one) => textOrNone(member(one, 'translatedText')))
        : undefined
    },
  },
  sign: (at, _, now): SignatureHeaders => {
    const account = isV3(ownOf(at)) ? accountIn(ownOf(at).serviceAccount) : undefined
    return account ? { authorization: `Bearer ${tokenOf(account, now)}` } : {}
  },
  languages: {
    request: (at) =>
      isV3(ownOf(at))
        ? { method: 'GET', path: `${parentOf(ownOf(at))}/supportedLanguages` }
        : { method: 'GET', path: '/language/translate/v2/languages', headers: keyed(at) },
    read: (answer) => {
      const all = member(answer, 'languages') ?? member(member(answer, 'data'), 'languages')
      if (!Array.isArray(all)) return undefined
      const usable = (as: string) => all.filter((one) => member(one, as) !== false)
      const codes = (some: readonly unknown[]) =>
        textsIn(some.map((one) => member(one, 'languageCode') ?? member(one, 'language')))
      return everyPair(codes(usable('supportSource')), codes(usable('supportTarget')))
    },
  },
  codeOf: codesOf({
    chinese: ['zh-CN', 'zh-TW'],
    names: { nb: 'no', nn: 'no', he: 'iw' },
    variants: ['pt-PT', 'fr-CA'],
  }),
  errorOf: (status, answer) => {
    const error = member(answer, 'error')
    const [message, code, errors] = ['message', 'code', 'errors'].map((name) => member(error, name))
    const reason = Array.isArray(errors) ? member(errors[0], 'reason') : undefined
    const meant = typeof code === 'number' && status === 200 ? code : status
    return {
      cause: causeIn(meant, isText(message) ? message : '', isText(reason) ? reason : ''),
      sentence: message,
    }
  },
}
