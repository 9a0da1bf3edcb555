/**
 * What a person should look at (contract, section 12), rule by rule in the order of the table. Each
 * rule shows its oldest findings and one item that counts the others, so the list is bounded,
 * whatever has happened. Nothing is stored: a finding is there for as long as its cause is.
 */
import {
  type Endpoints,
  type Finding,
  type FindingRule,
  findingRuleNames,
  findingSentence,
  formatTime,
  type Input,
  limits,
  ruleOf,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { mustMatch, openCursor, type Page, sealCursor } from '../../../store/page.ts'
import { type Call, isOperator, noSite, sightOf } from '../../access/caller.ts'
import type { RuleMatch, RuleMatches } from './finder.ts'
import { findingId } from './finding-id.ts'
import { withNames } from './finding-name-rows.ts'
import { finders } from './rules.ts'

type FindingsQuery = Input<Endpoints['listFindings']>['query']
/** The number of the rule, the beginning of the finding, and its id: the order of the list. */
type ListKey = readonly [number, number, string]
type Placed = { readonly place: ListKey; readonly finding: Finding }

const list = 'findings'

export async function listFindings(
  hub: Hub,
  call: Call,
  asked: FindingsQuery,
): Promise<Page<Finding>> {
  const own = call.caller.siteId
  const filter = filterOf(asked)
  const cursor = asked.navNext
    ? mustMatch(openCursor(hub.vault, own, list, asked.navNext), filter)
    : undefined
  const { siteId, rule, severity } = readFilter(cursor ? cursor.filter : filter.filter)
  const after = cursor?.key as ListKey | undefined
  const limit = asked.pageSize ?? limits.pageItems
  const sight = sightOf(call, siteId)
  const shown: Placed[] = []
  for (const [at, name] of findingRuleNames.entries()) {
    if (after && at < after[0]) continue
    const { of, severity: weight } = ruleOf(name)
    if ((rule && !rule.includes(name)) || (severity && severity !== weight)) continue
    const seen = sightOfRule(call, of, sight)
    if (seen === 'none') continue
    const placed = describeAll(hub, name, await look(hub, name, seen.siteId))
    shown.push(...placed.filter(({ place }) => !after || isBeyond(place, after)))
    if (shown.length > limit) break
  }
  const page = shown.slice(0, limit)
  const last = page.at(-1)
  const items = await withNames(
    hub.db.read,
    page.map(({ finding }) => finding),
  )
  if (shown.length <= limit || !last) return { items }
  const sealed = { list, key: last.place, ...(cursor?.filter ? { filter: cursor.filter } : filter) }
  return { items, next: sealCursor(hub.vault, own, sealed) }
}

/**
 * Where the caller sees a rule. Findings of the hub are seen by whoever runs it, also by an operator
 * who works in a site; but not in a list that was narrowed to a site.
 */
export function sightOfRule(
  call: Pick<Call, 'caller'>,
  of: 'site' | 'hub',
  sight: string | undefined,
): { readonly siteId: string | undefined } | 'none' {
  if (of === 'site' || sight === undefined) return { siteId: sight }
  return call.caller.siteId !== noSite && isOperator(call) ? { siteId: undefined } : 'none'
}

/** How many findings each rule has in the whole hub, or as far as a caller sees them. */
export async function countFindings(
  hub: Hub,
  call?: Pick<Call, 'caller'>,
): Promise<Record<FindingRule, number>> {
  const counts = {} as Record<FindingRule, number>
  for (const name of findingRuleNames) {
    const seen = call ? sightOfRule(call, ruleOf(name).of, sightOf(call)) : { siteId: undefined }
    const { found, more } =
      seen === 'none' ? { found: [], more: 0 } : await look(hub, name, seen.siteId)
    counts[name] = found.length + more
  }
  return counts
}

const look = (hub: Hub, name: FindingRule, siteId: string | undefined): Promise<RuleMatches> =>
  finders[name](hub, { db: hub.db.read, siteId, limit: limits.findingsPerRule })

type Filter = {
  siteId?: string | undefined
  rule?: readonly FindingRule[] | undefined
  severity?: string | undefined
}

function filterOf({ siteId, rule, severity }: FindingsQuery): { filter?: string } {
  if (siteId === undefined && !rule?.length && severity === undefined) return {}
  return { filter: JSON.stringify({ siteId, rule: rule?.length ? rule : undefined, severity }) }
}

const readFilter = (text: string | undefined): Filter => (text ? (JSON.parse(text) as Filter) : {})

/** Oldest first; the item for those that are not listed comes last. */
function describeAll(hub: Hub, name: FindingRule, { found, more }: RuleMatches): Placed[] {
  const placed = found
    .map((one) => ({ one, finding: describe(hub, name, one) }))
    .map(
      ({ one, finding }): Placed => ({
        place: [number(name), one.since, finding.findingId],
        finding,
      }),
    )
    .sort((a, b) => (isBeyond(a.place, b.place) ? 1 : -1))
  const last = placed.at(-1)
  if (more === 0 || !last) return placed
  const rest = theRest(hub, name, more, last.finding.since)
  return [
    ...placed,
    { place: [number(name), Number.MAX_SAFE_INTEGER, rest.findingId], finding: rest },
  ]
}

const number = (name: FindingRule): number => findingRuleNames.indexOf(name)

const isBeyond = ([a0, a1, a2]: ListKey, [b0, b1, b2]: ListKey): boolean =>
  a0 !== b0 ? a0 > b0 : a1 !== b1 ? a1 > b1 : a2 > b2

export function describe(hub: Hub, name: FindingRule, found: RuleMatch): Finding {
  const { severity, advice, remedy } = ruleOf(name)
  const { siteId, thing, thingId, key = thingId, since, facts } = found
  return {
    findingId: findingId(hub.vault, siteId ?? noSite, name, key),
    rule: name,
    severity,
    ...(siteId === undefined ? {} : { siteId }),
    thing,
    thingId,
    since: formatTime(since),
    sentence: findingSentence(name, facts),
    facts: { ...facts },
    advice,
    ...(remedy ? { remedy: { ...remedy } } : {}),
  }
}

const theRest = (hub: Hub, name: FindingRule, more: number, since: string): Finding => ({
  findingId: findingId(hub.vault, noSite, name, 'more'),
  rule: name,
  severity: ruleOf(name).severity,
  thing: 'rule',
  thingId: name,
  since,
  sentence: `There are ${more} more findings of this rule, which are not listed.`,
  facts: { more },
  advice: ruleOf(name).advice,
  more,
})
