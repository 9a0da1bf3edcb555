/**
 * Packs every public package into a tarball, as it is published: `node scripts/pack.mjs [--to
 * FOLDER] [--fresh | --built]`. The same sources give the same bytes. What only this repository
 * needs is left out: the condition `source`, development dependencies, and comments that point to
 * source maps. LICENSE is put in. Prints the path of each tarball.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { root } from './prepare.mjs'

/** Every package that is not private, those that others depend on first. */
export function publicPackages() {
  const found = readdirSync(join(root, 'packages'))
    .filter((name) => existsSync(join(root, 'packages', name, 'package.json')))
    .map((name) => {
      const folder = join('packages', name)
      return {
        folder,
        manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
      }
    })
    .filter(({ manifest }) => !manifest.private)
  const names = new Set(found.map(({ manifest }) => manifest.name))
  const depth = ({ manifest }) =>
    1 +
    Math.max(
      0,
      ...Object.keys(manifest.dependencies ?? {})
        .filter((name) => names.has(name))
        .map((name) => depth(found.find((one) => one.manifest.name === name))),
    )
  return found.sort((a, b) => depth(a) - depth(b) || (a.folder < b.folder ? -1 : 1))
}

/**
 * Builds everything. `fresh` removes what earlier builds left, such as files whose sources are
 * gone.
 */
export function buildAll({ fresh = false } = {}) {
  if (fresh)
    for (const name of readdirSync(join(root, 'packages'))) {
      rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
      rmSync(join(root, 'packages', name, 'tsconfig.tsbuildinfo'), { force: true })
    }
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 2, 2] })
}

/**
 * Writes the tarballs of the built packages into the folder `to` and returns their paths with the
 * names of the packages.
 */
export async function packAll({ to, repository = repositoryOf() }) {
  const stage = mkdtempSync(join(tmpdir(), 'dragoman-pack-'))
  const packages = publicPackages()
  // Reads the built contract, so only now.
  const { writePlainTypes } = await import('./plain-types.mjs')
  mkdirSync(to, { recursive: true })
  try {
    for (const { folder, manifest } of packages) {
      // Of what is here, npm packs what the patterns of `files` name.
      const roots = new Set(manifest.files.map((pattern) => pattern.split('/')[0]))
      const files = [
        'README.md',
        ...[...roots].flatMap((name) => filesIn(join(root, folder), name)),
      ]
      for (const path of files) stageFile(join(root, folder, path), join(stage, folder, path))
      stageFile(join(root, 'LICENSE'), join(stage, folder, 'LICENSE'))
      if (manifest.name === '@dragoman/contract') writePlainTypes(join(stage, folder))
      writeFileSync(
        join(stage, folder, 'package.json'),
        `${JSON.stringify(published(manifest, folder, repository), null, 2)}\n`,
      )
      setModes(join(stage, folder), binsOf(manifest))
    }
    const packed = npmPack(stage, [
      '--pack-destination',
      resolve(to),
      ...packages.map(({ folder }) => `./${folder}`),
    ])
    return packed.map(({ name, filename }) => ({ name, path: join(resolve(to), filename) }))
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function npmPack(cwd, args) {
  const out = execFileSync(
    'npm',
    ['pack', '--json', '--loglevel=error', '--ignore-scripts', ...args],
    {
      cwd,
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 2],
    },
  )
  return JSON.parse(out.toString())
}

const filesIn = (folder, name) =>
  readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))

function stageFile(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  if (/\/dist\/.*\.(js|d\.ts)$/.test(from) && !from.includes('/dist/console/'))
    writeFileSync(to, compiled(readFileSync(from, 'utf8'), from))
  else cpSync(from, to)
}

/** They differ with the umask of a machine and are part of the tarball. */
function setModes(folder, bins) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o644)
  for (const bin of bins) chmodSync(join(folder, bin), 0o755)
}

/** Declarations import each other as JavaScript, which every resolver knows. */
function compiled(text, path) {
  const own = text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n')
  return path.endsWith('.d.ts')
    ? own.replace(/(from |import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2')
    : own
}

const binsOf = ({ bin = {} }) =>
  (typeof bin === 'string' ? [bin] : Object.values(bin)).map((path) => path.replace(/^\.\//, ''))

function published({ devDependencies: _, scripts: __, ...manifest }, folder, repository) {
  const place = repository && {
    homepage: `${repository}#readme`,
    repository: {
      type: 'git',
      url: `git+${repository}.git`,
      directory: folder.replaceAll('\\', '/'),
    },
    bugs: { url: `${repository}/issues` },
  }
  return {
    ...manifest,
    ...place,
    ...(manifest.exports && { exports: withoutSource(manifest.exports) }),
  }
}

/** The condition `source` names files that are not in the tarball. */
function withoutSource(exports) {
  if (typeof exports !== 'object' || exports === null) return exports
  const entries = Object.entries(exports).filter(([key]) => key !== 'source' && key !== 'modules')
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutSource(value)]))
}

/**
 * The address of the repository, if the remote `origin` is on a host. npm attests where a tarball
 * was built (provenance) only if the manifest names the same repository, so nothing is made up: a
 * clone without such a remote packs without it.
 */
function repositoryOf() {
  const args = ['-C', root, 'remote', 'get-url', 'origin']
  let url = ''
  try {
    url = execFileSync('git', args, { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return undefined
  }
  const [, host, path] =
    /^(?:https:\/\/|ssh:\/\/git@|git@)([\w.-]+)[:/]([\w./-]+?)(?:\.git)?\/?$/.exec(url) ?? []
  return host?.includes('.') ? `https://${host}/${path}` : undefined
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const to = { type: 'string', default: '.build/packed' }
  const { values } = parseArgs({
    options: { to, fresh: { type: 'boolean' }, built: { type: 'boolean' } },
  })
  if (!values.built) buildAll({ fresh: values.fresh })
  for (const { path } of await packAll({ to: values.to })) console.log(path)
}
