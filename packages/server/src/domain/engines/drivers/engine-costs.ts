/**
 * What an engine costs. A call is reserved in a committed row before its bytes go out, and settled
 * by what the vendor billed: if the node dies in between, what was reserved stays, so that our sum
 * is never below the vendor's meter. Limits are checked in the same transaction, on one row for all
 * nodes. At a limit nothing fails: the work is held, and goes on the next UTC day or when the
 * provider is changed.
 */
import type { ProviderLimits, ProviderUsage } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import { hastenTasks } from '../../../store/tasks/reschedule-groups.ts'
import { selectChains } from './chain-rows.ts'
import { Held } from './driver.ts'
import * as rows from './engine-usage-rows.ts'

/** Who pays for a call. A test of a provider has no job. */
export type Payer = {
  readonly provider: Pick<ProviderRow, 'site_id' | 'provider_id'>
  readonly jobId?: string | undefined
}
/** `cost` in the unit of the vendor; `characters` of the source, which limits count. */
export type Price = {
  readonly unit: 'CHARACTERS' | 'TOKENS'
  readonly cost: number
  readonly characters: number
}

export type Reserved = {
  /** By what the vendor says that it billed; undefined: it does not say, and the estimate stays. */
  readonly settle: (billed: number | undefined) => Promise<void>
  /** Nothing was billed: the engine refused the call, or never got it. */
  readonly release: (wasSent: boolean) => Promise<void>
}

const dayMs = 86_400_000
export const dayOf = (time: number): number => Math.floor(time / dayMs) * dayMs
/** Vendors do not say when their quota begins anew; asking again costs nothing. */
const vendorPauseMs = 3_600_000
const noJob = ''

/** The row of all jobs first, so that two calls never wait for each other. */
function keysOf(
  { provider, jobId = noJob }: Payer,
  day: number,
  unit: Price['unit'],
): rows.UsageKey[] {
  return [rows.allJobs, jobId].map((job_id) => ({
    provider_id: provider.provider_id,
    job_id,
    day,
    unit,
  }))
}

export async function reserve(
  hub: Hub,
  payer: Payer,
  { unit, cost, characters }: Price,
): Promise<Reserved> {
  const { site_id: siteId, provider_id: providerId } = payer.provider
  const keys = keysOf(payer, dayOf(hub.clock.now()), unit)
  const change = async (tx: Db, by: rows.UsageChange): Promise<boolean> => {
    const used: rows.Used[] = []
    for (const key of keys) used.push(await rows.addUsage(tx, siteId, key, by))
    return used.some(({ heldBy }) => heldBy === 'VENDOR')
  }
  const wasHeld = await orHold(hub, payer, unit, () =>
    hub.db.transact(async (tx) => {
      const isHeld = await change(tx, { estimated: cost, characters, requests: 1 })
      await mustFit(hub, tx, payer, { characters, isAdded: true })
      return isHeld
    }),
  )
  return {
    settle: async (billed) => {
      if (billed === undefined && !wasHeld) return
      await hub.db.transact(async (tx) => {
        const more = billed === undefined ? 0 : billed - cost
        if (billed !== undefined)
          await change(tx, {
            estimated: more,
            billed,
            characters: unit === 'CHARACTERS' ? more : 0,
          })
        if (wasHeld) await rows.releaseHolds(tx, siteId, providerId, 'VENDOR')
      })
    },
    release: async (wasSent) => {
      const requests = wasSent ? 0 : -1
      await hub.db.transact((tx) =>
        change(tx, { estimated: -cost, characters: -characters, requests }),
      )
    },
  }
}

/**
 * Before the first call of a content: what cannot be translated whole is not begun, because it
 * would be paid for twice.
 */
export const mustHaveRoom = (
  hub: Hub,
  payer: Payer,
  unit: Price['unit'],
  characters: number,
): Promise<void> =>
  orHold(hub, payer, unit, () => mustFit(hub, hub.db.read, payer, { characters, isAdded: false }))

/** Characters that were not sent, because the memory has them. */
export async function countSaved(
  hub: Hub,
  payer: Payer,
  unit: Price['unit'],
  characters: number,
): Promise<void> {
  if (characters === 0) return
  const keys = keysOf(payer, dayOf(hub.clock.now()), unit)
  await hub.db.transact(async (tx) => {
    for (const key of keys)
      await rows.addUsage(tx, payer.provider.site_id, key, { saved: characters })
  })
}

