/**
 * The targets of a translation that is about to be replaced, for the reviewer of the next one. They
 * are read before the transaction that replaces it; what cannot be read stops no delivery.
 */
import { HubError, limits, type TextParts } from '@dragoman/contract'
import { FormatError } from '@dragoman/text/formats'
import type { Hub } from '../../../../hub.ts'
import { openNote, sealNote } from '../../../files/seals/notes.ts'
import { runSafely } from '../../../language/worker/run.ts'
import { sourceOf, translationOf, withContents } from '../read-segments.ts'
import type { Deliverable, RequestWithFile } from '../request.ts'
import { pickTexts } from '../segments-of.ts'
import { selectFormer } from './delivery-rows.ts'

/** `texts` as it is stored. */
export type Former = { readonly translationId: string; readonly texts: string }
export type Formers = ReadonlyMap<string, Former>

const module = new URL('../segments-of.ts', import.meta.url)

export const translationIdOf = ({
  translation_file_id,
  translation_content_id,
}: Pick<Deliverable, 'translation_file_id' | 'translation_content_id'>): string | null =>
  translation_file_id ?? translation_content_id

/** Reads the former targets of requests that were translated before, by request id. */
export async function readFormers(
  hub: Hub,
  requests: readonly RequestWithFile[],
): Promise<Formers> {
  const formers = new Map<string, Former>()
  let characters = 0
  for (const request of requests) {
    const translationId = translationIdOf(request)
    if (translationId === null || characters > limits.deliveredBytes) continue
    const read = await readTexts(hub, request)
    if (!read) continue
    const texts = sealNote(hub, new TextDecoder().decode(read))
    // All of them stay in memory until they are written.
    characters += texts.length
    formers.set(request.request_id, { translationId, texts })
  }
  return formers
}

async function readTexts(hub: Hub, request: RequestWithFile): Promise<Uint8Array | undefined> {
  const translation = translationOf(request)
  if (!translation) return undefined
  try {
    return await withContents(hub, [sourceOf(request), translation], (contents) =>
      runSafely<Uint8Array | undefined>(module, 'translatedTexts', [...contents], {
        siteId: request.site_id,
      }),
    )
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof HubError)) throw error
    hub.log.info(
      { err: error, requestId: request.request_id },
      'a translation that is replaced could not be read',
    )
    return undefined
  }
}

/** Texts of this length are parsed here; more of them in a worker. */
const short = 64 * 1024

/** The targets that some segments had in the delivery before the last one, by the ids of units. */
export async function formerTargets(
  hub: Hub,
  { site_id: siteId, job_id: jobId, request_id }: RequestWithFile,
  units: readonly string[],
): Promise<ReadonlyMap<string, TextParts>> {
  const text = openNote(hub, await selectFormer(hub.db.read, { siteId, jobId }, request_id))
  if (text === null || units.length === 0) return new Map()
  const args = [text, [...units]] as const
  const picked =
    text.length <= short
      ? pickTexts(...args)
      : await runSafely<ReturnType<typeof pickTexts>>(module, 'pickTexts', args, { siteId })
  return new Map(picked)
}
