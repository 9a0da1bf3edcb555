/**
 * Writes every committed generated file, from the built packages. With --check it writes nothing
 * and fails if a file is out of date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { faultsPage } from '../packages/certify/dist/scenarios.js'
import { callTablePage, formTablePage } from '../packages/contract/dist/call-table-page.js'
import {
  checksPage,
  errorsPage,
  findingsPage,
  formatsPage,
  limitsPage,
  openapi,
  statesPage,
} from '../packages/docs/dist/reference/index.js'
import { configPage } from '../packages/server/dist/config/config.js'
import { enginesPage } from '../packages/server/dist/domain/engines/drivers/engines-page.js'
import { root } from './prepare.mjs'
import { allQueries } from './queries.mjs'
import { sbomPage } from './sbom.mjs'
import { templatesPage } from './templates.mjs'

const pages = {
  'openapi.json': () => `${JSON.stringify(openapi(), null, 2)}\n`,
  'packages/contract/src/call-table.ts': callTablePage,
  'packages/console/src/form-table.ts': formTablePage,
  'packages/cli/src/init/templates.ts': templatesPage,
  'docs/checks.md': checksPage,
  'docs/errors.md': errorsPage,
  'docs/findings.md': findingsPage,
  'docs/states.md': statesPage,
  'docs/limits.md': limitsPage,
  'docs/formats.md': formatsPage,
  'docs/config.md': configPage,
  'docs/engines.md': enginesPage,
  'docs/faults-on-demand.md': faultsPage,
  'deploy/sbom.json': sbomPage,
}

const isCheck = process.argv.includes('--check')
const troubles = []
for (const [path, make] of Object.entries(pages)) {
  try {
    const text = await make()
    if (isCheck) {
      if (read(path) !== text) troubles.push(`${path} is not up to date. Run: npm run generate`)
    } else if (read(path) !== text) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
      console.log(`${path} was written`)
    }
  } catch (error) {
    troubles.push(`${path}: ${error.message}`)
  }
}
// Made for its checks alone: each statement compiles for both databases, and is tied to a site or
// says why not.
await allQueries().catch((error) => troubles.push(error.message))
for (const trouble of troubles) console.error(trouble)
if (troubles.length > 0) process.exitCode = 1
else if (isCheck) console.log(`${Object.keys(pages).length} generated files are up to date.`)

function read(path) {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return undefined
  }
}
