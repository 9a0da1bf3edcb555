/**
 * Sends texts to an engine in calls within its limits, counted in its own unit, a few calls at
 * once. A call that is too large for the engine after all is sent in halves.
 */
import type { MarkerStyle } from '@dragoman/text/placeholders'
import {
  type AboutText,
  type Answer,
  type Dialect,
  type EngineTerm,
  type Size,
  sizeOf,
} from './dialects/dialect.ts'
import { type Answered, Refused } from './engine-call.ts'

/** An engine as the way through sees it. */
export type Engine = {
  /** The provider, and the name of its engine. */
  readonly providerId: string
  readonly name: string
  readonly style: MarkerStyle
  readonly limits: Dialect['limits']
  readonly batchSize: number
  readonly batchBytes: number
  readonly concurrency: number
  /**
   * Throws Held if these texts do not fit into its limits: what cannot be translated whole is not
   * begun.
   */
  readonly mustHaveRoom?: (texts: readonly string[]) => Promise<void>
  /** Characters that were not sent, because the memory has them. */
  readonly countSaved?: (characters: number) => Promise<void>
  readonly takes?: Dialect['takes']
  readonly ask: (texts: readonly string[], told: Told) => Promise<Answered>
}
/** What goes along with the texts of a call, if the engine takes it. */
export type Told = { readonly about?: readonly AboutText[]; readonly terms?: readonly EngineTerm[] }
/** What is known about a text. */
export type Knowing = { readonly about: AboutText; readonly terms: readonly EngineTerm[] }

/** The answer for a text, or the sentence of the engine that refused it. */
export type Came = Answer | undefined | { readonly refused: string }

/** Texts above this are not sent to any engine. */
const maxTextBytes = 256 * 1024

/** Why a text is too long for the engine; undefined if it is not. */
export function tooLong(
  text: string,
  { limits: { perText, perCall, around = 0 } }: Engine,
): string | undefined {
  const most: Size[] = [
    { most: maxTextBytes, unit: 'BYTES' },
    ...(perText ? [perText] : []),
    { ...perCall, most: perCall.most - around },
  ]
  for (const { most: allowed, unit } of most) {
    const size = sizeOf(text, unit)
    if (size > allowed)
      return `A text of ${size} ${unit.toLowerCase()} is too long; the maximum for an engine is ${allowed}.`
  }
  return undefined
}

type Batches = {
  readonly alone?: boolean
  readonly known?: ReadonlyMap<string, Knowing>
  /** Called for each text when its call has ended. */
  readonly came: (text: string, answer: Came) => void
}

/** With `alone`, each text is a call of its own. Texts must be short enough. */
export async function askInBatches(
  texts: readonly string[],
  engine: Engine,
  { alone = false, known, came }: Batches,
): Promise<void> {
  const batches = cutBatches(texts, alone ? { ...engine, batchSize: 1 } : engine)
  let next = 0
  let failed = false
  const work = async (): Promise<void> => {
    for (let batch = batches[next++]; batch && !failed; batch = batches[next++]) {
      try {
        await askSmaller(batch, { engine, known, came })
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  // Waits for all workers before the first error is thrown, so that nothing calls the engine after
  // the task has ended.
  const ended = await Promise.allSettled(Array.from({ length: engine.concurrency }, work))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

type Asking = Pick<Batches, 'came'> & {
  readonly engine: Engine
  readonly known: ReadonlyMap<string, Knowing> | undefined
}

async function askSmaller(batch: readonly string[], asking: Asking): Promise<void> {
  const { engine, known, came } = asking
  try {
    const answers = await engine.ask(batch, toldOf(batch, engine, known))
    for (const [at, text] of batch.entries()) came(text, answers[at])
  } catch (error) {
    if (!(error instanceof Refused) || error.why !== 'SMALLER') throw error
    const [only = '', ...others] = batch
    if (others.length === 0) came(only, { refused: error.message })
    else {
      const half = Math.ceil(batch.length / 2)
      await askSmaller(batch.slice(0, half), asking)
      await askSmaller(batch.slice(half), asking)
    }
  }
}

function toldOf(
  batch: readonly string[],
  { takes }: Engine,
  known?: ReadonlyMap<string, Knowing>,
): Told {
  if (!known || !takes) return {}
  const all = batch.map((text) => known.get(text))
  const terms = new Map(
    all.flatMap((one) => (one?.terms ?? []).map((term) => [term.source, term] as const)),
  )
  const about = all.map((one) => one?.about ?? {})
  return {
    ...((takes.context || takes.references) && { about }),
    ...(takes.terms && terms.size > 0 && { terms: [...terms.values()] }),
  }
}

function cutBatches(texts: readonly string[], engine: Engine): string[][] {
  const { batchSize, batchBytes, style, limits } = engine
  const { texts: most = Number.POSITIVE_INFINITY, plainTexts = most, perCall, around = 0 } = limits
  const mostTexts = Math.min(batchSize, style === 'xml' ? most : plainTexts)
  const batches: string[][] = []
  let [bytes, size] = [0, 0]
  for (const text of texts) {
    const [moreBytes, more] = [Buffer.byteLength(text), sizeOf(text, perCall.unit) + around]
    const last = batches.at(-1)
    if (
      last &&
      last.length < mostTexts &&
      bytes + moreBytes <= batchBytes &&
      size + more <= perCall.most
    )
      last.push(text)
    else {
      batches.push([text])
      bytes = 0
      size = 0
    }
    bytes += moreBytes
    size += more
  }
  return batches
}
