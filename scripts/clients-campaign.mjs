/**
 * `npm run try-clients`: drives clients through whole rounds against a sandbox: those that
 * openapi-generator, orval and hey-api make from openapi.json, openapi-fetch, and tus-js-client in
 * the ways that need more than one PATCH. The official clients of MCP, 1 and 2, sign in by
 * themselves. openapi-generator is the one whose program npm carries
 * (4.3.1; later versions fetch it elsewhere), so it reads the document as OpenAPI 3.0. The importer
 * of Postman makes a collection whose first job newman sends as it is, and a round goes through the
 * validating proxy Prism. It needs
 * Java with its compiler and Jackson (Debian: default-jdk-headless libjackson2-databind-java), Go
 * (golang-go golang-golang-x-oauth2-dev), PHP with Guzzle (php-guzzlehttp-guzzle php-curl) and
 * Python with urllib3 (python3-urllib3 python3-six python3-dateutil python3-certifi).
 */
import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startHub } from '../packages/cli/dist/testing/index.js'
import { root } from './prepare.mjs'

const generator = '@openapitools/openapi-generator-cli@1.0.18-4.3.1'
/** A program that runs for seconds is done sooner without the optimising compiler. */
const startsSoon = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
const clients = {
  python: (out, url) =>
    run('/usr/bin/python3', [join(root, 'tests/clients/round.py'), url], {
      env: { ...process.env, PYTHONPATH: out },
    }),
  php: (out, url) => run('php', [join(root, 'tests/clients/round.php'), url, join(out, 'lib')]),
}
/**
 * Clients in languages with types: what the generator is asked beside its language, and how the
 * client is compiled. Choices of several forms, such as labels, are `interface{}` in Go, and two
 * enumerations may have a value of the same name.
 */
const typed = {
  go: {
    asked: ['-p', 'enumClassPrefix=true', '--type-mappings', 'object=interface{}'],
    round: roundInGo,
  },
  java: { asked: ['--library', 'native'], round: roundInJava },
  'typescript-fetch': { asked: ['-p', 'typescriptThreePlus=true'], round: roundInTypeScript },
}
/** Versions that run on Node 20. */
const packages = [
  'orval@7.13.2',
  'axios@1',
  '@hey-api/openapi-ts@0.80.18',
  'openapi-fetch@0.17.0',
  'tus-js-client@4.3.1',
  'esbuild@0.28.2',
  '@modelcontextprotocol/sdk@1.32.2',
  '@modelcontextprotocol/client@2.4.0',
  'openapi-to-postmanv2@6.3.3',
  'newman@6.2.2',
  '@stoplight/prism-cli@5.14.2',
  'typescript@5.9.3',
]
/** The clients in JavaScript: how each is made, and the rounds that it makes. */
const scripted = {
  orval: { make: makeOrval },
  'hey-api': { make: makeHeyApi },
  'openapi-fetch': { ways: ['form', 'parallel', 'deferred', 'override'] },
}
const assistants = {
  'mcp.mjs': '@modelcontextprotocol/sdk 1',
  'mcp2.mjs': '@modelcontextprotocol/client 2',
}
const waysSay = {
  form: 'openapi-fetch',
  parallel: 'tus-js-client with parallelUploads: 4',
  deferred: 'tus-js-client with a deferred length',
  override: 'TUS with an empty Upload-Metadata and X-HTTP-Method-Override',
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
  const options = [
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--ignore-scripts',
  ]
  await run('npm', ['install', '--prefix', place, ...options, generator])
  const jar = join(
    place,
    'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar',
  )
  const document = join(place, 'openapi-3.0.json')
  writeFileSync(document, await run(process.execPath, [join(root, 'scripts/openapi-3.0.mjs')]))
  for (const [name, round] of Object.entries(clients)) {
    const out = join(place, name)
    const asked = ['generate', '-i', document, '-g', name, '-o', out]
    const log = await run('java', [...startsSoon, '-jar', jar, ...asked])
    if (/UNKNOWN_BASE_TYPE|InlineResponse|inline_response/.test(log))
      throw new Error(`${name}: something has no name\n${log}`)
    await hub.reset()
    mustBeExpected(name, await round(out, hub.url))
  }
  await run('npm', ['install', '--prefix', place, ...options, ...packages])
  // Beside the installed packages, so that a round and its client load the same ones.
  cpSync(join(root, 'tests/clients'), join(place, 'rounds'), { recursive: true })
  await run('npm', ['install', '--prefix', place, ...options, ...packages])
  // Beside the installed packages, so that a round and its client load the same ones.
  cpSync(join(root, 'tests/clients'), join(place, 'rounds'), { recursive: true })
  for (const [name, { asked, round }] of Object.entries(typed)) {
    const out = join(place, name)
    await run('java', [
      ...[...startsSoon, '-jar', jar, 'generate', '-i', document, '-g', name, '-o', out],
      ...asked,
    ])
    await hub.reset()
    mustBeExpected(name, await round(out, hub.url))
  }
  for (const [name, { make, ways = [undefined] }] of Object.entries(scripted)) {
    const program = join(place, `${name}.mjs`)
    const generated = make && (await make(join(place, `${name}-client`)))
    await bundle(join(place, `rounds/${name}.mjs`), program, generated)
    for (const way of ways) {
      await hub.reset()
      const said = await run(process.execPath, [program, hub.url, ...(way ? [way] : [])])
      if (said !== expected) throw new Error(`${name} ${way ?? ''} said:\n${said}`)
      console.log(`${way ? waysSay[way] : name}: a whole round`)
    }
  }
  for (const [program, name] of Object.entries(assistants))
    for (const clientId of ['demo-connector', 'demo-admin']) {
      const said = await run(process.execPath, [join(place, 'rounds', program), hub.url, clientId])
      if (said !== 'listJobs is there\n') throw new Error(`${name} as ${clientId} said:\n${said}`)
      console.log(`${name} signs in as ${clientId}`)
    }
  await hub.reset()
  const sent = await run(process.execPath, [join(place, 'rounds/postman.mjs'), hub.url])
  if (sent !== '201\n') throw new Error(`the collection of Postman said:\n${sent}`)
  console.log('Postman: the first job as it comes')
  await goThroughPrism()
  await moveToFront(['form', 'parallel'])
} finally {
  await hub.close()
  rmSync(place, { recursive: true, force: true })
}

