/**
 * Reads the body of an answer within bounds: whoever is on the other side decides what it sends, not
 * how much of it is kept in memory.
 */
import { heardError, parseBounded } from '@dragoman/contract/wire'
import { unreachable } from './failures.ts'

/** The limit of one answer in JSON, unless a call sets its own. */
export const usualAnswerBytes = 64 * 1024 ** 2
/** The limit of an error or a token, for which a proxy may send a whole page. */
export const smallAnswerBytes = 1024 ** 2

/**
 * Waits for a place among the long answers that are read at once. The result is called when the
 * answer is parsed.
 */
export type LongAnswers = () => Promise<() => void>

/** More of an answer than this is read in a place among the long ones. */
const shortAnswerBytes = 128 * 1024

type Bounds = {
  readonly most: number
  /** Of the other side, for the error. */
  readonly where: string
  readonly isLong?: () => Promise<void>
}

/** The text of the body, which is closed beyond the limit. */
export async function readText(answer: Response, { most, where, isLong }: Bounds): Promise<string> {
  if (!answer.body) return ''
  const reader = answer.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw unreachable(where, error)
    })
    if (done) return text + decoder.decode()
    size += value.length
    if (size > most) {
      await reader.cancel().catch(() => {})
      throw heardError(
        'SERVICE_UNAVAILABLE',
        `The answer of ${where} has more than ${most} bytes.`,
        {
          status: 0,
        },
      )
    }
    if (size > shortAnswerBytes)
      await isLong?.().catch(async (error: unknown) => {
        await reader.cancel().catch(() => {})
        throw unreachable(where, error)
      })
    text += decoder.decode(value, { stream: true })
  }
}

/** The value of a JSON body; an error if it is cut off, or has more levels or values than any. */
export async function readJson(
  answer: Response,
  { most, where, longAnswers }: Omit<Bounds, 'isLong'> & { readonly longAnswers?: LongAnswers },
): Promise<unknown> {
  let leave: (() => void) | undefined
  const isLong = async () => {
    leave ??= await longAnswers?.()
  }
  try {
    return parsedBy(where, await readText(answer, { most, where, isLong }))
  } finally {
    leave?.()
  }
}

function parsedBy(where: string, text: string): unknown {
  try {
    return parseBounded(text)
  } catch (error) {
    throw unreachable(where, error)
  }
}

/** What another side wrote about an error; undefined if it is no JSON. */
export function parsedOrNone(text: string): unknown {
  try {
    return parseBounded(text)
  } catch {
    return undefined
  }
}
