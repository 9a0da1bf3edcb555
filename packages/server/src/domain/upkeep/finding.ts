/** What a check looks for and how it tells it. */
import type { Hub } from '../../hub.ts'

export type Finding = {
  /** Which check found it. */
  readonly check: string
  /** `wrong`: the hub never writes this. `waiting`: in order, but a person should look. */
  readonly weight: 'wrong' | 'waiting'
  readonly siteId?: string
  /** The thing and its id: `job AbCdEfGhIj`. */
  readonly what: string
  readonly says: string
  /** What to do about it. */
  readonly advice: string
}

/** How it is looked, and what was seen on the way. */
export type Look = {
  /** Sizes only: bytes are not read. */
  readonly fast: boolean
  /** Blobs that another hub may have written. */
  strangers: number
  readonly checked: { files: number; bytes: number; uploads: number; blobs: number }
  /** Where the chains of rows end: whoever keeps this elsewhere can tell a database that was set back. */
  readonly heads: { [log: string]: { readonly last: number; readonly hash: string } }
  /** There only where orphans are to be removed. */
  readonly repaired?: { readonly orphans: { readonly blobId: string; readonly size: number }[]; leftovers: number }
}

export type Found = Omit<Finding, 'check' | 'weight' | 'advice'>

export type Check = {
  readonly name: string
  readonly weight: Finding['weight']
  readonly find: (hub: Hub, look: Look) => Promise<readonly Found[]>
  readonly advice: string
}

export const of = (siteId: string | null, what: string, says: string): Found => ({
  ...(siteId === null ? {} : { siteId }),
  what,
  says,
})
