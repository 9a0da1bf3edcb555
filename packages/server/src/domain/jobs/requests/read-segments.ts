/**
 * Reads the source or the translation of a request outside any transaction, and its segments in a
 * worker. The row decides whether the content can be read; then the call waits until there is
 * memory for it.
 */
import { type FormatId, type FormatOptions, limits, mayBeRead } from '@dragoman/contract'
import { type Cut, mustFitBytes } from '@dragoman/text/formats'
import type { Hub } from '../../../hub.ts'
import { mustBeStored, readWhole, type StoredFile } from '../../files/serve.ts'
import { holdContent, weightOf } from '../../language/worker/in-flight.ts'
import type { Pages } from '../../language/worker/pages.ts'
import { runSafely } from '../../language/worker/run.ts'
import { readingOf } from '../find-job.ts'
import type { RequestWithFile } from './request.ts'
import { mustFindFields } from './sealed-contents.ts'
import type { Content, CountedContent } from './segments-of.ts'

/** Identifies a content: a file, or else key-value content. */
export type ContentRef = {
  readonly siteId: string
  readonly jobId: string
  readonly fileId: string | null
  readonly contentId: string | null
  /** How the file is read, as far as its request says. */
  readonly format: FormatId | null
  readonly targetLanguage: string
  /** Set for a source, whose running text is cut into sentences where the job asks for it. */
  readonly sourceLanguage?: string
}

const refOf = (
  request: RequestWithFile,
  fileId: string | null,
  contentId: string | null,
): ContentRef => ({
  siteId: request.site_id,
  jobId: request.job_id,
  fileId,
  contentId,
  format: request.format,
  targetLanguage: request.target_language,
})

export const sourceOf = (request: RequestWithFile): ContentRef => ({
  ...refOf(request, request.file_id, request.content_id),
  sourceLanguage: request.source_language,
})

/** What the request has been delivered. */
export function translationOf(request: RequestWithFile): ContentRef | undefined {
  const { translation_file_id: fileId, translation_content_id: contentId } = request
  return fileId === null && contentId === null ? undefined : refOf(request, fileId, contentId)
}

const module = new URL('./segments-of.ts', import.meta.url)

/** Passes what was counted to `act`, or undefined if the format is unknown. */
export async function withCounted<T>(
  hub: Hub,
  ref: ContentRef,
  act: (content: CountedContent | undefined) => Promise<T>,
): Promise<T> {
  const { siteId } = ref
  const counted = await withContents(hub, [ref], async (contents) => ({
    done: await act(await runSafely(module, 'countContent', contents, { siteId })),
  }))
  return counted ? counted.done : act(undefined)
}

/** Passes pages of `SegmentPair`s, or undefined if there are none. */
export async function withPairs<T>(
  hub: Hub,
  source: ContentRef,
  translation: ContentRef,
  act: (pairs: Pages | undefined) => Promise<T>,
): Promise<T> {
  const { siteId } = source
  const paired = await withContents(hub, [source, translation], async (contents) => ({
    done: await act(
      await runSafely<Pages | undefined>(module, 'pairContents', contents, { siteId }),
    ),
  }))
  return paired ? paired.done : act(undefined)
}

/**
 * Passes the contents to `act` while there is memory for them; undefined if the format of one is
 * unknown.
 */
export async function withContents<T>(
  hub: Hub,
  refs: readonly ContentRef[],
  act: (contents: readonly Content[]) => Promise<T>,
): Promise<T | undefined> {
  const known: Known[] = []
  for (const ref of refs) {
    const one = await inspect(hub, ref)
    if (!one) return undefined
    known.push(one)
  }
  const size = known.reduce((sum, one) => sum + one.size, 0)
  return holdContent('here', refs[0]?.siteId ?? '', weightOf(size), async () => {
    const contents: Content[] = []
    for (const [at, ref] of refs.entries())
      contents.push(await readContent(hub, ref, known[at] as Known))
    return act(contents)
  })
}

type Known = {
  readonly size: number
  readonly file?: StoredFile
  readonly options?: FormatOptions | undefined
  readonly cut?: Cut | undefined
}

/** Checks the row only. Returns undefined if no format for the file is known. */
async function inspect(
  hub: Hub,
  { siteId, jobId, fileId, format, sourceLanguage }: ContentRef,
): Promise<Known | undefined> {
  if (fileId === null) return { size: limits.inlineBytes }
  const file = await mustBeStored(hub, siteId, jobId, fileId)
  if (format === null && !mayBeRead(file.name, file.content_type)) return undefined
  mustFitBytes(file.size)
  const { options, isCut } = await readingOf(hub.db.read, siteId, jobId)
  const cut = isCut && sourceLanguage !== undefined ? { language: sourceLanguage } : undefined
  return { size: file.size, file, options, cut }
}

async function readContent(
  hub: Hub,
  { siteId, jobId, contentId, format, targetLanguage }: ContentRef,
  { file, options, cut }: Known,
): Promise<Content> {
  const named = file && {
    fileName: file.name,
    contentType: file.content_type,
    format: format ?? undefined,
    options,
    targetLanguage,
    cut,
  }
  if (file && named) return { ...named, bytes: await readWhole(hub, file) }
  return { fields: await mustFindFields(hub, siteId, jobId, contentId) }
}
