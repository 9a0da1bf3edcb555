/**
 * What the walks of the transfer fuzz share: one transfer object, checked calls, and a ledger of
 * its upload.
 */
import type { RawAnswer, RawCall } from '../raw-call.ts'
import { pick } from './fuzzed-text.ts'
import type { Chance } from './history-walk.ts'

export type Transfer = {
  readonly fmsFileId: string
  readonly fmsSASToken: string
  readonly fmsUploadUrl: string
  readonly fmsPostMultipartUrl: string
}
/** What a walk can do: make checked calls, record findings, read the file. */
export type Walk = {
  readonly chance: Chance
  readonly transfer: Transfer
  /** `isCut`: there may be no response. `unoffered`: 501 is right. */
  call(
    call: RawCall,
    more?: { isCut?: boolean; unoffered?: boolean },
  ): Promise<RawAnswer | undefined>
  found(says: string): void
  /** The signed URL of the file; undefined if it is not complete. */
  link(): Promise<string | undefined>
  /** Checks that the file has these bytes; undefined: there must be none. */
  mustHold(bytes: Buffer | undefined): Promise<void>
}

export type Header = readonly [name: string, value: string]
export type Headers = readonly Header[]
/** The upload at the hub, by its ledger. */
export type Ledger = { path: string; bytes: Buffer; offset: number; metadata: string | undefined }

export const version: Header = ['tus-resumable', '1.0.0']
export const chunkType: Header = ['content-type', 'application/offset+octet-stream']
export const tokenOf = ({ transfer }: Walk): Header => ['sastoken', transfer.fmsSASToken]

/** Such a call, occasionally under another method. */
export function meant(
  chance: Chance,
  method: string,
  headers: Headers,
): Pick<RawCall, 'method' | 'headers'> {
  if (chance() < 0.8) return { method, headers }
  const written = pick(chance, [method, method.toLowerCase()])
  return {
    method: pick(chance, ['POST', 'PUT']),
    headers: [...headers, ['x-http-method-override', written]],
  }
}
