/** SQL of the check of chains. No site: `dragoman check` covers all sites. */
import type { ChainName } from '../../store/chain-links.ts'
import type { Db } from '../../store/engine.ts'

export type ChainedRow = { readonly number: number; readonly hash: string; readonly row: object }

/** Rows of the chain in order. */
export async function rowsAfter(db: Db, name: ChainName, after: number, many: number): Promise<ChainedRow[]> {
  if (name === 'calls') {
    const query = db.selectFrom('calls').selectAll().where('call_id', '>', after).orderBy('call_id').limit(many)
    return (await query.execute()).map((row) => ({ number: row.call_id, hash: row.hash, row }))
  }
  const query = db.selectFrom('audit').selectAll().where('audit_id', '>', after).orderBy('audit_id').limit(many)
  return (await query.execute()).map((row) => ({ number: row.audit_id, hash: row.hash, row }))
}

/** A row outside the chain's ends. One statement, so that a row that is just being added or pruned is not reported. */
export async function strayRow(db: Db, name: ChainName): Promise<number | undefined> {
  const numbers =
    name === 'calls'
      ? db.selectFrom('calls').select('call_id as number').as('numbers')
      : db.selectFrom('audit').select('audit_id as number').as('numbers')
  const found = await db
    .selectFrom('chains')
    .innerJoin(numbers, (join) => join.onTrue())
    .select('numbers.number')
    .where('chains.name', '=', name)
    .where((eb) =>
      eb.or([eb('numbers.number', '>', eb.ref('chains.last')), eb('numbers.number', '<=', eb.ref('chains.anchor'))]),
    )
    .limit(1)
    .executeTakeFirst()
  return found?.number
}
