/**
 * Bands: how similar a match must be to be paid at a band's factor. Percentages are whole and
 * inclusive. Together, the bands cover every match exactly once; gaps and overlaps are refused when
 * the list is saved.
 */
import { type Band, bandKinds, type Detail } from '@dragoman/contract'

/** How similar a segment's best match is; `percent` is 0 if there is none. */
export type Likeness =
  | { readonly kind: 'Repetition' | 'Context' | 'Exact' }
  | { readonly percent: number }

/** The band of a segment. A kind that the list lacks is paid as the next one below it. */
export function findBand(bands: readonly Band[], likeness: Likeness): Band {
  const wanted = 'kind' in likeness ? falls[likeness.kind] : []
  for (const kind of wanted) {
    const band = bands.find((one) => one.kind === kind)
    if (band) return band
  }
  const ranges = bands.filter(({ kind }) => kind === 'Fuzzy')
  const percent = 'percent' in likeness ? likeness.percent : Math.max(0, ...ranges.map(high))
  const fuzzy = ranges.find((band) => percent >= low(band) && percent <= high(band))
  const rest = fuzzy ?? bands.find((band) => band.kind === 'New')
  if (!rest) throw new Error('A price list without a band of the kind New cannot have been saved.')
  return rest
}

const falls = {
  Repetition: ['Repetition', 'Exact'],
  Context: ['Context', 'Exact'],
  Exact: ['Exact'],
} as const
const low = (band: Band): number => band.minPercent ?? 0
const high = (band: Band): number => band.maxPercent ?? 100

/** The errors in the bands of a list, each with its path. */
export function checkBands(bands: readonly Band[]): Detail[] {
  return [...checkOrder(bands), ...checkNames(bands), ...checkWhole(bands), ...checkCover(bands)]
}

function checkOrder(bands: readonly Band[]): Detail[] {
  const found: Detail[] = []
  bands.forEach(({ kind }, at) => {
    const before = bands[at - 1]?.kind
    if (before === undefined) return
    if (kind === before && kind !== 'Fuzzy')
      found.push({ path: `bands[${at}].kind`, message: `${kind} is there twice.` })
    if (bandKinds.indexOf(kind) < bandKinds.indexOf(before))
      found.push({
        path: `bands[${at}].kind`,
        message: `${kind} comes after ${before}; the order is ${bandKinds.join(', ')}.`,
      })
  })
  if (bands.at(-1)?.kind !== 'New')
    found.push({
      path: 'bands',
      message: 'There is a gap: the last band must be New, for words without a match.',
    })
  return found
}

function checkNames(bands: readonly Band[]): Detail[] {
  const seen = new Set<string>()
  return bands.flatMap(({ name }, at) => {
    if (!seen.has(name)) {
      seen.add(name)
      return []
    }
    return [{ path: `bands[${at}].name`, message: `Two bands have the name ${name}.` }]
  })
}

/** Bands without a range of their own are 100 percent matches. */
function checkWhole(bands: readonly Band[]): Detail[] {
  return bands.flatMap((band, at) => {
    if (band.kind === 'Fuzzy') {
      if (band.minPercent === undefined || band.maxPercent === undefined)
        return [{ path: `bands[${at}]`, message: 'A fuzzy band needs minPercent and maxPercent.' }]
      return band.minPercent > band.maxPercent || band.minPercent < 1
        ? [
            {
              path: `bands[${at}].minPercent`,
              message: `minPercent of a fuzzy band must be at least 1 and at most its maxPercent, ${band.maxPercent}.`,
            },
          ]
        : []
    }
    if (band.kind === 'New') return []
    return (band.minPercent ?? 100) !== 100 || (band.maxPercent ?? 100) !== 100
      ? [
          {
            path: `bands[${at}]`,
            message: `${band.kind} is a match of 100 percent; omit minPercent and maxPercent.`,
          },
        ]
      : []
  })
}

/**
 * From 99 (or 100, without an Exact band) downwards, each range must start where the previous one
 * ends.
 */
function checkCover(bands: readonly Band[]): Detail[] {
  const found: Detail[] = []
  const fuzzy = bands.map((band, at) => ({ band, at })).filter(({ band }) => band.kind === 'Fuzzy')
  const sorted = fuzzy.sort((one, other) => high(other.band) - high(one.band))
  const last = bands.findIndex(({ kind }) => kind === 'New')
  const rest = bands[last]
  const highest = sorted[0]?.band ?? rest
  let next = highest?.maxPercent === 99 || bands.some(({ kind }) => kind === 'Exact') ? 99 : 100
  const meet = (top: number, at: number) => {
    const path = `bands[${at}].maxPercent`
    if (top > next)
      found.push({
        path,
        message: `It overlaps the band above it: it ends at ${top}, and the band above starts at ${next + 1}.`,
      })
    if (top < next)
      found.push({ path, message: `There is a gap: no band covers ${top + 1} to ${next} percent.` })
  }
  for (const { band, at } of sorted) {
    meet(high(band), at)
    next = low(band) - 1
  }
  if (!rest) return found
  if (low(rest) > 0)
    found.push({
      path: `bands[${last}].minPercent`,
      message: 'There is a gap: the band New must begin at 0 percent.',
    })
  if (rest.maxPercent !== undefined) meet(rest.maxPercent, last)
  return found
}
