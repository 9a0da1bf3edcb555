/** What vendors' errors and language codes mean, by their published lists. */
import { describe, expect, test } from 'vitest'
import type { Cause, Dialect } from './dialect.ts'
import { type DialectId, dialects } from './index.ts'

const google = (message: string, reason?: string) => ({
  error: { message, ...(reason && { errors: [{ reason }] }) },
})
const azure = (code: number | string) => ({ error: { code, message: 'm' } })
const amazon = (type: string) => ({ __type: type, message: 'm' })
const modernmt = (status: number, message: string) => ({ status, error: { type: 'T', message } })

describe('errors', () => {
  const rows: [DialectId, number, unknown, Cause][] = [
    ['deepl', 400, { message: "Value for 'target_lang' not supported." }, 'PAIR'],
    ['deepl', 400, { message: 'Tag handling parsing failed, please check input.' }, 'SMALLER'],
    ['deepl', 403, { message: 'Forbidden' }, 'KEY'],
    ['deepl', 413, {}, 'SMALLER'],
    ['deepl', 414, {}, 'SMALLER'],
    ['deepl', 429, undefined, 'LATER'],
    ['deepl', 456, { message: 'Quota Exceeded' }, 'QUOTA'],
    ['deepl', 529, {}, 'LATER'],
    ['google', 400, google('API key not valid. Please pass a valid API key.'), 'KEY'],
    ['google', 400, google('Bad language pair: en|xx'), 'PAIR'],
    ['google', 400, google('Text too long'), 'SMALLER'],
    ['google', 403, google('Daily Limit Exceeded', 'dailyLimitExceeded'), 'QUOTA'],
    ['google', 403, google('User Rate Limit Exceeded', 'userRateLimitExceeded'), 'LATER'],
    ['google', 403, google('Cloud Translation API has not been used in project 1 before'), 'KEY'],
    ['google', 429, google('Quota exceeded for quota metric per minute'), 'LATER'],
    ['google', 429, google('Quota exceeded for quota metric per day'), 'QUOTA'],
    ['azure', 400, azure(400036), 'PAIR'],
    ['azure', 400, azure('400077'), 'SMALLER'],
    ['azure', 401, azure(401000), 'KEY'],
    ['azure', 403, azure(403001), 'QUOTA'],
    ['azure', 408, azure(408001), 'LATER'],
    ['azure', 429, azure(429001), 'LATER'],
    ['azure', 200, azure(429001), 'LATER'],
    ['amazon', 400, amazon('com.amazonaws.translate#ThrottlingException'), 'LATER'],
    ['amazon', 400, amazon('TextSizeLimitExceededException'), 'SMALLER'],
    ['amazon', 400, amazon('UnsupportedLanguagePairException'), 'PAIR'],
    ['amazon', 400, amazon('InvalidSignatureException'), 'KEY'],
    ['amazon', 400, amazon('LimitExceededException'), 'QUOTA'],
    ['amazon', 500, amazon('InternalServerException'), 'LATER'],
    ['amazon', 400, amazon('toString'), 'SMALLER'],
    ['modernmt', 401, modernmt(401, 'The API key is not valid'), 'KEY'],
    ['modernmt', 403, modernmt(403, 'The quota of the month is used up'), 'QUOTA'],
    ['modernmt', 400, modernmt(400, 'Unsupported language pair'), 'PAIR'],
    ['modernmt', 200, modernmt(429, 'Too many requests'), 'LATER'],
  ]
  test.each(rows)('%s: %s %j is %s', (id, status, answer, cause) => {
    expect(dialects[id].errorOf(status, answer).cause).toBe(cause)
  })
})

describe('language codes', () => {
  const rows: [DialectId, 'source' | 'target', string, string][] = [
    ['deepl', 'source', 'en-us', 'en'],
    ['deepl', 'target', 'en_gb', 'en-GB'],
    ['deepl', 'target', 'en', 'en-US'],
    ['deepl', 'target', 'pt-br', 'pt-BR'],
    ['deepl', 'target', 'pt', 'pt-PT'],
    ['deepl', 'target', 'zh-TW', 'zh-Hant'],
    ['deepl', 'source', 'zh-TW', 'zh'],
    ['deepl', 'target', 'de-AT', 'de'],
    ['google', 'target', 'zh', 'zh-CN'],
    ['google', 'target', 'zh-Hant-HK', 'zh-TW'],
    ['google', 'target', 'nb-NO', 'no'],
    ['google', 'target', 'he', 'iw'],
    ['google', 'target', 'fr-CA', 'fr-CA'],
    ['azure', 'target', 'sr', 'sr-Cyrl'],
    ['azure', 'target', 'sr-Latn-RS', 'sr-Latn'],
    ['azure', 'target', 'no', 'nb'],
    ['azure', 'target', 'fil', 'fil'],
    ['amazon', 'target', 'es-mx', 'es-MX'],
    ['amazon', 'target', 'es-es', 'es'],
    ['amazon', 'target', 'zh-hk', 'zh-TW'],
    ['modernmt', 'target', 'pt', 'pt-BR'],
    ['libretranslate', 'target', 'zh-tw', 'zt'],
    ['libretranslate', 'target', 'zh-Hans-HK', 'zh'],
  ]
  test.each(rows)('%s %s: %s is %s', (id, as, ours, theirs) => {
    expect(dialects[id].codeOf(ours, as)).toBe(theirs)
  })

  test.each(Object.entries(dialects))(
    '%s maps its own codes to themselves',
    (_, { codeOf }: Dialect) => {
      for (const code of ['de', 'fr', 'en', 'pt-PT', 'zh-CN', 'zh-TW', 'zh-Hans', 'zh-Hant'])
        expect(codeOf(codeOf(code, 'target'), 'target')).toBe(codeOf(code, 'target'))
    },
  )
})
