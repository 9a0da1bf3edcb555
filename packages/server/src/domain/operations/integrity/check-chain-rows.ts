/** SQL of the check of chains. No site: `dragoman check` covers all sites. */
import type { ChainName } from '../../../store/chain-links.ts'
import type { Db } from '../../../store/database.ts'

/**
 * A row outside the chain's ends. One statement, so that a row that is just being added or pruned
 * is not reported.
 */
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
      eb.or([
        eb('numbers.number', '>', eb.ref('chains.last')),
        eb('numbers.number', '<=', eb.ref('chains.anchor')),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return found?.number
}
