/** LibreTranslate: JSON, many texts per call, two-letter language codes. */
import {
  type Cause,
  causeOf,
  type Dialect,
  type EngineCall,
  isText,
  member,
  sourceCharacters,
} from './dialect.ts'
import { codesOf } from './language-codes.ts'

/**
 * In text mode the server unescapes its answer once: what looks like an entity is escaped once
 * before it is sent.
 */
const sent = (texts: readonly string[], format: EngineCall['format']): readonly string[] =>
  format === 'html' ? texts : texts.map((text) => text.replace(/&(?=#?\w{1,32};)/g, '&amp;'))

/** Who is too quick again and again is shut out with 403 for a while, and who lacks a key has 400. */
function causeIn(status: number, message: string): Cause {
  if (status === 403 && /limits? violations/i.test(message)) return 'LATER'
  if (status === 400 && /\bAPI key\b/i.test(message)) return 'KEY'
  if (/format is not supported/i.test(message)) return 'REFUSED'
  if (/is not supported|not available/i.test(message)) return 'PAIR'
  return causeOf(status)
}

export const libreTranslate: Dialect = {
  name: 'LibreTranslate',
  // Servers may be set to less; then a refused call is sent in halves.
  limits: { perCall: { most: 30_000, unit: 'BYTES' } },
  cost: { unit: 'CHARACTERS', estimate: sourceCharacters },
  translate: {
    request: ({ apiKey }, { texts, source, target, format }) => ({
      path: '/translate',
      contentType: 'application/json',
      body: JSON.stringify({
        q: sent(texts, format),
        source,
        target,
        format,
        ...(apiKey && { api_key: apiKey }),
      }),
    }),
    read: (answer) => {
      const texts = member(answer, 'translatedText')
      return Array.isArray(texts) && texts.every(isText) ? texts : undefined
    },
  },
  codeOf: codesOf({ chinese: ['zh', 'zt'] }),
  languages: {
    request: () => ({ method: 'GET', path: '/languages' }),
    read: (answer) => {
      if (!Array.isArray(answer)) return undefined
      return answer.flatMap((one) => {
        const [source, targets] = [member(one, 'code'), member(one, 'targets')]
        if (!isText(source) || !Array.isArray(targets)) return []
        return [{ source, targets: targets.filter(isText).filter((target) => target !== source) }]
      })
    },
  },
  errorOf: (status, answer) => {
    const sentence = member(answer, 'error')
    return { cause: causeIn(status, isText(sentence) ? sentence : ''), sentence }
  },
}
