/** Every migration, in order: the first has number 1. Only ever added to at the end. */
import { foundation } from './0001-foundation.ts'
import { content } from './0002-content.ts'
import { round } from './0003-round.ts'
import { settings } from './0004-settings.ts'
import { memory } from './0005-memory.ts'
import { lighterMoves } from './0006-lighter-moves.ts'
import { jobsKnown } from './0007-jobs-known.ts'
import { siteInKeys } from './0008-site-in-keys.ts'
import { chains } from './0009-chains.ts'
import { clientLimits } from './0010-client-limits.ts'
import { siteBytes } from './0011-site-bytes.ts'
import { clientCertificates } from './0012-client-certificates.ts'
import { sealedContent } from './0013-sealed-content.ts'
import { priceListBytes } from './0014-price-list-bytes.ts'
import { deliveryFacts } from './0015-delivery-facts.ts'
import { formats } from './0016-formats.ts'
import { logLists } from './0017-log-lists.ts'
import { operatingLists } from './0018-operating-lists.ts'
import { findings } from './0019-findings.ts'
import { sitesKept } from './0020-sites-kept.ts'
import { revocation } from './0021-revocation.ts'
import { siteFormatOptions } from './0024-site-format-options.ts'
import { people } from './0025-people.ts'
import { changes } from './0026-changes.ts'
import { reports } from './0028-reports.ts'
import { parallelUploads } from './0029-parallel-uploads.ts'
import { keptListeners } from './0030-kept-listeners.ts'
import { limitedAndErased } from './0031-limited-and-erased.ts'
import { callTimes } from './0032-call-times.ts'
import { accountsOfSites } from './0033-accounts-of-sites.ts'
import { metadataBytes } from './0034-metadata-bytes.ts'
import { drafts } from './0035-drafts.ts'
import { siteChecks } from './0036-site-checks.ts'
import { terms } from './0037-terms.ts'
import { memoryUnits } from './0038-memory-units.ts'
import { segmentation } from './0039-segmentation.ts'
import { memoryTargets } from './0040-memory-targets.ts'
import { work } from './0041-work.ts'
import { routing } from './0042-routing.ts'
import { engineUsage } from './0043-engine-usage.ts'
import { machineWork } from './0044-machine-work.ts'
import { chainsOfProviders } from './0045-chains-of-providers.ts'
import { upstream } from './0048-upstream.ts'
import { upstreamCalls } from './0049-upstream-calls.ts'
import { memoryIndex } from './0050-memory-index.ts'
import { deliveredDesk } from './0051-delivered-desk.ts'
import { endedProcesses } from './0052-ended-processes.ts'
import { siteTimeZone } from './0053-site-time-zone.ts'
import { teamAtDesk } from './0054-team-at-desk.ts'
import { newerSources } from './0055-newer-sources.ts'
import { reviewPlans } from './0056-review-plans.ts'
import { learnedRisk } from './0057-learned-risk.ts'
import { commentsAndCorrections } from './0058-comments-and-corrections.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [
  foundation,
  content,
  round,
  settings,
  memory,
  lighterMoves,
  jobsKnown,
  siteInKeys,
  chains,
  clientLimits,
  siteBytes,
  clientCertificates,
  sealedContent,
  priceListBytes,
  deliveryFacts,
  formats,
  operatingLists,
  siteFormatOptions,
  findings,
  sitesKept,
  revocation,
  logLists,
  changes,
  reports,
  people,
  parallelUploads,
  keptListeners,
  limitedAndErased,
  callTimes,
  accountsOfSites,
  metadataBytes,
  drafts,
  siteChecks,
  terms,
  memoryUnits,
  segmentation,
  memoryTargets,
  work,
  routing,
  engineUsage,
  machineWork,
  chainsOfProviders,
  upstream,
  upstreamCalls,
  memoryIndex,
  deliveredDesk,
  endedProcesses,
  siteTimeZone,
  teamAtDesk,
  newerSources,
  reviewPlans,
  learnedRisk,
  commentsAndCorrections,
]
