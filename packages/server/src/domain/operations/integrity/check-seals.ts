/**
 * Checks that every key can be opened, and with it every sealed content and note in a row. Files
 * have their own check.
 */
import type { Hub } from '../../../hub.ts'
import { valuesOf } from '../../../store/every-row.ts'
import { findContentKey } from '../../files/seals/content-keys.ts'
import { noteColumns } from '../../files/seals/notes.ts'
import { openFields, sealPrefix } from '../../jobs/requests/sealed-contents.ts'
import { type CheckRun, type Fault, fault } from './check-run.ts'
import * as rows from './check-seal-rows.ts'

export async function findBadKeys(hub: Hub): Promise<Fault[]> {
  const found: Fault[] = []
  for await (const { key_of, site_id, job_id } of rows.contentKeys(hub.db.read)) {
    const says = await whyNot(() => findContentKey(hub, hub.db.read, site_id, key_of))
    if (says)
      found.push(
        fault(
          site_id,
          `key of ${key_of === job_id ? 'job' : 'blob'} ${key_of}`,
          `${says} (job ${job_id})`,
        ),
      )
  }
  return found
}

export async function findBadContents(hub: Hub, { fast }: CheckRun): Promise<Fault[]> {
  const found: Fault[] = []
  if (fast) return found
  for await (const row of rows.sealedContents(hub.db.read, sealPrefix)) {
    const { site_id, job_id, content_id } = row
    const says = await whyNot(() => openFields(hub, site_id, job_id, row))
    if (says && (await rows.hasJob(hub.db.read, site_id, job_id)))
      found.push(fault(site_id, `source content ${content_id}`, `${says} (job ${job_id})`))
  }
  return found
}

export async function findBadNotes({ db, vault }: Hub, { fast }: CheckRun): Promise<Fault[]> {
  const found: Fault[] = []
  for (const place of fast ? [] : noteColumns)
    for await (const { key, value, siteId = '' } of valuesOf(db.read, place, true))
      try {
        vault.open('note', value)
      } catch {
        found.push(
          fault(
            siteId,
            `${place.table} ${key.join(' ')}`,
            `The seal of ${place.column} does not open.`,
          ),
        )
      }
  return found
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const whyNot = (act: () => Promise<unknown>): Promise<string | undefined> =>
  act().then(
    () => undefined,
    (error: unknown) => sentence(error instanceof Error ? error.message : String(error)),
  )
