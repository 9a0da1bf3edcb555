/** What a rule's finder is asked and what it answers. */
import type { FindingFacts, FindingRule } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'

export type Look = {
  readonly db: Db
  /** Only of this site; undefined: of the whole hub. */
  readonly siteId: string | undefined
  /** Only this thing: a remedy looks whether its finding still holds. */
  readonly thingId?: string
  readonly limit: number
}

export type RuleMatch<R extends FindingRule = FindingRule> = {
  readonly siteId?: string
  readonly thing: string
  readonly thingId: string
  /** Names the thing in the finding's id, if `thingId` does not suffice. */
  readonly key?: string
  readonly since: number
  readonly facts: FindingFacts<R>
}

/** The oldest findings, and how many there are besides. */
export type RuleMatches<R extends FindingRule = FindingRule> = {
  readonly found: readonly RuleMatch<R>[]
  readonly more: number
}
export type Finder<R extends FindingRule = FindingRule> = (
  hub: Hub,
  look: Look,
) => Promise<RuleMatches<R>>
export type Finders<R extends FindingRule> = { readonly [N in R]: Finder<N> }

/** For a rule that has all its findings in memory. */
export function bounded<R extends FindingRule>(
  all: readonly RuleMatch<R>[],
  { thingId, limit }: Look,
): RuleMatches<R> {
  const asked =
    thingId === undefined ? all : all.filter((one) => (one.key ?? one.thingId) === thingId)
  return { found: asked.slice(0, limit), more: Math.max(0, asked.length - limit) }
}

/** For a rule that has read the first rows, and how many more there are. */
export const matchesOf = <R extends FindingRule, Row>(
  { rows, more }: { readonly rows: readonly Row[]; readonly more: number },
  match: (row: Row) => RuleMatch<R>,
): RuleMatches<R> => ({ found: rows.map(match), more })
