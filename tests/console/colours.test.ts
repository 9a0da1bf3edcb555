/**
 * The colours of tokens.css: text is readable on every background, and people can tell the fills of
 * plots apart, with colour blindness too (simulation by Machado, Oliveira and Fernandes, 2009;
 * distances in CIELAB).
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(
  new URL('../../packages/console/src/look/tokens.css', import.meta.url),
  'utf8',
)
type Triple = readonly [number, number, number]

/** The variables of one block. */
function readTokens(selector: string): (name: string) => string {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? ''
  const all = new Map(
    [...block.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
  return (name) => all.get(name) ?? expect.unreachable(`${selector} has no --${name}`)
}

const channels = (hex: string): Triple =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as never
const linear = (hex: string): Triple =>
  channels(hex).map((value) =>
    value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  ) as never
const times = (rows: readonly Triple[], [r, g, b]: Triple): Triple =>
  rows.map(([x, y, z]) => x * r + y * g + z * b) as never

const luminance = (hex: string): number => times([[0.2126, 0.7152, 0.0722]], linear(hex))[0]
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const xyz: Triple[] = [
  [0.4124, 0.3576, 0.1805],
  [0.2126, 0.7152, 0.0722],
  [0.0193, 0.1192, 0.9505],
]
function lab(rgb: Triple): Triple {
  const inside = rgb.map((value) => Math.min(1, Math.max(0, value))) as unknown as Triple
  const white = [0.9505, 1, 1.089]
  const [x = 0, y = 0, z = 0] = times(xyz, inside).map((value, at) => {
    const share = value / (white[at] ?? 1)
    return share > 0.008856 ? Math.cbrt(share) : 7.787 * share + 16 / 116
  })
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}
const distance = (one: Triple, other: Triple): number =>
  Math.hypot(...one.map((value, at) => value - (other[at] ?? 0)))

const sights: Readonly<Record<string, readonly Triple[]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'without red (protan)': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'without green (deutan)': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'without blue (tritan)': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

const states = [
  'created',
  'sending',
  'sent',
  'translating',
  'review',
  'approved',
  'rejected',
  'cancelled',
]
const texts = ['ink', 'ink2', 'ink3', 'accent', ...states]

describe.each([
  ['light', ':root', 22],
  ['dark', '[data-mantine-color-scheme="dark"]', 26],
] as const)('%s', (_, selector, apart) => {
  const token = readTokens(selector)

  it('text has a contrast of at least 4.5 on both backgrounds and on its tint', () => {
    for (const ground of ['bg', 'sub'])
      for (const name of texts)
        expect([name, ground, contrast(token(name), token(ground)) >= 4.5]).toEqual([
          name,
          ground,
          true,
        ])
    for (const name of states)
      expect([name, contrast(token(name), token(`${name}-tint`)) >= 4.5]).toEqual([name, true])
    expect(contrast(token('accent-ink'), token('accent'))).toBeGreaterThanOrEqual(4.5)
    for (const ground of ['hover', 'accent-soft', 'code'])
      for (const name of ['ink', 'ink2'])
        expect(contrast(token(name), token(ground))).toBeGreaterThanOrEqual(4.5)
    expect(contrast(token('accent'), token('accent-soft'))).toBeGreaterThanOrEqual(4.5)
  })

  it('fills have a contrast of at least 3 on the background of plots; borders of controls and the focus ring on every background', () => {
    for (const name of states.map((state) => `fill-${state}`))
      expect([name, contrast(token(name), token('bg')) >= 3]).toEqual([name, true])
    for (const ground of ['bg', 'sub'])
      for (const name of ['control', 'accent'])
        expect([name, ground, contrast(token(name), token(ground)) >= 3]).toEqual([
          name,
          ground,
          true,
        ])
  })

  it.each(Object.keys(sights))('fills can be told apart with sight that is %s', (sight) => {
    const seen = states.map((state) =>
      lab(times(sights[sight] ?? [], linear(token(`fill-${state}`)))),
    )
    const pairs = seen.flatMap((one, at) => seen.slice(at + 1).map((other) => distance(one, other)))
    // Half a point for the rounding of the search that found them.
    expect(Math.min(...pairs)).toBeGreaterThan(apart - 0.5)
  })
})
