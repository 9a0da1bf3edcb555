/** ModernMT: POST that stands for GET, the status also in the body. */
import { checkBody, codePoints, type Reply, type Vendor } from '../vendor.ts'

export const modernmtKey = '5E2F-modernmt-key-for-tests'
const codes = ['de', 'en', 'fr', 'pt-BR', 'pt-PT', 'zh-CN', 'zh-TW']

const error = (status: number, type: string, message: string): Reply => ({
  status,
  body: { status, error: { type, message } },
})

const text = { type: 'string' }
const fault = checkBody(
  {
    source: text,
    target: text,
    q: { type: 'array', items: text },
    context_vector: text,
    hints: text,
    glossaries: text,
    priority: { enum: ['normal', 'background'] },
    project_id: text,
    multiline: { type: 'boolean' },
    timeout: { type: 'integer' },
    format: { enum: ['text/plain', 'text/xml', 'text/html', 'application/xliff+xml'] },
    alt_translations: { type: 'integer' },
  },
  ['target', 'q'],
)

export const modernmt: Vendor = {
  name: 'ModernMT',
  published:
    'github.com/modernmt/modernmt-node src/modernmt.ts and src/utils, modernmt.com/api, github.com/ModernMT/MMT/wiki/API-Documentation, read 17 November 2026',
  read: (call) => {
    if (call.headers['mmt-apikey'] !== modernmtKey)
      return error(401, 'Unauthorized', 'The API key is not valid')
    const method = call.headers['x-http-method-override'] ?? call.method
    if (method !== 'GET') return error(405, 'MethodNotAllowed', 'Method not allowed')
    if (call.path === '/translate/languages') return { body: { status: 200, data: codes } }
    if (call.path !== '/translate' || call.method !== 'POST')
      return error(404, 'NotFound', 'Resource not found')
    if (!/^application\/json\b/.test(call.headers['content-type'] ?? ''))
      return error(400, 'ParameterParsingException', 'The body is not JSON')
    const wrong = fault(call.json)
    if (wrong) return error(400, 'ParameterParsingException', wrong)
    const body = call.json as { source: string; target: string; q: string[] }
    if (body.q.length > 128) return error(413, 'TooManyTextsException', 'Too many texts')
    if (!codes.includes(body.source) || !codes.includes(body.target))
      return error(
        400,
        'UnsupportedLanguageException',
        `Unsupported language pair ${body.source} > ${body.target}`,
      )
    const count = (at: number) => codePoints(body.q.slice(at, at + 1))
    return {
      texts: body.q,
      source: body.source,
      target: body.target,
      billed: codePoints(body.q),
      reply: (all) => ({
        body: {
          status: 200,
          data: all.map((one, at) => ({
            translation: one,
            characters: count(at),
            billedCharacters: count(at),
          })),
        },
      }),
    }
  },
  errors: {
    rate: error(429, 'TooManyRequests', 'Too many requests'),
    quota: error(403, 'QuotaExceeded', 'The quota of the month is used up'),
    server: error(500, 'InternalServerError', 'Internal error'),
    key: error(401, 'Unauthorized', `The API key ${modernmtKey} is not valid`),
    pair: error(400, 'UnsupportedLanguageException', 'Unsupported language pair en > de'),
  },
}
