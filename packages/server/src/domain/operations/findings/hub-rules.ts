/** Rules about this node and its disk, the nodes beside it, and what expires. */
import { X509Certificate } from 'node:crypto'
import { findingRules, formatTime } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { noSite } from '../../access/caller.ts'
import { readSpace } from '../../files/free-space.ts'
import { type NodeState, nodesOf } from '../tasks/nodes.ts'
import { bounded, type Finders, type Look, matchesOf, type RuleMatch } from './finder.ts'
import { endingSecrets } from './finding-rows.ts'

type HubRule =
  | 'disk-near'
  | 'secret-expires'
  | 'certificate-expires'
  | 'clock-skew'
  | 'node-vanished'

export const hubRules: Finders<HubRule> = {
  'disk-near': async (hub, look) => {
    const space = await readSpace(hub)
    if (!space) return bounded([], look)
    const { free, total, reserve } = space
    const usable = Math.max(0, total - reserve)
    const used = Math.min(total - free, usable)
    if (used < usable * findingRules['disk-near'].share) return bounded([], look)
    const percent = Math.floor((100 * used) / Math.max(1, usable))
    // A share of the disk is seldom a whole number of bytes.
    const facts = { percent, free, reserve: Math.round(reserve) }
    return bounded([{ thing: 'disk', thingId: 'files', since: hub.clock.now(), facts }], look)
  },

  'secret-expires': async ({ clock }, look) => {
    const { after } = findingRules['secret-expires']
    const now = clock.now()
    return matchesOf(
      await endingSecrets(look, now, now + after),
      ({ client_id, site_id, secret_id, expires_at }) => ({
        // An operator belongs to no site.
        ...(site_id === noSite ? {} : { siteId: site_id }),
        thing: 'client',
        thingId: client_id,
        // A client may have several.
        key: secret_id,
        since: expires_at - after,
        facts: { clientId: client_id, time: formatTime(expires_at) },
      }),
    )
  },

  'certificate-expires': async (hub, look) => bounded(endingCertificate(hub), look),

  'clock-skew': async (hub, look) => {
    const { after } = findingRules['clock-skew']
    const nodes = (await nodesOf(hub, look.db)).filter(({ state }) => state !== 'vanished')
    const found = nodes.flatMap(({ nodeId, host, skewMs, seenAt }): RuleMatch<'clock-skew'>[] => {
      if (skewMs === null || Math.abs(skewMs) <= after) return []
      const seconds = (Math.abs(skewMs) / 1_000).toFixed(1)
      const facts = { nodeId, host, seconds, direction: skewMs > 0 ? 'ahead of' : 'behind' }
      return [{ thing: 'node', thingId: nodeId, since: seenAt, facts }]
    })
    return bounded(found, look)
  },

  'node-vanished': async (hub, look) => bounded(await vanished(hub, look), look),
}

async function vanished(hub: Hub, { db }: Look): Promise<RuleMatch<'node-vanished'>[]> {
  const gone = (await nodesOf(hub, db)).filter(({ state }) => state === 'vanished')
  return gone.map(({ nodeId, host, seenAt }: NodeState) => ({
    thing: 'node',
    thingId: nodeId,
    since: seenAt,
    facts: { nodeId, host, time: formatTime(seenAt) },
  }))
}

/** The certificate in memory is the one that is served, even if its file has been replaced. */
function endingCertificate({ config, clock }: Hub): RuleMatch<'certificate-expires'>[] {
  if (!config.tls) return []
  const { after } = findingRules['certificate-expires']
  const certificate = new X509Certificate(config.tls.cert)
  const ends = Date.parse(certificate.validTo)
  if (!(ends <= clock.now() + after)) return []
  const subject = certificate.subjectAltName ?? certificate.subject.replaceAll('\n', ', ')
  const facts = { subject, time: formatTime(ends) }
  return [
    {
      thing: 'certificate',
      thingId: certificate.fingerprint256.replaceAll(':', ''),
      since: ends - after,
      facts,
    },
  ]
}
