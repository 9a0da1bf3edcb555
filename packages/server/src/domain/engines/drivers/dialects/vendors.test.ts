/** What vendors' errors and language codes mean, by their published lists. */
import { describe, expect, test } from 'vitest'
import type { Cause, Dialect } from './dialect.ts'
import { type DialectId, dialects } from './index.ts'

const google = (message: string, reason?: string) => ({
  error: { message, ...(reason && { errors: [{ reason }] }) },
})
const azure = (code: number | string, message = 'm') => ({ error: { code, message } })
const amazon = (type: string, message = 'm') => ({ __type: type, message })
const libre = (error: string) => ({ error })
const apertium = (explanation: string) => ({
  ...{ status: 'error', code: 400, message: 'Bad Request', explanation },
})
const chat = (message: string, code: string | null = null, type = 'tokens') => ({
  error: { message, type, param: null, code },
})
const modernmt = (status: number, message: string) => ({ status, error: { type: 'T', message } })

describe('errors', () => {
  const rows: [DialectId, number, unknown, Cause][] = [
    // github.com/deeplcom/deepl-python/issues/49
    ['deepl', 400, { message: "Value for 'target_lang' not supported." }, 'PAIR'],
    ['deepl', 400, { message: 'Tag handling parsing failed, please check input.' }, 'SMALLER'],
    ['deepl', 403, { message: 'Forbidden' }, 'KEY'],
    // github.com/edenai/edenai-apis/issues/85
    ['deepl', 403, { message: 'Wrong endpoint. Use https://api.deepl.com' }, 'KEY'],
    // github.com/chriskonnertz/DeepLy/issues/38
    ['deepl', 429, { message: 'Too many requests. Please wait and resend your request.' }, 'LATER'],
    ['deepl', 413, {}, 'SMALLER'],
    ['deepl', 414, {}, 'SMALLER'],
    ['deepl', 429, undefined, 'LATER'],
    ['deepl', 456, { message: 'Quota Exceeded' }, 'QUOTA'],
    ['deepl', 529, {}, 'LATER'],
    ['google', 400, google('API key not valid. Please pass a valid API key.'), 'KEY'],
    ['google', 400, google('Bad language pair: en|xx'), 'PAIR'],
    ['google', 400, google('Text too long'), 'SMALLER'],
    // github.com/googleapis/google-cloud-dotnet/issues/1595 and google-cloud-node/issues/2051
    ['google', 403, google('Daily Limit Exceeded', 'dailyLimitExceeded'), 'QUOTA'],
    ['google', 403, google('User Rate Limit Exceeded', 'userRateLimitExceeded'), 'LATER'],
    ['google', 403, google('Cloud Translation API has not been used in project 1 before'), 'KEY'],
    // github.com/fkirc/attranslate/issues/243
    [
      'google',
      429,
      google(
        "Quota exceeded for quota metric 'v2 and v3 general model characters' and limit 'v2 and v3 general model characters per minute' of service 'translate.googleapis.com' for consumer 'project_number:1'.",
      ),
      'LATER',
    ],
    ['google', 429, google('Quota exceeded for quota metric per day'), 'QUOTA'],
    ['azure', 400, azure(400036), 'PAIR'],
    ['azure', 400, azure('400077'), 'SMALLER'],
    // brenoepics.github.io/at4j/error-reference has the list of Azure.
    ['azure', 400, azure(400077, 'The maximum request size has been exceeded.'), 'SMALLER'],
    ['azure', 400, azure(400050, 'The input text is too long.'), 'SMALLER'],
    [
      'azure',
      400,
      azure(400036, 'The target language ("To" field) is missing or invalid.'),
      'PAIR',
    ],
    // github.com/MicrosoftDocs/azure-docs/issues/28643, immersive-translate/immersive-translate/issues/1568
    [
      'azure',
      401,
      azure(401000, 'The request is not authorized because credentials are missing or invalid.'),
      'KEY',
    ],
    [
      'azure',
      401,
      azure(401001, 'The request is not authorized because credentials are missing or invalid.'),
      'KEY',
    ],
    // codewithsundeep.com/discussion/solution/77531012
    [
      'azure',
      429,
      azure(
        429001,
        'The server rejected the request because the client has exceeded request limits.',
      ),
      'LATER',
    ],
    // The code is in github.com/firemaples/EverTranslator/issues/171.
    ['azure', 403, azure(403001), 'QUOTA'],
    ['azure', 408, azure(408001), 'LATER'],
    ['azure', 429, azure(429001), 'LATER'],
    ['azure', 200, azure(429001), 'LATER'],
    // github.com/facebookresearch/dynabench/issues/482
    [
      'amazon',
      400,
      amazon('com.amazonaws.translate#ThrottlingException', 'Rate exceeded'),
      'LATER',
    ],
    // dfrasca.hashnode.dev/breaking-down-language-barriers-with-amazon-translate
    [
      'amazon',
      400,
      amazon(
        'TextSizeLimitExceededException',
        'Input text size exceeds limit. Max length of request text allowed is 5000 bytes while in this request the text size is 5568 bytes',
      ),
      'SMALLER',
    ],
    // github.com/boto/boto3/issues/509
    [
      'amazon',
      400,
      amazon(
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      ),
      'KEY',
    ],
    ['amazon', 400, amazon('UnsupportedLanguagePairException'), 'PAIR'],
    ['amazon', 400, amazon('InvalidSignatureException'), 'KEY'],
    ['amazon', 400, amazon('LimitExceededException'), 'QUOTA'],
    ['amazon', 500, amazon('InternalServerException'), 'LATER'],
    ['amazon', 400, amazon('toString'), 'SMALLER'],
    ['modernmt', 401, modernmt(401, 'The API key is not valid'), 'KEY'],
    ['modernmt', 403, modernmt(403, 'The quota of the month is used up'), 'QUOTA'],
    ['modernmt', 400, modernmt(400, 'Unsupported language pair'), 'PAIR'],
    ['modernmt', 200, modernmt(429, 'Too many requests'), 'LATER'],
    // github.com/LibreTranslate/LibreTranslate, libretranslate/app.py; franciscop/translate/issues/21
    ['libretranslate', 429, libre('Slowdown: 20 per 1 minute'), 'LATER'],
    // github.com/LibreTranslate/LibreTranslate/issues/181: for as long as the caller is too quick
    ['libretranslate', 403, libre('Too many request limits violations'), 'LATER'],
    ['libretranslate', 403, libre('Invalid API key'), 'KEY'],
    ['libretranslate', 400, libre('Please contact the server operator to get an API key'), 'KEY'],
    [
      'libretranslate',
      400,
      libre('Visit https://portal.libretranslate.com to get an API key'),
      'KEY',
    ],
    // github.com/LibreTranslate/LibreTranslate/issues/85
    [
      'libretranslate',
      400,
      libre('You need to set an API key to translate on this server.'),
      'KEY',
    ],
    [
      'libretranslate',
      400,
      libre('Invalid request: request (5000) exceeds text limit (2000)'),
      'SMALLER',
    ],
    ['libretranslate', 400, libre('xx is not supported'), 'PAIR'],
    [
      'libretranslate',
      400,
      libre('German (de) is not available as a target language from Japanese (ja)'),
      'PAIR',
    ],
    ['libretranslate', 400, libre('html format is not supported'), 'REFUSED'],
    ['libretranslate', 500, libre('Cannot translate text: no model'), 'LATER'],
    // github.com/apertium/apertium-apy, tests/test.py
    ['apertium', 400, apertium('That pair is not installed'), 'PAIR'],
    ['apertium', 400, apertium('That pair is invalid, use e.g. eng|spa'), 'PAIR'],
    ['apertium', 503, { status: 'error', code: 503, message: 'Service Unavailable' }, 'LATER'],
    // github.com/continuedev/continue/issues/10920 and github.com/elizaOS/eliza/issues/4040
    [
      'chat',
      429,
      chat(
        'Rate limit reached for model `llama-3.1-8b-instant` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing',
        'rate_limit_exceeded',
      ),
      'LATER',
    ],
    // github.com/HunorLaczko/ha-groq-cloud-api/issues/27
    [
      'chat',
      413,
      chat(
        'Request too large for model llama-3.1-8b-instant in organization org_1 service tier on_demand on tokens per minute (TPM): Limit 6000, Requested 12328, please reduce your message size and try again. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing',
        'rate_limit_exceeded',
      ),
      'SMALLER',
    ],
    // github.com/BuilderIO/micro-agent/issues/86
    [
      'chat',
      429,
      chat(
        'Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 29937, Requested 385. Please try again in 644ms. Visit https://platform.openai.com/account/rate-limits to learn more. You can increase your rate limit by adding a payment method to your account at https://platform.openai.com/account/billing.',
        'rate_limit_exceeded',
      ),
      'LATER',
    ],
    // github.com/TheR1D/shell_gpt/issues/653
    [
      'chat',
      429,
      chat(
        'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 31538. The input or output tokens must be reduced in order to run successfully. Visit https://platform.openai.com/account/rate-limits to learn more.',
        'rate_limit_exceeded',
      ),
      'SMALLER',
    ],
    // github.com/OpenBMB/ChatDev/issues/399; without a code in github.com/eryajf/chatgpt-dingtalk/issues/35
    [
      'chat',
      429,
      chat(
        'You exceeded your current quota, please check your plan and billing details.',
        'insufficient_quota',
        'insufficient_quota',
      ),
      'QUOTA',
    ],
    [
      'chat',
      429,
      chat(
        'You exceeded your current quota, please check your plan and billing details.',
        null,
        'insufficient_quota',
      ),
      'QUOTA',
    ],
    // github.com/vanderschaarlab/climb/issues/1: Azure OpenAI
    [
      'chat',
      429,
      chat(
        'Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-08-01-preview have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 86400 seconds. Please go here: https://aka.ms/oai/quotaincrease if you would like to further increase the default rate limit.',
        '429',
      ),
      'LATER',
    ],
    // github.com/continuedev/continue/issues/9942: DeepSeek
    ['chat', 402, chat('Insufficient Balance', 'invalid_request_error'), 'QUOTA'],
    ['chat', 403, chat('Your account has no credits left.'), 'QUOTA'],
    ['chat', 403, chat('The model is not in your region.'), 'KEY'],
    ['chat', 400, chat('See billing for larger models.'), 'REFUSED'],
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
