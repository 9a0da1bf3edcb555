/**
 * A translated file of a package in its own format, judged as a delivered file is, and refused by
 * every check that blocks.
 */
import { createHash } from 'node:crypto'
import type { CheckSettings } from '@dragoman/contract'
import { bounded } from '@dragoman/text/formats'
import type { Hub } from '../../../hub.ts'
import { mustBeStored } from '../../files/serve.ts'
import { storeTranslation } from '../../handover/deliver-batch.ts'
import { judgeGiven } from '../../handover/judge-delivery.ts'
import type { WholeRequest } from '../../jobs/requests/request.ts'
import { mustFindFields } from '../../jobs/requests/sealed-contents.ts'
import { checkSettingsOf } from '../../language/checks/check-settings.ts'
import type { Outcome } from './prepare-xliff.ts'

/** A comparison tells of these; in a package they are refused as well. */
const always: CheckSettings = { 'tags.missing': 'BLOCKING', 'tags.extra': 'BLOCKING' }

/** A file that can be read more than once, and is whole in memory only where it must be. */
type Incoming = { readonly size: number; read(): AsyncIterable<Uint8Array> }

export async function prepareOriginal(
  hub: Hub,
  request: WholeRequest,
  file: Incoming,
): Promise<Outcome> {
  const { site_id: siteId } = request
  // Also finds out whether it can be unpacked.
  const sha256 = await sumOf(file)
  if (request.file_id !== null && (await isKnown(hub, request, sha256))) return 'unchanged'
  const severities = { ...always, ...(await checkSettingsOf(hub.db.read, siteId)) }
  const { invalid, warnings, checks, fields } = await judgeGiven(
    hub,
    request,
    { size: file.size, read: () => wholeOf(file) },
    severities,
  )
  if (invalid !== undefined) return { problems: [{ problem: invalid }] }
  if (fields && (await areKnown(hub, request, fields))) return 'unchanged'
  const blocking = checks.filter(({ severity }) => severity === 'BLOCKING')
  if (blocking.length > 0) return { problems: blocking.map(({ says }) => ({ problem: says })) }
  const said = bounded([...warnings, ...checks.map(({ says }) => says)])
  return {
    characters: fields ? file.size : 0,
    store: async () => {
      const stored = await storeTranslation(
        hub,
        request,
        fields ? { fields } : { bytes: file.read() },
        await typeOf(hub, request),
      )
      return { request, stored, warnings: said.length > 0 ? JSON.stringify(said) : null }
    },
  }
}

/** What was delivered and not rejected counts as much as the source. */
const isOver = ({ status }: WholeRequest): boolean =>
  status === 'REVIEW_TRANSLATION' || status === 'TRANSLATION_APPROVED'

async function sumOf(file: Incoming): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of file.read()) hash.update(chunk)
  return hash.digest('hex')
}

async function wholeOf(file: Incoming): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of file.read()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function isKnown(hub: Hub, request: WholeRequest, sha256: string): Promise<boolean> {
  const { site_id, job_id, file_id, translation_file_id } = request
  for (const fileId of [file_id, isOver(request) ? translation_file_id : null])
    if (fileId !== null && (await mustBeStored(hub, site_id, job_id, fileId)).sha256 === sha256)
      return true
  return false
}

async function areKnown(
  hub: Hub,
  request: WholeRequest,
  fields: readonly unknown[],
): Promise<boolean> {
  const { site_id, job_id, content_id, translation_content_id } = request
  for (const contentId of [content_id, isOver(request) ? translation_content_id : null]) {
    const known =
      contentId === null ? undefined : await mustFindFields(hub, site_id, job_id, contentId)
    if (known && JSON.stringify(known) === JSON.stringify(fields)) return true
  }
  return false
}

async function typeOf(
  hub: Hub,
  { site_id, job_id, file_id }: WholeRequest,
): Promise<string | undefined> {
  return file_id === null
    ? undefined
    : (await mustBeStored(hub, site_id, job_id, file_id)).content_type
}
