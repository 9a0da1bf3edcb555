/**
 * Uses the packed packages as a stranger does: installs the tarballs into an empty folder and tries
 * each way in, with the Node that runs this script. `node scripts/try-packages.mjs FOLDER
 * TARBALL...` prints one line for each thing that works, and fails at the first that does not.
 * Dependencies come from the registry that npm is configured with, from npm's cache where they are
 * in it.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

const [folder, ...tarballs] = process.argv.slice(2)
const run = promisify(execFile)
/** Commands that npm and its links start run on this Node too. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` }
const node = (...args) =>
  run(process.execPath, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })

/** A connector that sends a page and reads its translation. */
const connector = `import { connect, sourceOf } from '@dragoman/sdk'
import { keptInFolder } from '@dragoman/sdk/node'

const credentials = { clientId: 'demo-connector', clientSecret: 'demo-connector-secret' }
const hub = connect({ url: process.argv[2], ...credentials, kept: keptInFolder('kept') })
const items = [{ name: 'home.html', file: sourceOf('home.html', '<p>Welcome</p>') }]
const job = await hub.push({ jobName: 'Home', source: 'en-US', targets: ['de-DE'], provider: 'Pseudo', items })
const { ready } = await hub.wait(job.jobId)
console.log(\`the SDK got \${(await (await hub.download(ready[0])).text()).trim()}\`)
`

const tries = [
  ['npm install', install],
  ['npx dragoman --version', version],
  ['dragoman serve', serve],
  ['dragoman/testing', testing],
]
for (const [name, attempt] of tries) console.log(`${name}: ${await attempt()}`)

async function install() {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const options = ['--no-audit', '--no-fund', '--loglevel=error']
  const installBy = (source) => node(npm('npm'), 'install', source, ...options, ...tarballs)
  // What npm remembers of the registry may be older than a package that needs something newer.
  await installBy('--prefer-offline').catch(() => installBy('--prefer-online'))
  return `ok on Node ${process.versions.node}`
}

/** The program of npm, found by its name on the path, so that it runs on this Node. */
function npm(name) {
  const found = process.env.PATH.split(delimiter).flatMap((path) => {
    try {
      return [realpathSync(join(path, name))]
    } catch {
      return []
    }
  })
  const cli = found.find((path) => path.endsWith(`${name}-cli.js`))
  if (!cli) throw new Error(`${name} is not on the path`)
  return cli
}

async function version() {
  const { stdout } = await node(npm('npx'), '--no-install', 'dragoman', '--version')
  return stdout.trim()
}

/** The hub, its console with a file of it, the API reference, and a connector against it. */
async function serve() {
  const settings = {
    DRAGOMAN_PROFILE: 'sandbox',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: join(folder, 'data'),
  }
  const program = join(folder, 'node_modules/.bin/dragoman')
  const hub = spawn(process.execPath, [program, 'serve'], {
    cwd: folder,
    env: { ...env, ...settings },
  })
  const ended = new Promise((resolve) => hub.once('exit', (code) => resolve(code)))
  let log = ''
  hub.stderr.on('data', (more) => {
    log += more
  })
  try {
    const url = await Promise.race([
      addressOf(hub),
      ended.then((code) => Promise.reject(new Error(`exit ${code}\n${log}`))),
    ])
    const page = await answerOf(`${url}/`, 'text/html')
    const [asset] = /\/console\/assets\/[\w.-]+\.js/.exec(page) ?? []
    if (!asset) throw new Error(`The page of the console loads no script:\n${page.slice(0, 500)}`)
    await answerOf(`${url}/healthz`)
    await answerOf(url + asset)
    await answerOf(`${url}/docs`, 'text/html')
    await answerOf(`${url}/openapi.json`)
    writeFileSync(join(folder, 'connector.js'), connector)
    const { stdout } = await node('connector.js', url)
    hub.kill('SIGTERM')
    const code = await ended
    if (code !== 0) throw new Error(`The hub ended with ${code}\n${log}`)
    return `console, /docs and /healthz answer; ${stdout.trim()}`
  } finally {
    hub.kill('SIGKILL')
  }
}

async function addressOf(hub) {
  for await (const line of createInterface({ input: hub.stdout })) {
    const [, url] = /^Dragoman is ready at (\S+)/.exec(line) ?? []
    if (url) return url
  }
  throw new Error('The hub did not say that it is ready')
}

/** As a browser that goes to a page, or as a program. */
async function answerOf(url, accept = '*/*') {
  const [answer] = await once(get(url, { headers: { accept } }), 'response')
  if (answer.statusCode !== 200) throw new Error(`${url} answers ${answer.statusCode}`)
  return text(answer)
}

async function testing() {
  writeFileSync(
    join(folder, 'hub.test.js'),
    `import test from 'node:test'
import { startHub } from 'dragoman/testing'

test('a job is created', async (t) => {
  const hub = await startHub()
  t.after(() => hub.close())
  const job = await hub.connect().createJob({ body: { jobName: 'First' } })
  if (job.statusCode !== 'CREATED') throw new Error(job.statusCode)
})
`,
  )
  const { stdout } = await node('--test', '--test-reporter=tap', 'hub.test.js')
  if (!/^# pass 1$/m.test(stdout)) throw new Error(stdout)
  return 'a hub starts inside a test'
}
