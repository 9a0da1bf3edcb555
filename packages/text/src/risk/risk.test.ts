/** The estimate of a risk: its parts, and what it learns from. Texts of 100,000 characters end. */
import { describe, expect, it } from 'vitest'
import { featureNames, featuresOf, plainCount } from './features.ts'
import { formFit, learnChange, type Verdict } from './learn.ts'
import { dot, fitLogistic, indexOf, sigmoid, triangleOf } from './logistic.ts'
import { writeKeys } from './model-file.ts'
import { levelOf, openPartners, partnersAt } from './partners.ts'
import { type Fit, riskOfScore, scoreOf } from './score.ts'
import { mostTokens, tokensIn } from './tokens.ts'

const words = (text: string) => tokensIn(text).map((token) => token.text)

describe('tokens', () => {
  it.each([
    ["Don't stop, 12,5 kg!", ["don't", 'stop', ',', '12', ',', '5', 'kg', '!']],
    ['L’été à Zürich', ["l'été", 'à', 'zürich']],
    ['八月十六日', ['八', '月', '十', '六', '日']],
    ['', []],
    [' \u0000 \ud800 ', ['\u0000', '\ud800']],
  ])('of %j are %j', (text, tokens) => expect(words(text)).toEqual(tokens))

  it('of a long text are bounded', () => {
    expect(tokensIn('a '.repeat(100_000))).toHaveLength(mostTokens)
    expect(tokensIn('a'.repeat(100_000))).toHaveLength(1)
  })

  it('of forms of a word share their stem', () => {
    const [one, other] = tokensIn('übersetzen übersetzung')
    expect(one?.stem).toBe(other?.stem)
    expect(one?.hash).not.toBe(other?.hash)
  })
})

describe('partners', () => {
  it('are found by their key, and others are not', () => {
    const keys = Uint32Array.from({ length: 1_000 }, (_, at) => at * 7_919)
    const partners = openPartners(
      keys,
      Uint8Array.from(keys, (_, at) => at % 255),
    )
    for (const [at, key] of keys.entries()) expect(partnersAt(partners, key)).toBe(at % 255)
    expect(partnersAt(partners, 5)).toBe(0)
    expect([levelOf(1), levelOf(0.5), levelOf(1e-9)]).toEqual([15, 13, 0])
    expect([...writeKeys(Uint32Array.of(1, 129, 20_000))]).toEqual([1, 128, 1, 159, 155, 1])
  })
})

const empty: Fit = {
  means: new Float64Array(plainCount),
  deviations: new Float64Array(plainCount).fill(1),
  weights: new Float64Array(plainCount + 1),
  trees: { features: new Uint8Array(), thresholds: new Float32Array(), values: new Float32Array() },
  curvature: new Float64Array(triangleOf(plainCount + 1)),
}

describe('features', () => {
  it.each(['', 'a', '1', '\ud800', '！', 'x'.repeat(100_000), 'a, '.repeat(50_000)])(
    'of %.20j are numbers, on either side',
    (text) => {
      for (const pair of [
        { source: text, target: 'A text.' },
        { source: 'A text.', target: text },
      ]) {
        const features = featuresOf(pair)
        expect(features).toHaveLength(featureNames.length)
        expect(features.every(Number.isFinite)).toBe(true)
        expect(riskOfScore(scoreOf(empty, features))).toBe(50)
      }
    },
  )
})

describe('learning', () => {
  /** Long sources are bad: a rule that the weights can say. */
  const verdict = (at: number, isBad: boolean): Verdict => {
    const features = new Float64Array(plainCount)
    features[0] = isBad ? 2 : 0
    features[1] = (at * 31) % 7
    return { features, isBad }
  }
  const many = (count: number, isBad: (at: number) => boolean) =>
    Array.from({ length: count }, (_, at) => verdict(at, isBad(at)))
  const riskWith = (verdicts: readonly Verdict[], one: Verdict) =>
    riskOfScore(scoreOf(empty, one.features, learnChange(empty, verdicts)))

  it('tells what is bad from what is good', () => {
    const taught = many(200, (at) => at % 4 === 0)
    expect(riskWith(taught, verdict(1, true))).toBeGreaterThan(70)
    expect(riskWith(taught, verdict(1, false))).toBeLessThan(20)
  })

  it('takes the share of bad ones from the site', () => {
    const one = { features: new Float64Array(plainCount), isBad: false }
    const share = (every: number) =>
      riskWith(
        Array.from({ length: 400 }, (_, at) => ({ ...one, isBad: at % every === 0 })),
        one,
      )
    expect(Math.abs(share(20) - 5)).toBeLessThan(5)
    expect(Math.abs(share(2) - 50)).toBeLessThan(5)
  })

  it('survives verdicts of one class, contradictions and numbers without end', () => {
    for (const bad of [true, false]) {
      const risk = riskWith(
        many(500, () => bad),
        verdict(3, bad),
      )
      expect(bad ? risk >= 85 : risk <= 15, String(risk)).toBe(true)
    }
    const same = many(100, () => true)
    const torn = [...same, ...same.map((one) => ({ ...one, isBad: false }))]
    expect(Math.abs(riskWith(torn, verdict(1, true)) - 50)).toBeLessThan(5)
    const wild = { features: new Float64Array(plainCount).fill(1e300), isBad: true }
    const change = learnChange(
      empty,
      Array.from({ length: 50 }, () => wild),
    )
    expect(change.every((one) => Math.abs(one) <= 4)).toBe(true)
  })

  it('changes little by few verdicts where the shipped rows are sure', () => {
    const curvature = new Float64Array(triangleOf(plainCount + 1))
    for (let at = 0; at < plainCount; at++) curvature[indexOf(at, at)] = 5_000
    const [first = 0] = learnChange(
      { ...empty, curvature },
      many(20, (at) => at % 2 === 0),
    )
    expect(Math.abs(first)).toBeLessThan(0.05)
  })

  it('of a pair that is unknown begins with the form of the others', () => {
    const weights = new Float64Array(plainCount + 1).fill(1)
    const form = formFit(new Map([['en-de', { plain: { ...empty, weights } }]]))
    expect([form.weights[0], form.weights[plainCount - 1], form.weights[plainCount]]).toEqual([
      1, 0, 1,
    ])
  })
})

describe('logistic regression', () => {
  it('finds the weights that made the labels', () => {
    const given = [1.5, -1, 0.5]
    const examples = Array.from({ length: 4_000 }, (_, at) => {
      const row = Float64Array.of(Math.sin(at * 1.7) * 2, Math.cos(at * 0.3) * 2, 1)
      const chance = sigmoid(dot(Float64Array.from(given), row))
      return { row, label: ((at * 0.618_033_988_7) % 1 < chance ? 1 : 0) as 0 | 1 }
    })
    const found = fitLogistic(examples, new Float64Array(triangleOf(3)).fill(0), 3)
    for (const [at, weight] of given.entries())
      expect(Math.abs((found[at] ?? 0) - weight)).toBeLessThan(0.25)
  })
})
