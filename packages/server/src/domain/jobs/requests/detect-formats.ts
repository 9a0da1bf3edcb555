/**
 * Which formats the files of new requests are of, found before the transaction that adds them: by
 * the name where that decides, else by the first bytes. What cannot be read now is told when it is
 * translated.
 */
import {
  detectFormat,
  type FormatId,
  type FormatRow,
  formatRows,
  headBytes,
  unknownFormat,
} from '@dragoman/contract'
import { peek } from '@dragoman/text/formats'
import { BlobTrouble } from '../../../blobs/blob-store.ts'
import type { Hub } from '../../../hub.ts'
import { listStored, readHead, type StoredFile } from '../../files/serve.ts'

/** What was detected in the files whose bytes have arrived. */
export type Detected = ReadonlyMap<
  string,
  { readonly fileName: string; readonly format: FormatId | undefined }
>

/** Files looked at together. */
const together = 8

export async function detectFormats(
  hub: Hub,
  siteId: string,
  jobId: string,
  inputs: readonly { readonly fmsFileId?: string; readonly format?: FormatId }[],
): Promise<Detected> {
  const ids = new Set(inputs.flatMap(({ fmsFileId, format }) => (format ? [] : (fmsFileId ?? []))))
  const found = new Map<string, { fileName: string; format: FormatId | undefined }>()
  if (ids.size === 0) return found
  const files = await listStored(hub, siteId, jobId, [...ids])
  for (let from = 0; from < files.length; from += together)
    await Promise.all(
      files.slice(from, from + together).map(async (file) => {
        try {
          found.set(file.file_id, { fileName: file.name, format: await formatOf(hub, file) })
        } catch (error) {
          if (!(error instanceof BlobTrouble)) throw error
        }
      }),
    )
  return found
}

async function formatOf(hub: Hub, file: StoredFile): Promise<FormatId | undefined> {
  const looks = { fileName: file.name, contentType: file.content_type }
  let asked = false
  const ask = () => {
    asked = true
    return ''
  }
  const byName = detectFormat({ ...looks, head: ask })
  if (!asked) return byName
  const head = peek(await readHead(hub, file, headBytes), headBytes)
  return detectFormat({ ...looks, head: () => head })
}

/**
 * The columns of a request: its format, and the sentence of a file that the hub will not translate.
 */
export function formatColumns(
  detected: Detected,
  { fmsFileId, format }: { readonly fmsFileId?: string; readonly format?: FormatId },
): { format: FormatId | null; warnings: string | null } {
  const found = fmsFileId === undefined ? undefined : detected.get(fmsFileId)
  const is = format ?? found?.format
  const row: FormatRow | undefined = is && formatRows[is]
  const sentence = row ? row.advice : found && unknownFormat(found.fileName)
  return {
    format: is ?? null,
    warnings: sentence === undefined ? null : JSON.stringify([sentence]),
  }
}
