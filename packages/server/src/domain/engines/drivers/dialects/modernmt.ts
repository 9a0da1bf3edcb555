/** ModernMT: a POST that stands for GET, with the status once more in the body. */
import {
  type Cause,
  causeOf,
  type Dialect,
  isText,
  member,
  sourceCharacters,
  sumOfCounts,
} from './dialect.ts'
import { codesOf } from './language-codes.ts'
import { everyPair, json, resourceName, textOrNone, textsIn } from './shared-settings.ts'

const headersOf = (apiKey = '') => ({ 'mmt-apikey': apiKey, 'x-http-method-override': 'GET' })

function causeIn(status: number, message: string): Cause {
  if (status === 402 || (status === 403 && /quota|limit|exceeded|plan/i.test(message)))
    return 'QUOTA'
  if (status === 400 && /language/i.test(message)) return 'PAIR'
  return causeOf(status)
}

export const modernmt: Dialect = {
  name: 'ModernMT',
  notes: ['ModernMT says what it bills, and the hub counts that.'],
  defaultUrl: 'https://api.modernmt.com',
  required: ['apiKey'],
  says: { apiKey: 'The API key of the licence.' },
  settings: {
    memories: resourceName(
      'The ids of memories of the account that a translation may follow, separated by commas.',
    ),
    glossary: resourceName('The ids of glossaries of the account, separated by commas.'),
  },
  limits: { texts: 128, perCall: { most: 30_000, unit: 'CHARACTERS' } },
  cost: {
    unit: 'CHARACTERS',
    estimate: sourceCharacters,
    billed: (answer) => {
      const all = member(answer, 'data')
      if (!Array.isArray(all)) return undefined
      return sumOfCounts(all.map((one) => member(one, 'billedCharacters')))
    },
  },
  translate: {
    request: ({ apiKey, own = {} }, { texts, source, target, format }) => ({
      path: '/translate',
      headers: headersOf(apiKey),
      contentType: json,
      body: JSON.stringify({
        source,
        target,
        q: texts,
        format: format === 'html' ? 'text/xml' : 'text/plain',
        multiline: true,
        hints: own.memories,
        glossaries: own.glossary,
      }),
    }),
    read: (answer) => {
      const all = member(answer, 'data')
      return Array.isArray(all)
        ? all.map((one) => textOrNone(member(one, 'translation')))
        : undefined
    },
  },
  languages: {
    request: ({ apiKey }) => ({
      method: 'GET',
      path: '/translate/languages',
      headers: headersOf(apiKey),
    }),
    read: (answer) => {
      const all = member(answer, 'data')
      return Array.isArray(all) ? everyPair(textsIn(all)) : undefined
    },
  },
  codeOf: codesOf({
    chinese: ['zh-CN', 'zh-TW'],
    variants: ['pt-BR', 'pt-PT', 'es-419'],
    usual: { pt: 'pt-BR' },
  }),
  errorOf: (status, answer) => {
    const [sentence, given] = [member(member(answer, 'error'), 'message'), member(answer, 'status')]
    const meant = typeof given === 'number' ? given : status
    return { cause: causeIn(meant, isText(sentence) ? sentence : ''), sentence }
  },
}
