// Removes the remains of interrupted writes from a bucket: multipart uploads that were never
// completed (they cost money unseen) and their small objects. The newest of them decides the age of
// an upload.
import { isBlobId } from '../blob-store.ts'
import type { Calls } from './s3-calls.ts'

type Trace = { readonly touchedAt: number; remove(): Promise<void>; lastPartAt?(): Promise<number> }

export async function sweepS3(
  calls: Calls,
  prefix: string,
  olderThan: number,
  inUse: (blobId: string) => Promise<boolean>,
): Promise<number> {
  const traces = new Map<string, Trace[]>()
  const note = (key: string, trace: Trace) => {
    const blobId = key.slice(prefix.length).split('.')[0] ?? ''
    if (isBlobId(blobId)) traces.set(blobId, [...(traces.get(blobId) ?? []), trace])
  }
  for await (const { key, modifiedAt } of calls.objects(prefix)) {
    if (key.includes('.part.'))
      note(key, { touchedAt: modifiedAt, remove: () => calls.remove(key) })
  }
  for await (const { key, uploadId, begunAt } of calls.uploads(prefix)) {
    note(key, {
      touchedAt: begunAt,
      remove: () => calls.abortUpload(key, uploadId),
      lastPartAt: () => calls.lastPartAt(key, uploadId),
    })
  }

  let swept = 0
  for (const [blobId, left] of traces) {
    if (left.some((trace) => trace.touchedAt >= olderThan) || (await inUse(blobId))) continue
    const parts = await Promise.all(left.map((trace) => trace.lastPartAt?.() ?? 0))
    if (Math.max(...parts) >= olderThan) continue
    for (const trace of left) await trace.remove()
    swept += left.length
  }
  return swept
}
