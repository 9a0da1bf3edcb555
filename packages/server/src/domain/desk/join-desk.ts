/**
 * Joins targets with their content: the file or the fields as they would be delivered. Segments
 * without a target keep their source.
 */
import { HubError } from '@dragoman/contract'
import { FormatError } from '@dragoman/text/formats'
import { fromWire } from '@dragoman/text/placeholders'
import type { Hub } from '../../hub.ts'
import type { Translated } from '../engines/drivers/driver.ts'
import { sourceOf, withContents } from '../jobs/requests/read-segments.ts'
import type { RequestWithFile } from '../jobs/requests/request.ts'
import type { Fields } from '../jobs/requests/source-content.ts'
import { eachPage, type Pages } from '../language/worker/pages.ts'
import { runSafely } from '../language/worker/run.ts'
import type { Joining } from './join-file.ts'

const module = new URL('./join-file.ts', import.meta.url)

export type Joined = { readonly translated: Translated; readonly contentType?: string | undefined }

/** `targets`: pages of `Joining`, which are gone afterwards. */
export async function joinDesk(
  hub: Hub,
  request: RequestWithFile,
  targets: Pages,
): Promise<Joined> {
  const { site_id: siteId, request_id: assetTaskId, target_language: targetLanguage } = request
  try {
    const joined = await withContents(
      hub,
      [sourceOf(request)],
      async ([content]): Promise<Joined | undefined> => {
        if (!content) return undefined
        if ('fields' in content)
          return { translated: { fields: await filled(content.fields, targets) } }
        const { bytes, ...named } = content
        const written = await runSafely<Uint8Array>(
          module,
          'joinFile',
          [named, bytes, targets, targetLanguage],
          { siteId, moves: [targets] },
        )
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

async function filled(fields: Readonly<Fields>, targets: Pages): Promise<Fields> {
  const values = new Map<string, string>()
  for await (const some of eachPage<Joining>(targets))
    for (const { unit, tags, target } of some)
      values.set(
        unit,
        fromWire(tags, target)
          .map((part) => (part.type === 'text' ? part.text : part.raw))
          .join(''),
      )
  return fields.map(({ key, value }) => ({ key, value: values.get(key) ?? value }))
}
