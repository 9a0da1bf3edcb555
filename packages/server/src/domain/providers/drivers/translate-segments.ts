/**
 * Sends segments through an engine. Codes are sent as numbered markers, and an answer is accepted only if all of them came
 * back correctly. A text with a wrong answer is sent once more, alone; a second wrong answer fails the whole content.
 */
import type { Part } from '../../formats/format.ts'
import { cutRuns, fromMarkers, type MarkerStyle, type Run, toMarkers } from '../../formats/placeholders/markers.ts'
import { findOutsideXml } from '../../formats/xml/xml-characters.ts'
import type { Answer } from './dialects/dialect.ts'
import { CannotTranslate } from './driver.ts'
import { type Answered, Refused } from './engine-call.ts'

export type Ask = (texts: readonly string[]) => Promise<Answered>
export type Sizes = { readonly batchSize: number; readonly batchBytes: number; readonly concurrency: number }

/** More wrong answers than this are systematic, and not worth a call each. */
const maxRetries = 100
const maxTextBytes = 256 * 1024
/** An answer this much longer than its text is refused. */
const maxGrowth = 10
const maxExtraLength = 200

/** Returns the translated parts of each segment, in order. */
export async function translateSegments(
  segments: readonly (readonly Part[])[],
  style: MarkerStyle,
  sizes: Sizes,
  ask: Ask,
): Promise<Part[][]> {
  const runs = segments.map((parts) => cutRuns(parts, 'icu').map((run) => ({ ...run, isSent: hasLetters(run) })))
  const sent = new Map<string, Run>()
  for (const run of runs.flat()) if (run.isSent) sent.set(toMarkers(run.parts, style), run)
  const answers = await askInBatches([...sent.keys()], sizes, ask)
  const wrong = runs.flat().filter((run) => run.isSent && 'failure' in take(run, style, answers))
  const again = [...new Set(wrong.map(({ parts }) => toMarkers(parts, style)))]
  if (again.length <= maxRetries) {
    const alone = await askInBatches(again, { ...sizes, batchSize: 1 }, ask)
    for (const [text, answer] of alone) answers.set(text, answer)
  }
  return runs.map((all) => all.flatMap((run) => (run.isSent ? mustTake(run, style, answers) : run.parts)))
}

/** Whether the text has a letter. Numbers and signs need no translation. */
const hasLetters = ({ isSent, parts }: Run): boolean =>
  isSent && parts.some((part) => part.type === 'text' && /\p{L}/u.test(part.text))

function take(run: Run, style: MarkerStyle, answers: ReadonlyMap<string, string>) {
  const text = toMarkers(run.parts, style)
  const answer = answers.get(text) ?? ''
  const failure = implausible(answer, text)
  return failure === undefined ? fromMarkers(answer, run.parts, style) : { failure }
}

function mustTake(run: Run, style: MarkerStyle, answers: ReadonlyMap<string, string>): readonly Part[] {
  const taken = take(run, style, answers)
  if ('parts' in taken) return taken.parts
  const text = toMarkers(run.parts, style)
  const begins = text.length > 60 ? `${text.slice(0, 60)}…` : text
  throw new CannotTranslate(`The translation engine's answer for "${begins}" cannot be used: ${taken.failure}.`)
}

/** Signs of a bad translation that markers do not show. Engines return these with status 200. */
function implausible(answer: string, text: string): string | undefined {
  if (!/\p{L}/u.test(answer)) return 'there is no word in it'
  if (answer.length > text.length * maxGrowth + maxExtraLength) return 'it is far too long'
  if (madeUpTag.test(answer) && !/&lt;[a-z/!?]|<(?![xg/])/i.test(text)) return 'it contains markup that was never sent'
  const letter = findOutsideXml(answer)
  if (letter !== undefined && !text.includes(String.fromCodePoint(Number.parseInt(letter.slice(2), 16))))
    return `it contains the character ${letter}, which was never sent`
  return undefined
}

/** Any tag except our markers, which are checked one by one. */
const madeUpTag = /<(?!\/?[xg][\s/>])[a-z/!?]/i

const textIn = (answer: Answer | undefined): string => (typeof answer === 'object' ? answer.text : (answer ?? ''))

async function askInBatches(texts: readonly string[], sizes: Sizes, ask: Ask): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  const batches = cutBatches(texts, sizes)
  let next = 0
  let failed = false
  const work = async (): Promise<void> => {
    for (let batch = batches[next++]; batch && !failed; batch = batches[next++]) {
      try {
        const translated = await askSmaller(batch, ask)
        batch.forEach((text, at) => {
          answers.set(text, textIn(translated[at]))
        })
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  // Waits for all workers before the first error is thrown, so that nothing calls the engine after the task has ended.
  const ended = await Promise.allSettled(Array.from({ length: sizes.concurrency }, work))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return answers
}

/** Engines have limits per call; a refused batch is sent in halves. */
async function askSmaller(batch: readonly string[], ask: Ask): Promise<Answered> {
  try {
    return await ask(batch)
  } catch (error) {
    if (!(error instanceof Refused) || error.why !== 'SMALLER' || batch.length < 2) throw error
    const half = Math.ceil(batch.length / 2)
    return [...(await askSmaller(batch.slice(0, half), ask)), ...(await askSmaller(batch.slice(half), ask))]
  }
}

function cutBatches(texts: readonly string[], { batchSize, batchBytes }: Sizes): string[][] {
  const batches: string[][] = []
  let bytes = 0
  for (const text of texts) {
    const size = Buffer.byteLength(text)
    if (size > maxTextBytes)
      throw new CannotTranslate(`A text of ${size} bytes is too long; the maximum for an engine is ${maxTextBytes}.`)
    const last = batches.at(-1)
    if (last && last.length < batchSize && bytes + size <= batchBytes) last.push(text)
    else {
      batches.push([text])
      bytes = 0
    }
    bytes += size
  }
  return batches
}
