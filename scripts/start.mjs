/**
 * `npm start`: on a bare clone installs, builds and starts the sandbox; after that it only starts.
 */
import { buildConsole } from './build-console.mjs'
import { buildDocs } from './build-docs.mjs'
import { buildServer } from './build-server.mjs'
import { build, install, mustHaveNode } from './prepare.mjs'

mustHaveNode()
install()
build()
await buildConsole()
await buildDocs()
await buildServer()
// In the same process, so that a signal reaches the hub itself. The profile is sandbox unless
// another one is set.
const { runProcess } = await import('../packages/server/dist/bundle/main.js')
process.exitCode = await runProcess(process.env, 'sandbox')
