/** Runs in a worker: learns from verdicts, and how well what is learned agrees with others. */
import { type Fit, learnChange, scoreOf, type Verdict } from '@dragoman/text/risk'

export type Learned = { readonly change: Float64Array; readonly agreement?: number }

const parts = 5
/** With fewer of a kind, an agreement would be chance. */
const fewest = 20

export function learnFrom(fit: Fit, features: Float64Array, bad: Uint8Array): Learned {
  const size = features.length / Math.max(1, bad.length)
  const verdicts = Array.from(bad, (isBad, at): Verdict => {
    return { features: features.subarray(at * size, (at + 1) * size), isBad: isBad === 1 }
  })
  const change = learnChange(fit, verdicts)
  const wrong = verdicts.filter(({ isBad }) => isBad).length
  if (Math.min(wrong, verdicts.length - wrong) < fewest) return { change }
  return { change, agreement: agreementOf(fit, verdicts) }
}

/**
 * The chance, in per cent, that a segment that was called wrong has a higher risk than one that was
 * not, each fifth judged by what the other four teach.
 */
function agreementOf(fit: Fit, verdicts: readonly Verdict[]): number {
  const scored = Array.from({ length: parts }, (_, part) => {
    const others = verdicts.filter((_, at) => at % parts !== part)
    const change = learnChange(fit, others)
    return verdicts
      .filter((_, at) => at % parts === part)
      .map(({ features, isBad }) => ({ isBad, score: scoreOf(fit, features, change) }))
  }).flat()
  scored.sort((one, other) => one.score - other.score)
  let [below, right, wrong] = [0, 0, 0]
  for (const { isBad } of scored) {
    if (!isBad) below++
    else {
      right += below
      wrong++
    }
  }
  return Math.round((100 * right) / (below * wrong))
}
