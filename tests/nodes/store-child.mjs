/**
 * A process of its own on a database, for database.test.ts: it says on one line how far it came, and
 * is killed or ends.
 */

import { migrate } from '../../packages/server/dist/store/migrate.js'
import { migrations } from '../../packages/server/dist/store/migrations/index.js'
import { openDatabase } from '../../packages/server/dist/store/open-database.js'

const [what, url, now] = process.argv.slice(2)
const say = (word) => process.stdout.write(`${word}\n`)
const forever = () => new Promise(() => setInterval(() => {}, 1_000_000))

const acts = {
  /** Brings the schema up to date and ends. */
  migrate: async () => {
    const db = await openDatabase(url)
    say(await migrate(db, Number(now)))
    await db.close()
  },
  /** Stops in the middle of a migration that has done half of its work. */
  halfway: async () => {
    const db = await openDatabase(url)
    const up = async (db) => {
      await db.schema.createTable('half_made').addColumn('a', 'integer').execute()
      say('halfway')
      await forever()
    }
    await migrate(db, Number(now), [...migrations, { name: 'half', breaking: false, up }])
  },
  /** Is the hub on the file until it is killed: nothing else refers to it, and what nobody uses ends. */
  hold: async () => {
    const db = await openDatabase(url, { exclusive: true })
    say('held')
    await forever()
    await db.close()
  },
}

await acts[what]()
