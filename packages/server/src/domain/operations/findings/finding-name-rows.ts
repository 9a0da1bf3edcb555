/**
 * The names of what findings are about, for people: of jobs and providers their names, of listeners
 * their URLs.
 */
import type { Finding } from '@dragoman/contract'
import type { Db } from '../../../store/database.ts'

type Named = { readonly id: string; readonly name: string | null }

const readers: Readonly<Record<string, (db: Db, ids: string[]) => Promise<Named[]>>> = {
  jobId: (db, ids) =>
    db
      .selectFrom('jobs')
      .select(['job_id as id', 'job_name as name'])
      .where('job_id', 'in', ids)
      .execute(),
  providerId: (db, ids) =>
    db
      .selectFrom('providers')
      .select(['provider_id as id', 'name'])
      .where('provider_id', 'in', ids)
      .execute(),
  listenerId: (db, ids) =>
    db
      .selectFrom('listeners')
      .select(({ fn, ref }) => [
        'listener_id as id',
        fn.coalesce(ref('job_uri'), ref('request_uri')).as('name'),
      ])
      .where('listener_id', 'in', ids)
      .execute(),
}

/**
 * One read for each kind of thing, however many findings the page has. No site: the ids are those
 * of findings that the caller sees.
 */
export async function withNames(db: Db, findings: readonly Finding[]): Promise<Finding[]> {
  const known = new Map<string, string>()
  for (const [key, read] of Object.entries(readers)) {
    const ids = new Set(
      findings.flatMap(({ facts }) => (facts[key] === undefined ? [] : [String(facts[key])])),
    )
    if (ids.size === 0) continue
    for (const { id, name } of await read(db, [...ids])) if (name) known.set(`${key} ${id}`, name)
  }
  return findings.map((finding) => {
    const named = Object.entries(finding.facts).flatMap(([key, id]) => {
      const name = known.get(`${key} ${id}`)
      return name === undefined ? [] : [[key, name] as const]
    })
    return named.length === 0 ? finding : { ...finding, names: Object.fromEntries(named) }
  })
}
