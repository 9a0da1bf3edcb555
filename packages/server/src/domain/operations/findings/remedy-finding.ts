/**
 * Does what a finding offers, in one transaction with its audit log entry. The finding is looked at
 * again first: if it no longer holds, nothing is done.
 */
import { HubError, type Remedied, ruleOf } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { recordActs } from '../../access/audit/record-acts.ts'
import { actorOf, type Call, noSite, sightOf } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import type { Look, RuleMatch } from './finder.ts'
import { findingId as idOf, type Named, readFindingId, wasGivenFor } from './finding-id.ts'
import { sightOfRule } from './list-findings.ts'
import { remedies } from './remedies.ts'
import { finders } from './rules.ts'

export async function remedyFinding(hub: Hub, call: Call, findingId: string): Promise<Remedied> {
  const named = readFindingId(findingId)
  const seen = named && sightOfRule(call, ruleOf(named.rule).of, sightOf(call))
  const sight = seen && seen !== 'none' ? seen.siteId : sightOf(call)
  // For an admin, an id of another site is as unknown as any text.
  if (!named || (sight !== undefined && !wasGivenFor(hub.vault, sight, named)))
    throw new HubError('FINDING_NOT_FOUND', { findingId })
  const { advice, remedy } = ruleOf(named.rule)
  if (!remedy) {
    await mustHold(hub, { db: hub.db.read, siteId: sight }, named, findingId)
    throw new HubError('FINDING_WITHOUT_REMEDY', { findingId, advice })
  }
  return once(hub, call, async (tx) => {
    const found = await mustHold(hub, { db: tx, siteId: sight }, named, findingId)
    const done = await remedies[remedy.name]({ hub, tx, causeId: call.traceId }, found)
    if (!done) throw new HubError('FINDING_GONE', { findingId })
    const siteId = found.siteId === undefined ? {} : { siteId: found.siteId }
    await recordActs(hub, tx, actorOf(call), [
      done.act,
      { thing: 'finding', verb: 'remedied', id: findingId, ...siteId },
    ])
    return { findingId, remedy: remedy.name, done: done.says }
  })
}

async function mustHold(
  hub: Hub,
  look: Pick<Look, 'db' | 'siteId'>,
  named: Named,
  id: string,
): Promise<RuleMatch> {
  const { rule, thingId } = named
  const { found } = await finders[rule](hub, { ...look, thingId, limit: 1 })
  const [one] = found
  if (!one || idOf(hub.vault, one.siteId ?? noSite, rule, thingId) !== id)
    throw new HubError('FINDING_GONE', { findingId: id })
  return one
}
