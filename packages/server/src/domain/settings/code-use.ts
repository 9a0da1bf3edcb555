/** How many jobs use each analysis code: submitted jobs by its id, others by its text. */
import type { CodeUse } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import { selectByKeys, selectUse } from './code-rows.ts'

export async function countCodeUse(hub: Hub, { caller: { siteId } }: Call): Promise<CodeUse> {
  const used = await selectUse(hub.db.read, siteId)
  const open = used.filter(({ code_id }) => code_id === null)
  const keys = open.map(({ level, code_key }) => ({ level, key: code_key }))
  const named = new Map<string, string>()
  for (let at = 0; at < keys.length; at += 200)
    for (const row of await selectByKeys(hub.db.read, siteId, keys.slice(at, at + 200)))
      named.set(`${row.level} ${row.code_key}`, row.code_id)
  const jobs = new Map<string, number>()
  for (const { code_id, level, code_key, jobs: count } of used) {
    const id = code_id ?? named.get(`${level} ${code_key}`)
    if (id !== undefined) jobs.set(id, (jobs.get(id) ?? 0) + Number(count))
  }
  return { codes: [...jobs].map(([id, count]) => ({ id, jobs: count })) }
}
