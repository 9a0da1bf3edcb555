/**
 * `npm run demo`: the whole round of a translation job, with real calls against its own temporary
 * hub. Checks every response; the first wrong one ends it with a sentence and exit code 1.
 */
import { buildServer, isServerOld } from './build-server.mjs'
import { firstLine, languages } from './demo/content.mjs'
import { showEngine } from './demo/engine.mjs'
import { openHub } from './demo/hub.mjs'
import { openListener } from './demo/listener.mjs'
import { steps } from './demo/round.mjs'
import { bold, openShow } from './demo/show.mjs'
import { compiling, installing, mustHaveNode } from './prepare.mjs'
import { runSteps } from './steps.mjs'

mustHaveNode()
await runSteps([
  installing,
  compiling,
  { does: 'bundling the server', seconds: 5, isDue: isServerOld, run: buildServer },
])

const begun = performance.now()
const show = openShow(steps.length)
const closers = []
let isEnding = false

process.on('SIGINT', () => end(130, 'Stopped by Ctrl-C.'))
process.on('SIGTERM', () => end(143, 'Stopped by SIGTERM.'))

try {
  const seen = { hub: openHub() }
  closers.push(seen.hub.close)
  if (process.argv.includes('--engine')) {
    await showEngine(seen.hub, closers)
    await end(0)
  }
  console.log(bold('A translation job goes round.'))
  seen.listener = await openListener()
  closers.push(seen.listener.close)
  for (const [name, run] of steps) await show.step(name, (progress) => run(seen, progress))
  sum(seen)
  await end(0)
} catch (error) {
  await end(
    1,
    `The demo stopped at "${show.running()}": ${error instanceof Error ? error.message : error}`,
  )
}

function sum({ translations, ledger, listener, job }) {
  const kinds = listener.calls().map((one) => one.eventType)
  const count = (kind) => `${kinds.filter((one) => one === kind).length} ${kind}`
  console.log(`\n${bold('What was seen')}`)
  console.log(
    `  requests        ${translations.length} translated and approved, in ${languages.length} languages`,
  )
  console.log(`  status updates  ${ledger.length} in the ledger, all acknowledged`)
  console.log(
    `  listener        ${kinds.length} calls (${[...new Set(kinds)].map(count).join(', ')}), all signed rightly`,
  )
  console.log(`  job             ${job.statusCode}, ${job.archiveStatus}`)
  for (const one of translations.filter((_, index) => index % languages.length === 0))
    console.log(
      `  ${one.requestName.padEnd(14)}  ${one.targetNativeLanguageCode}: ${firstLine(one.text)}`,
    )
  console.log(
    `All of it was as it should be, in ${((performance.now() - begun) / 1000).toFixed(1)} s.`,
  )
}

/** Always cleans up; only the first call counts. */
async function end(code, said) {
  if (isEnding) return
  isEnding = true
  show.stop()
  if (said) console.error(said)
  for (const close of closers.reverse())
    await close().catch((error) => console.error(`Cleaning up: ${error.message}`))
  process.exit(code)
}
