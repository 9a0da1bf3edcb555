/** Two hubs on one PostgreSQL and one blob store: a shared folder, or an object store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneMigrated } from '../migrated.ts'
import { usePostgres } from '../postgres.ts'
import type { BlobPlace } from './blob-place.ts'
import { newMasterKey, type SteadyHub, startSteadyHub } from './steady-hub.ts'

export async function withTwoNodes<T>(
  postgresUrl: string,
  place: BlobPlace,
  work: (nodes: readonly [SteadyHub, SteadyHub]) => Promise<T>,
): Promise<T> {
  const postgres = usePostgres(postgresUrl)
  const database = await cloneMigrated()
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-nodes-'))
  const env = {
    DRAGOMAN_BLOBS_URL: `file:${folder}`,
    DRAGOMAN_DATABASE_URL: database,
    DRAGOMAN_MASTER_KEY: newMasterKey(),
    ...place.env,
  }
  const nodes: SteadyHub[] = []
  try {
    const first = await startSteadyHub(env)
    nodes.push(first)
    const second = await startSteadyHub(env)
    nodes.push(second)
    return await work([first, second])
  } finally {
    for (const node of nodes) await node.close()
    await postgres.dropDatabase(database)
    rmSync(folder, { recursive: true, force: true })
  }
}
