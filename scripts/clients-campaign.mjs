/**
 * `npm run try-clients`: makes clients from openapi.json with openapi-generator and drives each through a whole round against a sandbox.
 * The generator is the one whose program npm carries (4.3.1; later versions fetch it elsewhere), so it reads the document as OpenAPI 3.0. It
 * needs Java, PHP with Guzzle (Debian: php-guzzlehttp-guzzle php-curl) and Python with urllib3 (python3-urllib3 python3-six
 * python3-dateutil python3-certifi).
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startHub } from '../packages/cli/dist/testing/index.js'
import { root } from './prepare.mjs'

const generator = '@openapitools/openapi-generator-cli@1.0.18-4.3.1'
const clients = {
  python: (out, url) =>
    run('/usr/bin/python3', [join(root, 'tests/clients/round.py'), url], { env: { ...process.env, PYTHONPATH: out } }),
  php: (out, url) => run('php', [join(root, 'tests/clients/round.php'), url, join(out, 'lib')]),
}
const expected = `created CREATED
added 2
updates ['REVIEW_TRANSLATION']
translated home True
completed COMPLETED
refused 404 JOB_NOT_FOUND
`

const place = mkdtempSync(join(tmpdir(), 'dragoman-clients-'))
const hub = await startHub()
try {
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  await run('npm', ['install', '--prefix', place, ...options, generator])
  const jar = join(place, 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar')
  const document = join(place, 'openapi-3.0.json')
  writeFileSync(document, await run(process.execPath, [join(root, 'scripts/openapi-3.0.mjs')]))
  for (const [name, round] of Object.entries(clients)) {
    const out = join(place, name)
    const log = await run('java', ['-jar', jar, 'generate', '-i', document, '-g', name, '-o', out])
    if (/UNKNOWN_BASE_TYPE|InlineResponse|inline_response/.test(log))
      throw new Error(`${name}: something has no name\n${log}`)
    await hub.reset()
    const said = await round(out, hub.url)
    if (said !== expected) throw new Error(`${name} said:\n${said}`)
    console.log(`${name}: a whole round`)
  }
} finally {
  await hub.close()
  rmSync(place, { recursive: true, force: true })
}

/** Not synchronous: the hub answers from this process. */
async function run(command, args, more = {}) {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 64 * 1024 * 1024, ...more })
  return stdout
}
