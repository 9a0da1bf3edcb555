/**
 * The one way of segments through engines. Codes are sent as numbered markers and white space is
 * collapsed; each answer is verified. What fails is sent again alone or sentence by sentence, then
 * to the next engine, and stays open with its reason if none can do it.
 */
import type { Part } from '@dragoman/text/formats'
import { cutRuns, toMarkers } from '@dragoman/text/placeholders'
import { type CutParagraph, cutParts, joinParagraph } from '@dragoman/text/sentences'
import { openLanguageJudge } from './answer-language.ts'
import { askInBatches, type Came, type Engine, type Knowing, tooLong } from './ask-batches.ts'
import { CannotTranslate, type Origin, TryLater } from './driver.ts'
import { Held } from './engine-call.ts'
import type { Known } from './known-texts.ts'
import {
  type Judging,
  judgeAnswer,
  type Risk,
  riskOf,
  type Taken,
  worstOf,
} from './verify-answer.ts'

/**
 * A translated segment with who translated it (nobody, if nothing of it was sent), or why it has no
 * translation.
 */
export type SegmentResult = (Taken & { readonly origin?: Origin }) | { readonly open: string }
export type Languages = { readonly sourceLanguage: string; readonly targetLanguage: string }

export type Through = {
  readonly engines: readonly Engine[]
  readonly known?: Known | undefined
  /** The reason of what stays open, if no engine is asked. */
  readonly because?: string | undefined
}

/** More wrong answers than this are systematic, and not worth a call each. */
const maxRetries = 100

/** A stretch of a segment that is sent as one text, or stays as it is. */
type Piece = {
  readonly parts: readonly Part[]
  readonly isSent: boolean
  readonly known?: Knowing | undefined
  result?: Taken & { readonly origin: Origin }
  failure?: string | undefined
  /** The engine refused the text itself: the same again would be refused again. */
  isRefused?: boolean
}

/**
 * In the order of the segments. Throws TryLater if an engine may answer later what no other could.
 */
export async function translateSegments(
  segments: readonly (readonly Part[])[],
  languages: Languages,
  { engines, known, because }: Through,
): Promise<SegmentResult[]> {
  const told = engines.some(({ takes }) => takes) ? known : undefined
  const all = segments.map((parts, at) =>
    known?.exact[at]
      ? []
      : cutRuns(parts, 'icu').map((run): Piece => {
          const isSent = run.isSent && hasLetters(run.parts)
          return {
            parts: run.parts,
            isSent,
            failure: because,
            known: isSent && told ? knowingOf(run.parts, at, told) : undefined,
          }
        }),
  )
  const sent = all.flatMap((pieces) => pieces.filter(({ isSent }) => isSent))
  if (sent.length > 0) await askEngines(sent, { ...languages, terms: known?.terms }, engines)
  return all.map((pieces, at) => {
    const parts = known?.exact[at]
    return parts ? { parts, origin: 'MEMORY', risk: 0, reasons: [] } : resultOf(pieces)
  })
}

/** What an engine is told; of a term with several translations, the preferred one. */
function knowingOf(parts: readonly Part[], at: number, { about, terms }: Known): Knowing {
  const text = parts.map((part) => (part.type === 'text' ? part.text : ' ')).join('')
  const found = terms.findTerms(text).flatMap(({ text: source, translations }) => {
    const target = translations.find(({ status }) => status !== 'FORBIDDEN')?.text
    return target === undefined ? [] : [{ source, target }]
  })
  return { about: about[at] ?? {}, terms: found }
}

/** Whether the text has a letter. Numbers and signs need no translation. */
const hasLetters = (parts: readonly Part[]): boolean =>
  parts.some((part) => part.type === 'text' && /\p{L}/u.test(part.text))

async function askEngines(
  pieces: readonly Piece[],
  languages: Languages & Pick<Judging, 'terms'>,
  engines: readonly Engine[],
): Promise<void> {
  const judging = {
    ...languages,
    language: await openLanguageJudge(languages.sourceLanguage, languages.targetLanguage),
  }
  let later: TryLater | undefined
  for (const engine of engines) {
    const open = pieces.filter(({ result }) => !result)
    if (open.length === 0) return
    try {
      await askEngine(open, engine, judging)
    } catch (error) {
      // What is held waits for its own engine: the limit was set for it.
      if (error instanceof Held || !(error instanceof CannotTranslate || error instanceof TryLater))
        throw error
      if (error instanceof TryLater) later ??= error
      for (const piece of open) if (!piece.result) piece.failure = error.message
    }
  }
  if (later && pieces.some(({ result }) => !result)) throw later
}

type Sending = { readonly piece: Piece; readonly text: string }

async function askEngine(
  pieces: readonly Piece[],
  engine: Engine,
  judging: Judging,
): Promise<void> {
  const sent = pieces.map(
    (piece): Sending => ({ piece, text: toMarkers(collapse(piece.parts), engine.style) }),
  )
  const fitting = sent.filter(({ text }) => tooLong(text, engine) === undefined)
  await engine.mustHaveRoom?.([...new Set(fitting.map(({ text }) => text))])
  await askAndTake(fitting, engine, judging)
  const wrong = sent.filter(({ piece }) => !piece.result)
  if (new Set(wrong.map(({ text }) => text)).size <= maxRetries)
    await askAgain(wrong, engine, judging)
}

