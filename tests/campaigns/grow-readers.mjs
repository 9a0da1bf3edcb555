/**
 * A process that measures its share of the readers (see scanner-growth.ts) and writes what it found
 * as one line of JSON.
 */
import { join } from 'node:path'
import { runnerImport } from 'vite'

const resolve = { conditions: ['source'] }
const { module } = await runnerImport(join(import.meta.dirname, 'scanner-growth.ts'), {
  configFile: false,
  logLevel: 'error',
  resolve,
  ssr: { resolve },
})
console.log(JSON.stringify(await module.growScanners(JSON.parse(process.argv[2]))))
