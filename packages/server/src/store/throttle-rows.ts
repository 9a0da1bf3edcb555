/**
 * The shared part of the throttle: one row per address, holding when its next call would arrive if
 * calls were evenly spaced (GCRA), in microseconds. Counting a call is one statement, so nodes
 * never count a call twice or miss one.
 */
import type { Database, Db } from './database.ts'

export type Take = {
  readonly address: string
  /** The time is in microseconds. */
  readonly now: number
  /** Microseconds between two calls of an even stream. */
  readonly interval: number
  /** How far ahead of `now` the arrival may lie: the burst. */
  readonly window: number
  /** A later arrival was written before the clock was set back. */
  readonly latest: number
}

/** Counts the call if there is room; returns whether there was, and the current arrival time. */
export async function takeShared(
  db: Database,
  take: Take,
): Promise<{ allowed: boolean; arrivesAt: number }> {
  const { address, now, interval, window, latest } = take
  return db.transact(async (tx) => {
    const counted = await tx
      .insertInto('buckets')
      .values({ address, arrives_at: now + interval })
      .onConflict((conflict) =>
        conflict
          .column('address')
          .doUpdateSet((eb) => ({
            arrives_at: eb
              .case()
              .when(
                eb.and([
                  eb('buckets.arrives_at', '>', now),
                  eb('buckets.arrives_at', '<=', latest),
                ]),
              )
              .then(eb('buckets.arrives_at', '+', interval))
              .else(now + interval)
              .end(),
          }))
          .where((eb) =>
            eb.or([
              eb('buckets.arrives_at', '<=', now + window - interval),
              eb('buckets.arrives_at', '>', latest),
            ]),
          ),
      )
      .returning('arrives_at')
      .executeTakeFirst()
    if (counted) return { allowed: true, arrivesAt: counted.arrives_at }
    return { allowed: false, arrivesAt: (await arrivalOf(tx, address)) ?? now }
  })
}

async function arrivalOf(db: Db, address: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('buckets')
    .select('arrives_at')
    .where('address', '=', address)
    .executeTakeFirst()
  return row?.arrives_at
}

/** Addresses with a full burst need no row. */
export async function pruneThrottle(db: Database, now: number): Promise<void> {
  await db.transact((tx) => tx.deleteFrom('buckets').where('arrives_at', '<', now).execute())
}