/** The vendor says that its quota is used up. */
export async function holdForVendor(
  hub: Hub,
  payer: Payer,
  unit: Price['unit'],
  message: string,
): Promise<Held> {
  const now = hub.clock.now()
  await keepHold(hub, payer, unit, { at: now, by: 'VENDOR', because: message })
  return new Held(message, now + vendorPauseMs)
}

/**
 * A change of the provider lets its work go on; that of chains too, which may have waited for this
 * engine.
 */
export async function resumeHeld(
  hub: Hub,
  tx: Db,
  { site_id, provider_id }: Payer['provider'],
): Promise<void> {
  await rows.releaseHolds(tx, site_id, provider_id)
  for (const id of [provider_id, ...(await selectChains(tx, site_id))])
    await hastenTasks(hub.db, tx, `translate:${id}:`, hub.clock.now())
}

/** Sums whole UTC days, those of both times included. */
export async function usageOf(
  hub: Hub,
  { site_id, provider_id }: Payer['provider'],
  unit: Price['unit'],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ProviderUsage> {
  const days = { from: dayOf(from), to: dayOf(to) + dayMs }
  const { estimated, billed, saved, requests } = await rows.sumUsage(
    hub.db.read,
    site_id,
    { provider_id, unit },
    days,
  )
  return { unit, estimated, ...(billed !== null && { billed }), savedByMemory: saved, requests }
}

export type HeldWork = {
  siteId: string
  providerId: string
  jobId?: string
  since: number
  because: string
}

/** What waits today, for the findings. Without a site: on the whole hub. */
export async function listHeld(hub: Hub, db: Db, siteId: string | undefined): Promise<HeldWork[]> {
  const found = await rows.selectHeld(db, siteId, dayOf(hub.clock.now()))
  return found.map(({ site_id, provider_id, job_id, held_at, held_because }) => ({
    siteId: site_id,
    providerId: provider_id,
    ...(job_id !== rows.allJobs && { jobId: job_id }),
    since: Number(held_at),
    because: held_because,
  }))
}

class OverLimit extends Held {
  readonly by: 'DAY' | 'JOB'
  constructor(message: string, until: number, by: 'DAY' | 'JOB') {
    super(message, until)
    this.by = by
  }
}

type EngineCost = { readonly characters: number; readonly isAdded: boolean }

async function mustFit(
  hub: Hub,
  db: Db,
  { provider, jobId }: Payer,
  { characters, isAdded }: EngineCost,
): Promise<void> {
  const { site_id: siteId, provider_id } = provider
  const stored = await rows.selectLimits(db, siteId, provider_id)
  if (stored === null) return
  const { charactersPerDay, charactersPerJob } = JSON.parse(stored) as ProviderLimits
  const today = dayOf(hub.clock.now())
  const check = async (
    by: 'DAY' | 'JOB',
    limit: number | undefined,
    of: { job_id: string; day: number },
  ) => {
    if (limit === undefined) return
    const used =
      (await rows.sumCharacters(db, siteId, { provider_id, ...of })) - (isAdded ? characters : 0)
    if (used + characters <= limit) return
    const per = by === 'DAY' ? 'a day' : 'a job'
    const message = `The limit of ${limit} characters ${per} is reached: ${used} are used, and ${characters} more are needed. The work continues automatically${by === 'DAY' ? ' the next day' : ''} when the limit allows it.`
    throw new OverLimit(message, today + dayMs, by)
  }
  await check('DAY', charactersPerDay, { job_id: rows.allJobs, day: today })
  if (jobId !== undefined) await check('JOB', charactersPerJob, { job_id: jobId, day: 0 })
}

async function orHold<T>(
  hub: Hub,
  payer: Payer,
  unit: Price['unit'],
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof OverLimit)
      await keepHold(hub, payer, unit, {
        at: hub.clock.now(),
        by: error.by,
        because: error.message,
      })
    throw error
  }
}

async function keepHold(
  hub: Hub,
  payer: Payer,
  unit: Price['unit'],
  hold: rows.Hold,
): Promise<void> {
  const [ofAll, ofJob] = keysOf(payer, dayOf(hold.at), unit)
  const key = hold.by === 'JOB' ? ofJob : ofAll
  if (key) await hub.db.transact((tx) => rows.holdUsage(tx, payer.provider.site_id, key, hold))
}
