/**
 * `npm start`: on a bare clone installs, builds and starts the sandbox; after that it only starts.
 */
import { buildConsole, isConsoleOld } from './build-console.mjs'
import { areDocsOld, buildDocs } from './build-docs.mjs'
import { buildServer, isServerOld } from './build-server.mjs'
import { compiling, installing, mustHaveNode } from './prepare.mjs'
import { runSteps } from './steps.mjs'

mustHaveNode()
await runSteps([
  installing,
  compiling,
  { does: 'building the console', seconds: 25, isDue: isConsoleOld, run: buildConsole },
  {
    does: 'writing the pages of /docs',
    seconds: 10,
    // The pages load files of the console.
    isDue: () => areDocsOld() || isConsoleOld(),
    run: buildDocs,
  },
  { does: 'bundling the server', seconds: 5, isDue: isServerOld, run: buildServer },
])
// In the same process, so that a signal reaches the hub itself. The profile is sandbox unless
// another one is set.
const { runProcess } = await import('../packages/server/dist/bundle/main.js')
process.exitCode = await runProcess(process.env, 'sandbox')