const knownOf = (sent: readonly Sending[]): ReadonlyMap<string, Knowing> =>
  new Map(sent.flatMap(({ text, piece }) => (piece.known ? [[text, piece.known] as const] : [])))

const origin = ({ providerId, name }: Engine): Origin => ({ providerId, engine: name })

/** Judges each answer when it comes, while the next calls are on their way. */
function askAndTake(
  sent: readonly Sending[],
  engine: Engine,
  judging: Judging,
  { alone = false }: { readonly alone?: boolean } = {},
): Promise<void> {
  const byText = new Map<string, Sending[]>()
  for (const one of sent) {
    const same = byText.get(one.text)
    if (same) same.push(one)
    else byText.set(one.text, [one])
  }
  const from = origin(engine)
  const came = (text: string, answer: Came) => {
    for (const one of byText.get(text) ?? [])
      take(one, answer, { style: engine.style, from }, judging)
  }
  return askInBatches([...byText.keys()], engine, {
    alone,
    came,
    ...(engine.takes && { known: knownOf(sent) }),
  })
}

type Answering = { readonly style: Engine['style']; readonly from: Origin }

function take(
  { piece, text }: Sending,
  answer: Came,
  { style, from }: Answering,
  judging: Judging,
): void {
  if (typeof answer === 'object' && 'refused' in answer) {
    piece.failure = answer.refused
    piece.isRefused = true
    return
  }
  const verdict = judgeAnswer({ parts: piece.parts, text, style }, answer, judging)
  if ('parts' in verdict) piece.result = { ...verdict, origin: from }
  else
    piece.failure = `The translation engine's answer for "${begins(text)}" cannot be used: ${verdict.failure}.`
}

const begins = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** Each text alone, cut into its sentences if it has several. */
async function askAgain(
  wrong: readonly Sending[],
  engine: Engine,
  judging: Judging,
): Promise<void> {
  const cuts = wrong.map(({ piece, text }) => ({
    piece,
    text,
    cut: cutParts(piece.parts, judging.sourceLanguage),
  }))
  const whole = cuts.filter(({ cut, text, piece }) => {
    const reason = tooLong(text, engine)
    if (!cut && reason !== undefined) piece.failure = reason
    return !cut && reason === undefined && !piece.isRefused
  })
  await askAndTake(whole, engine, judging, { alone: true })
  for (const { piece } of whole)
    if (piece.result) piece.result = { ...piece.result, ...plus(piece.result, 'ASKED_AGAIN') }
  for (const { piece, cut } of cuts) if (cut) await askSentences(piece, cut, engine, judging)
}

async function askSentences(
  piece: Piece,
  cut: CutParagraph,
  engine: Engine,
  judging: Judging,
): Promise<void> {
  const pieces = cut.sentences.map(
    (parts): Piece => ({ parts, isSent: hasLetters(parts), known: piece.known }),
  )
  const sent = pieces
    .filter(({ isSent }) => isSent)
    .map((one): Sending => ({ piece: one, text: toMarkers(collapse(one.parts), engine.style) }))
  const long = sent.map(({ text }) => tooLong(text, engine)).find((reason) => reason !== undefined)
  if (long !== undefined) {
    piece.failure = long
    return
  }
  await askAndTake(sent, engine, judging)
  const joined = resultOf(pieces)
  if ('open' in joined) {
    piece.failure = joined.open
    return
  }
  const { sourceLanguage: language, targetLanguage } = judging
  const targets = pieces.map(({ result, parts }) => result?.parts ?? parts)
  const parts = joinParagraph(cut, targets, { language, targetLanguage })
  piece.result = { parts, origin: origin(engine), ...plus(joined, 'IN_PIECES') }
}

const plus = ({ risk, reasons }: Risk, reason: 'ASKED_AGAIN' | 'IN_PIECES'): Risk => ({
  risk: Math.min(100, risk + riskOf([reason]).risk),
  reasons: [...reasons, reason],
})

/**
 * Runs of blanks and line ends in the text are one blank: line ends make engines cut a sentence in
 * two.
 */
const collapse = (parts: readonly Part[]): readonly Part[] =>
  parts.some((part) => part.type === 'text' && blanks.test(part.text))
    ? parts.map((part) =>
        part.type === 'text' ? { ...part, text: part.text.replace(/[ \t\r\n\f\v]+/g, ' ') } : part,
      )
    : parts
const blanks = /[\t\r\n\f\v]| {2}/

function resultOf(pieces: readonly Piece[]): SegmentResult {
  if (pieces.length === 1 && pieces[0]?.result) return pieces[0].result
  const open = pieces.find(({ isSent, result }) => isSent && !result)
  if (open) return { open: open.failure ?? 'The translation engine returned no translation.' }
  const results = pieces.flatMap(({ result }) => result ?? [])
  const parts = pieces.flatMap((piece) => piece.result?.parts ?? piece.parts)
  const first = results[0]?.origin
  return { parts, ...worstOf(results), ...(first && { origin: first }) }
}
