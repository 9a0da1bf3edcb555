/**
 * `npm run release -- 0.2.0 [--dry-run]`: makes a release from a clean tree. Sets the version of
 * every package, of their dependencies on each other and of the image in deploy/kubernetes.yaml,
 * dates the section Unreleased of CHANGELOG.md, builds and packs, and writes the tarballs, their
 * checksums and the SBOM into .build/release/VERSION. Leaves a commit with a tag, and one after it
 * that keeps the API of this release for later comparisons; with --dry-run the tree stays as it
 * was. Publishes nothing.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll, packAll } from './pack.mjs'
import { root } from './prepare.mjs'
import { sbomPage } from './sbom.mjs'

const usage = 'Usage: npm run release -- VERSION [--dry-run] [--date YYYY-MM-DD]'
const git = (...args) =>
  execFileSync('git', ['-C', root, ...args], { stdio: ['ignore', 'pipe', 2] }).toString()
/** What the files held, to put them back. */
const before = new Map()

try {
  await release()
} catch (error) {
  for (const [path, text] of before) writeFileSync(join(root, path), text)
  console.error(error.message)
  process.exitCode = 1
}

async function release() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean' },
      date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
      /** Packs what is built already. */
      built: { type: 'boolean' },
    },
  })
  const [version] = positionals
  if (!/^\d+\.\d+\.\d+$/.test(version ?? '') || positionals.length > 1) throw new Error(usage)
  mustBeReady(version)
  setVersions(version)
  write('CHANGELOG.md', (text) =>
    text.replace('## Unreleased\n', `## Unreleased\n\n## ${version} (${values.date})\n`),
  )
  write('deploy/kubernetes.yaml', (text) =>
    text.replace(/(image: \S+\/dragoman:).*/g, `$1${version}`),
  )
  write('deploy/sbom.json', sbomPage)

  if (!values.built) buildAll({ fresh: true })
  const to = join(root, '.build/release', version)
  rmSync(to, { recursive: true, force: true })
  const tarballs = (await packAll({ to })).map(({ path }) => path)
  writeFileSync(join(to, 'sbom.cdx.json'), sbomPage())
  const files = [...tarballs.map((path) => basename(path)), 'sbom.cdx.json']
  writeFileSync(
    join(to, 'SHA256SUMS'),
    files.map((name) => `${sha256(join(to, name))}  ${name}\n`).join(''),
  )
  for (const name of [...files, 'SHA256SUMS']) console.log(join('.build/release', version, name))

  if (values['dry-run']) {
    for (const [path, text] of before) writeFileSync(join(root, path), text)
    console.log(`\nA dry run: there is no commit and no tag.`)
    return
  }
  git('add', ...before.keys())
  git('commit', '--quiet', '-m', `Version ${version}`)
  git('tag', '--annotate', `v${version}`, '-m', `Version ${version}`)
  await keepApi(version)
  console.log(`\nPush the two commits with the tag v${version}, then publish in this order:`)
  for (const path of tarballs) console.log(`  npm publish ${path.slice(root.length + 1)}`)
}

/**
 * What is built from the tag compares with the release before it, everything later with this one.
 */
async function keepApi(version) {
  const { keptPage } = await import('../packages/docs/dist/changes/kept-document.js')
  const kept = {
    'openapi.json': keptPage(JSON.parse(read('openapi.json')), version),
    'deliberate.json': '[]\n',
  }
  for (const [name, text] of Object.entries(kept))
    writeFileSync(join(root, 'packages/docs/last-release', name), text)
  git('add', 'packages/docs/last-release')
  git('commit', '--quiet', '-m', `The API is compared with that of version ${version}`)
}

function mustBeReady(version) {
  const { version: last } = JSON.parse(
    readFileSync(join(root, 'packages/cli/package.json'), 'utf8'),
  )
  if (!isHigher(version, last))
    throw new Error(`${version} is not higher than ${last}, the version of the packages.`)
  const changed = git('status', '--porcelain').trimEnd()
  if (changed !== '')
    throw new Error(
      `Commit or remove these first; a release is made of what is committed:\n${changed}`,
    )
  if (git('tag', '--list', `v${version}`).trim() !== '')
    throw new Error(`The tag v${version} exists.`)
  const [, section = ''] =
    /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(read('CHANGELOG.md')) ?? []
  if (section.trim() === '')
    throw new Error('CHANGELOG.md has nothing under "## Unreleased". Say what is new first.')
}

function isHigher(version, last) {
  const [ours, theirs] = [version, last].map((one) => one.split('.').map(Number))
  const at = ours.findIndex((number, index) => number !== theirs[index])
  return at >= 0 && ours[at] > theirs[at]
}

/**
 * In the manifests and in the lockfile, which repeats them. The examples have no version, but use
 * the packages.
 */
function setVersions(version) {
  const manifestsIn = (folder) =>
    readdirSync(join(root, folder))
      .map((name) => `${folder}/${name}`)
      .filter((path) => existsSync(join(root, path, 'package.json')))
  const paths = manifestsIn('packages')
  const connectors = manifestsIn('connectors')
  const names = new Set(
    [...paths, ...connectors].map((path) => JSON.parse(read(`${path}/package.json`)).name),
  )
  const set = (manifest) => {
    if (manifest.version) manifest.version = version
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies'])
      for (const name of Object.keys(manifest[kind] ?? {}))
        if (names.has(name)) manifest[kind][name] = version
  }
  const edit = (change) => (text) => {
    const value = JSON.parse(text)
    change(value)
    return `${JSON.stringify(value, null, 2)}\n`
  }
  for (const path of [...paths, ...connectors, ...manifestsIn('examples')])
    write(`${path}/package.json`, edit(set))
  write(
    'package-lock.json',
    edit(({ packages }) => paths.map((path) => packages[path]).forEach(set)),
  )
}

function write(path, change) {
  const text = read(path)
  before.set(path, before.get(path) ?? text)
  writeFileSync(join(root, path), change(text))
}

function read(path) {
  return readFileSync(join(root, path), 'utf8')
}

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
