/**
 * Starts so many hubs, so many at a time, calls and closes each, and waits for the process to end by itself: whatever were
 * left open would hold it. Says how many answered, and what was open a moment after the last one.
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
const closed = performance.now()
// Sockets of the client's pool close a moment after their server.
setTimeout(() => {
  const open = process.getActiveResourcesInfo().filter((name) => !['TTYWrap', 'PipeWrap'].includes(name))
  // This very timer.
  open.splice(open.indexOf('Timeout'), 1)
  process.once('exit', () => {
    process.stdout.write(JSON.stringify({ answered, open, seconds: Math.round((performance.now() - closed) / 1_000) }))
  })
}, 200)
