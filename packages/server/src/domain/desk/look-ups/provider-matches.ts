/**
 * Matches of a text for whoever translates it. A person who is limited to some languages looks up
 * into those only.
 */
import {
  formatTime,
  HubError,
  type MatchQuestion,
  type MemoryMatches,
  spellingsOf,
} from '@dragoman/contract'
import { adaptTarget, hashOf, partsIn, plainSource, writtenText } from '@dragoman/text/likeness'
import type { Hub } from '../../../hub.ts'
import type { Call } from '../../access/caller.ts'
import { mustOwnProvider } from '../../handover/provider-jobs.ts'
import { languagesOf } from '../../jobs/work.ts'
import { pairOf } from '../../language/memory/add-units.ts'
import { findParts } from '../../language/memory/find-parts.ts'
import { lookUp } from '../../language/memory/look-up.ts'
import { type FoundParts, lookUpOpen } from '../../language/memory/look-up-open.ts'
import { unitIdOf } from '../../language/memory/units.ts'
import { openOrigins } from './match-origins.ts'

const usualLimit = 5

export async function findMatches(
  hub: Hub,
  call: Call,
  providerId: string,
  asked: MatchQuestion,
): Promise<MemoryMatches> {
  await mustOwnProvider(hub.db.read, call, providerId)
  const { text, tags, contains, targetNativeLanguageCode: target, limit = usualLimit } = asked
  mustBeTheirs(call, target)
  const at = { siteId: call.caller.siteId, pair: pairOf(asked.sourceNativeLanguageCode, target) }
  const source = writtenText(text, tags)
  const context = contextIn(asked)
  const isOpen = typeof text !== 'string' && !tags && text.some((part) => typeof part !== 'string')
  const found: FoundParts[] = contains
    ? await findParts(hub, at, { text: source, limit })
    : isOpen
      ? await lookUpOpen(hub, at, { text, context, limit })
      : await lookUp(hub, at, { source, context, limit })
  const shown = (stored: string, as: FoundParts['as']) =>
    typeof text === 'string' ? stored : partsIn(stored, tags ?? as?.tags)
  const units = found.map(({ unit }) => unit)
  const originOf = await openOrigins(hub.db.read, call, providerId, units)
  return {
    matches: found.map(({ percent, kind, unit, as }) => {
      const origin = originOf(unit)
      const adapted = kind === 'FUZZY' ? adaptTarget(source, unit) : undefined
      return {
        percent,
        kind,
        source: shown(unit.source, as),
        target: shown(adapted ?? unit.target, as),
        ...(adapted !== undefined && { adapted: true }),
        unitId: unitIdOf(unit.memory_id, unit.unit_id),
        changedTime: formatTime(unit.changed_at),
        ...(origin && { origin }),
      }
    }),
  }
}

/** Fails for a person whose work is into other languages. */
export function mustBeTheirs({ caller }: Call, language: string): void {
  const theirs = languagesOf(caller)
  if (theirs && !spellingsOf(language).some((code) => theirs.includes(code)))
    throw new HubError('FORBIDDEN', {
      because: `your work here is not into ${language}; ask an admin of your site to add the language to your role.`,
    })
}

/** As it was computed when the unit was remembered (`contextOf`). */
function contextIn({ before, after }: MatchQuestion): string | undefined {
  if (before === undefined && after === undefined) return undefined
  const plain = (text: typeof before) => plainSource(writtenText(text ?? '', undefined))
  return hashOf(plain(before), plain(after))
}
