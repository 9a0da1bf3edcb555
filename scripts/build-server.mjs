/**
 * Bundles the server, its packages included, into packages/server/dist/bundle, if a source is newer
 * than the last build: what `npm start`, the command line and the published package run.
 */
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './prepare.mjs'

/** Not import.meta.resolve, which vitest does not have: its setup builds the bundle, too. */
const require = createRequire(import.meta.url)
const server = join(root, 'packages/server')
const from = join(server, 'src')
const to = join(server, 'dist/bundle')
const stamp = join(to, 'built')
/**
 * What only hubs on S3, with mail or with Amazon's engine load, what has a native file, and what pg
 * does without.
 */
const external = [
  /^@aws-sdk\//,
  /^@smithy\//,
  'nodemailer',
  /^@photostructure\/sqlite$/,
  'pg-native',
]
const manifest = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))

export const isServerOld = () => modified(stamp) <= newest()

export async function buildServer() {
  if (!isServerOld()) return
  const begun = new Date()
  const { rolldown } = await import(
    createRequire(require.resolve('vite/package.json')).resolve('rolldown')
  )
  const bundle = await rolldown({
    input: Object.values(manifest.exports).map(({ source }) => join(server, source)),
    cwd: root,
    platform: 'node',
    tsconfig: false,
    transform: { target: 'node20' },
    // The CommonJS build of jsonc-parser hides its require() from a bundler.
    resolve: { conditionNames: ['source', 'node'], mainFields: ['module', 'main'] },
    external,
    plugins: [filesByUrl],
    onLog: (level, log) => {
      // Packages have their own ways; what concerns ours is an error.
      if (level === 'warn' && log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
    },
  })
  const { output } = await bundle.write({
    dir: to,
    entryFileNames: ({ facadeModuleId }) => nameOf(facadeModuleId),
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // A file with a character beyond Latin-1 takes twice its size in memory, and comments take a
    // fifth of it.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
  })
  await bundle.close()
  // Only now: a hub that runs from here may still load a file of the last build.
  const written = new Set(output.map(({ fileName }) => fileName))
  for (const name of readdirSync(to)) if (!written.has(name)) rmSync(join(to, name))
  writeFileSync(join(to, 'LICENSES.txt'), licensesOf(output))
  writeFileSync(stamp, '')
  utimesSync(stamp, begun, begun)
}

const nameOf = (path) => `${relative(from, path).replace(/\.ts$/, '').replaceAll(/[\\/]/g, '-')}.js`

/**
 * A source named by its URL runs in a thread: it becomes a file of its own. Other URLs name files
 * of the package.
 */
const filesByUrl = {
  name: 'files-by-url',
  transform: {
    filter: { id: /\/packages\/server\/src\//, code: /import\.meta\.url/ },
    handler(code, id) {
      const changed = code.replace(/new URL\('(\.[^']*)', import\.meta\.url\)/g, (_, path) => {
        const target = resolve(dirname(id), path)
        if (!path.endsWith('.ts')) {
          const seen = relative(to, target).replaceAll('\\', '/') + (path.endsWith('/') ? '/' : '')
          return `new URL('${seen}', import.meta.url)`
        }
        this.emitFile({
          type: 'chunk',
          id: target,
          fileName: nameOf(target),
          preserveSignature: 'strict',
        })
        return `new URL('./${nameOf(target)}', import.meta.url)`
      })
      return { code: changed, map: null }
    },
  },
}

/** The licences of the packages in the bundle ask for a copy beside their code. */
function licensesOf(output) {
  const ids = output.flatMap(({ moduleIds = [] }) => moduleIds)
  const folders = ids.map(
    (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll('\\', '/'))?.[0],
  )
  return [...new Set(folders)]
    .filter((folder) => folder && existsSync(join(folder, 'package.json')))
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      )
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
      return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`
    })
    .sort()
    .join(`\n${'-'.repeat(72)}\n\n`)
}

function newest() {
  const own = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    (name) => name.startsWith('@dragoman/'),
  )
  const sources = [
    from,
    ...own.map((name) => join(root, 'packages', name.slice('@dragoman/'.length), 'src')),
  ]
  const files = sources.flatMap((folder) => [
    folder,
    ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))),
  ])
  const single = [
    join(server, 'package.json'),
    join(root, 'package-lock.json'),
    import.meta.filename,
  ]
  return Math.max(...[...files, ...single].map(modified))
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildServer()
