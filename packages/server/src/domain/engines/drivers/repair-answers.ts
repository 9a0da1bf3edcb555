/**
 * One more call for the texts that a model left out of its answer, which says what was wrong with
 * the first.
 */
import type { Dialect, EngineCall } from './dialects/dialect.ts'
import type { Answered } from './engine-call.ts'

type Ask = (call: EngineCall) => Promise<Answered>

/** A single text is not repaired: it is sent again alone anyway. */
export async function askRepairing(
  { repairs }: Dialect,
  ask: Ask,
  call: EngineCall,
): Promise<Answered> {
  const answers = await ask(call)
  const missing = answers.flatMap((answer, at) => (answer === undefined ? [at] : []))
  if (!repairs || missing.length === 0 || answers.length < 2) return answers
  const again = await ask(only(call, missing))
  return answers.map((answer, at) => answer ?? again[missing.indexOf(at)])
}

function only({ texts, about, ...call }: EngineCall, places: readonly number[]): EngineCall {
  const wrong =
    places.length === texts.length
      ? 'it was not the JSON that was asked for, or it was cut off'
      : `the translations of ${places.length} texts were missing, or there twice`
  const pick = <T>(all: readonly T[]): T[] => places.flatMap((at) => all.slice(at, at + 1))
  return { ...call, texts: pick(texts), ...(about && { about: pick(about) }), wrong }
}
