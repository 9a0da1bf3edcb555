/**
 * Joins targets with their content: the file or the fields as they would be delivered. Segments
 * without a target keep their source.
 */
import { HubError, type TextParts } from '@dragoman/contract'
import { FormatError, type Part } from '@dragoman/text/formats'
import { fromWire } from '@dragoman/text/placeholders'
import type { Hub } from '../../hub.ts'
import type { Translated } from '../engines/drivers/driver.ts'
import { sourceOf, withContents } from '../jobs/requests/read-segments.ts'
import type { RequestWithFile } from '../jobs/requests/request.ts'
import type { Fields } from '../jobs/requests/source-content.ts'
import { writeSafely } from '../language/worker/run.ts'
import type { DeskSegment } from './desk-segments.ts'

export type Joined = { readonly translated: Translated; readonly contentType?: string | undefined }

export async function joinDesk(
  hub: Hub,
  request: RequestWithFile,
  segments: readonly DeskSegment[],
  targetOf: (segment: DeskSegment) => TextParts | undefined,
): Promise<Joined> {
  const { site_id: siteId, request_id: assetTaskId, target_language: targetLanguage } = request
  const translations = new Map<string, Part[]>()
  for (const segment of segments) {
    const target = targetOf(segment)
    if (target) translations.set(segment.unit, fromWire(segment.tags, target))
  }
  try {
    const joined = await withContents(
      hub,
      [sourceOf(request)],
      async ([content]): Promise<Joined | undefined> => {
        if (!content) return undefined
        if ('fields' in content)
          return { translated: { fields: filled(content.fields, translations) } }
        const { bytes, ...named } = content
        const written = await writeSafely(siteId, named, bytes, { translations, targetLanguage })
        return { translated: { bytes: written }, contentType: content.contentType }
      },
    )
    if (joined) return joined
    throw new HubError('NO_SEGMENTS', {
      assetTaskId,
      because: 'the hub does not read files of its format.',
    })
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new HubError('DELIVERY_INVALID', { assetTaskId, because: error.message })
  }
}

const filled = (
  fields: Readonly<Fields>,
  translations: ReadonlyMap<string, readonly Part[]>,
): Fields =>
  fields.map(({ key, value }) => {
    const parts = translations.get(key)
    return {
      key,
      value: parts
        ? parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join('')
        : value,
    }
  })