function mustBeExpected(name, said) {
  if (said !== expected) throw new Error(`${name} said:\n${said}`)
  console.log(`${name}: a whole round`)
}

/** In a GOPATH with what Debian has: no module is fetched. */
async function roundInGo(out, url) {
  const path = join(place, 'gopath')
  const source = (name) => join(path, 'src', name)
  for (const name of ['github.com/antihax/optional', 'dragoman', 'round'])
    mkdirSync(source(name), { recursive: true })
  const clients = join(root, 'tests/clients/go')
  cpSync(join(clients, 'optional.go'), join(source('github.com/antihax/optional'), 'optional.go'))
  cpSync(join(clients, 'round.go'), join(source('round'), 'main.go'))
  for (const file of readdirSync(out).filter((name) => name.endsWith('.go')))
    cpSync(join(out, file), join(source('dragoman'), file))
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: `${path}:/usr/share/gocode`,
    GOCACHE: join(place, 'gocache'),
  }
  const program = join(place, 'round-in-go')
  await run('go', ['build', '-o', program, 'round'], { env })
  return run(program, [url])
}

async function roundInJava(out, url) {
  const classes = join(place, 'classes')
  const jars = ['core', 'annotations', 'databind'].map(
    (name) => `/usr/share/java/jackson-${name}.jar`,
  )
  const sources = [join(out, 'src/main/java'), join(root, 'tests/clients/java')].flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith('.java'))
      .map((name) => join(folder, name)),
  )
  const list = join(place, 'sources.txt')
  writeFileSync(list, sources.join('\n'))
  await run('javac', ['-nowarn', '-d', classes, '-cp', jars.join(':'), `@${list}`])
  return run('java', [...startsSoon, '-cp', [classes, ...jars].join(':'), 'Round', url])
}

/** Held against its types, then run. */
async function roundInTypeScript(out, url) {
  const settings = join(place, 'tsconfig.json')
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', types: [] },
    ...{ moduleResolution: 'bundler', lib: ['es2022', 'dom'] },
  }
  writeFileSync(settings, JSON.stringify({ compilerOptions, include: [out] }))
  await runPackage('tsc', ['-p', settings])
  const program = join(place, 'typescript-fetch.mjs')
  await bundle(join(place, 'rounds/typescript-fetch.mjs'), program, out)
  return run(process.execPath, [program, url])
}

