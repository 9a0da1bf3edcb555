/**
 * Starts so many hubs, so many at a time, calls and closes each, and waits for the process to end
 * by itself: whatever were left open would hold it. Says how many answered, and what is still open
 * after minutes.
 */
import { startHub } from 'dragoman/testing'

const [count, atOnce] = process.argv.slice(2).map(Number)
let answered = 0
const one = async () => {
  const hub = await startHub()
  await hub.deliveries.listen(['JOB_STATUS_UPDATED'])
  if ((await hub.connect().listProviders()).providers.length > 0) answered += 1
  await hub.close()
}
for (let at = 0; at < count; at += atOnce) await Promise.all(Array.from({ length: atOnce }, one))
const say = (open) => process.stdout.write(JSON.stringify({ answered, open }))
// Comes when nothing holds the process any more: sockets of the client's pool close a moment after
// their server.
process.once('beforeExit', () => say([]))
// Holds nothing itself. Whatever is open for so long is never closed.
setTimeout(() => {
  say(process.getActiveResourcesInfo())
  process.exit(1)
}, 300_000).unref()
