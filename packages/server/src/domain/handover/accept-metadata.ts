/**
 * What a provider demands of extendedMetadata, held against that of a job and of all its requests
 * when the job is submitted.
 */
import type { Db } from '../../store/database.ts'
import type { JobRow, ProviderRow } from '../../store/tables.ts'
import { mustAcceptMetadata, mustAcceptRequestMetadata } from '../engines/providers.ts'
import { readGivenMetadata } from '../jobs/requests/requests-of-job.ts'

/** Each may be large, so that only some are in memory at a time. */
const atOnce = 50

export async function mustAcceptAllMetadata(
  tx: Db,
  { site_id, job_id, extended_metadata }: JobRow,
  provider: ProviderRow,
): Promise<void> {
  if (!provider.metadata_schema) return
  mustAcceptMetadata(provider, extended_metadata ? JSON.parse(extended_metadata) : {})
  // The requests of one content have the same metadata in each language.
  let known = ''
  for (let after = 0; ; ) {
    const some = await readGivenMetadata(tx, site_id, job_id, { after, limit: atOnce })
    for (const { request_id: requestId, extended_metadata: text } of some) {
      if (text === null || text === known) continue
      mustAcceptRequestMetadata(provider, requestId, text)
      known = text
    }
    const last = some.at(-1)
    if (!last || some.length < atOnce) return
    after = last.position
  }
}