/** Prism answers what the document does not say with an error of its own. */
async function goThroughPrism() {
  await hub.reset()
  const served = join(place, 'served.json')
  writeFileSync(served, await (await fetch(`${hub.url}/openapi.json`)).text())
  const port = await freePort()
  const asked = ['proxy', served, hub.url, '--errors', '-p', String(port)]
  const prism = spawn(join(place, 'node_modules/.bin/prism'), asked, { stdio: 'pipe' })
  try {
    await new Promise((resolve, reject) => {
      prism.once('exit', () => reject(new Error('Prism did not start')))
      prism.stdout.on('data', (text) => String(text).includes('is listening') && resolve())
    })
    const program = [join(place, 'openapi-fetch.mjs'), `http://127.0.0.1:${port}`, 'form']
    const env = { ...process.env, SANDBOX_URL: hub.url }
    mustBeExpected('openapi-fetch through Prism', await run(process.execPath, program, { env }))
  } finally {
    prism.kill()
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** The same programs with another URL: that of a hub in front of the one they used. */
async function moveToFront(ways) {
  const front = await startHub()
  try {
    for (const way of ways) {
      await hub.reset()
      await front.reset()
      const { id: own } = await providerOf(front, 'Pseudo')
      const { id: providerId } = await providerOf(hub, 'Pseudo')
      const config = {
        url: hub.url,
        clientId: 'demo-connector',
        clientSecret: 'demo-connector-secret',
        providerId,
      }
      await ask(front, 'PATCH', `/providers/${own}`, { name: 'Own', status: 'DISABLED' })
      await ask(front, 'POST', '/providers', { name: 'Pseudo', typeId: 'upstream', config })
      const said = await run(process.execPath, [join(place, 'openapi-fetch.mjs'), front.url, way])
      if (said !== expected) throw new Error(`${waysSay[way]} at the front hub said:\n${said}`)
      console.log(
        `${waysSay[way]}: a whole round through a hub in front, with another URL and nothing else`,
      )
    }
  } finally {
    await front.close()
  }
}

async function providerOf(at, name) {
  return (await ask(at, 'GET', '/providers')).providers.find((one) => one.name === name)
}

async function ask(at, method, path, body) {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'demo-admin' })
  form.set('client_secret', 'demo-admin-secret')
  const token = await (
    await fetch(`${at.url}/connect/token`, { method: 'POST', body: form })
  ).json()
  const headers = {
    authorization: `Bearer ${token.access_token}`,
    'content-type': 'application/json',
  }
  const answer = await fetch(`${at.url}/v2${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** A program of the package that is installed in `place`. */
function runPackage(name, args) {
  return run(join(place, 'node_modules/.bin', name), args, { cwd: place })
}

async function makeOrval(out) {
  const config = join(place, 'orval.config.cjs')
  const output = { target: join(out, 'index.ts'), client: 'axios-functions' }
  writeFileSync(
    config,
    `module.exports = { hub: ${JSON.stringify({ input: join(root, 'openapi.json'), output })} }`,
  )
  await runPackage('orval', ['--config', config])
  return out
}

async function makeHeyApi(out) {
  await runPackage('openapi-ts', [
    '-i',
    join(root, 'openapi.json'),
    '-o',
    out,
    '-c',
    '@hey-api/client-fetch',
  ])
  return out
}

/** One program of a round and its client. */
async function bundle(entry, outfile, generated) {
  const alias = generated ? [`--alias:generated=${generated}`] : []
  const shape = [
    '--bundle',
    '--platform=node',
    '--format=esm',
    '--log-level=error',
    `--outfile=${outfile}`,
  ]
  const banner = `--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`
  await runPackage('esbuild', [entry, ...shape, ...alias, banner])
}

/** Not synchronous: the hub answers from this process. */
async function run(command, args, more = {}) {
  const { stdout } = await promisify(execFile)(command, args, {
    maxBuffer: 64 * 1024 * 1024,
    ...more,
  })
  return stdout
}
