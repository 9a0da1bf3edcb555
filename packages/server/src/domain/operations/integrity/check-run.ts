/** What checks look for and report. */
import type { Hub } from '../../../hub.ts'

export type CheckFinding = {
  /** The check that found it. */
  readonly check: string
  /** `wrong`: the hub never writes this. `waiting`: valid, but a person should look at it. */
  readonly weight: 'wrong' | 'waiting'
  readonly siteId?: string
  /** The thing and its id: `job AbCdEfGhIj`. */
  readonly what: string
  readonly says: string
  /** What to do about it. */
  readonly advice: string
}

/** Options and counters of a check run. */
export type CheckRun = {
  /** Compares sizes only and reads no bytes. */
  readonly fast: boolean
  /** Blobs that another hub may have written. */
  strangers: number
  readonly checked: { files: number; bytes: number; uploads: number; blobs: number }
  /**
   * The heads of the chains. A copy stored elsewhere reveals a database that was restored to an
   * earlier state.
   */
  readonly heads: { [log: string]: { readonly last: number; readonly hash: string } }
  /** Present only if orphans are to be removed. */
  readonly repaired?: {
    readonly orphans: { readonly blobId: string; readonly size: number }[]
    leftovers: number
  }
}

export type Fault = Omit<CheckFinding, 'check' | 'weight' | 'advice'>

export type Check = {
  readonly name: string
  readonly weight: CheckFinding['weight']
  readonly find: (hub: Hub, run: CheckRun) => Promise<readonly Fault[]>
  readonly advice: string
}

export const fault = (siteId: string | null, what: string, says: string): Fault => ({
  ...(siteId === null ? {} : { siteId }),
  what,
  says,
})
