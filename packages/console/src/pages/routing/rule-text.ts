/**
 * A rule as the texts of its form, and back. Mistakes are left to the hub, which names their place.
 */
import type { RouteCondition, RoutingRule } from '@dragoman/contract/wire'

export type RuleText = {
  readonly name: string
  readonly providerId: string
  readonly source: string
  readonly target: string
  readonly labels: string
  readonly minWords: string
  readonly maxWords: string
  readonly band: string
  readonly bandMin: string
  /** One `name = value` per line. A value that is JSON, such as a number, is taken as that. */
  readonly metadata: string
}

/** The bands of GET /jobs/{jobId}/words. */
export const bandNames = [
  'Repetition',
  'Context',
  'Exact',
  '95-99',
  '85-94',
  '75-84',
  'New',
] as const

export const itemsOf = (some: string | readonly string[] | undefined): readonly string[] =>
  some === undefined ? [] : typeof some === 'string' ? [some] : some

export function textOf({ name, providerId, when = {} }: RoutingRule): RuleText {
  const { source, target, labels, words, band, extendedMetadata = {} } = when
  return {
    name,
    providerId,
    source: itemsOf(source).join(', '),
    target: itemsOf(target).join(', '),
    labels: itemsOf(labels).join(', '),
    minWords: words?.min === undefined ? '' : String(words.min),
    maxWords: words?.max === undefined ? '' : String(words.max),
    band: band?.name ?? '',
    bandMin: band === undefined ? '' : String(band.min),
    metadata: Object.entries(extendedMetadata)
      .map(([key, value]) => `${key} = ${valueText(value)}`)
      .join('\n'),
  }
}

/** A text that would be read as something else is written as JSON. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' && valueIn(value) === value ? value : JSON.stringify(value)

function valueIn(text: string): unknown {
  if (!/^(?:["{[\d-]|true$|false$)/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function ruleOf(text: RuleText): RoutingRule {
  const { min, max } = { min: numberIn(text.minWords), max: numberIn(text.maxWords) }
  const when: RouteCondition = {
    ...listed('source', text.source),
    ...listed('target', text.target),
    ...listed('labels', text.labels),
    ...((min !== undefined || max !== undefined) && {
      words: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) },
    }),
    ...(text.band !== '' && { band: { name: text.band, min: numberIn(text.bandMin) ?? 0 } }),
    ...metadataIn(text.metadata),
  }
  return {
    name: text.name.trim(),
    ...(Object.keys(when).length > 0 && { when }),
    providerId: text.providerId,
  }
}

const split = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

export const codesIn = split

function listed(name: 'source' | 'target' | 'labels', text: string): Partial<RouteCondition> {
  const items = split(text)
  if (items.length === 0) return {}
  return { [name]: items.length === 1 ? items[0] : items }
}

/** What is no number stays text, for the hub to refuse. */
function numberIn(text: string): number | undefined {
  const plain = text.trim()
  if (plain === '') return undefined
  return Number.isFinite(Number(plain)) ? Number(plain) : (plain as unknown as number)
}

function metadataIn(text: string): Partial<RouteCondition> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return {}
  return {
    extendedMetadata: Object.fromEntries(
      lines.map((line) => {
        const at = line.indexOf('=')
        return at < 0
          ? [line.trim(), true]
          : [line.slice(0, at).trim(), valueIn(line.slice(at + 1).trim())]
      }),
    ),
  }
}
