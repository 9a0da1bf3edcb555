/**
 * The packages as users get them: packed from the built sources and installed into an empty folder
 * outside the repository.
 */
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')
export const run = promisify(execFile)
const tsc = join(root, 'node_modules/typescript/bin/tsc')

type Exports = Readonly<Record<string, string | Readonly<Record<string, string>>>>
export type Manifest = {
  readonly name: string
  readonly version: string
  readonly exports?: Exports
  readonly dependencies?: Readonly<Record<string, string>>
  readonly [key: string]: unknown
}
export type Installed = {
  readonly folder: string
  readonly tarballs: readonly string[]
  /** What scripts/try-packages.mjs printed for each entry point. */
  readonly said: string
  /** The folders of our packages. */
  readonly packages: readonly string[]
  remove(): void
}

export async function installPacked(): Promise<Installed> {
  const place = mkdtempSync(join(tmpdir(), 'dragoman-packed-'))
  const folder = join(place, 'stranger')
  mkdirSync(folder)
  const script = (name: string, ...args: string[]) =>
    run(process.execPath, [join(root, 'scripts', name), ...args])
  const { stdout } = await script('pack.mjs', '--built', '--to', join(place, 'packed'))
  const tarballs = stdout.trim().split('\n')
  const { stdout: said } = await script('try-packages.mjs', folder, ...tarballs)
  // A TypeScript program also has the types of Node.
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types'])
    if (!existsSync(join(modules, name)))
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
  const scoped = readdirSync(join(modules, '@dragoman')).map((name) =>
    join(modules, '@dragoman', name),
  )
  const own = readdirSync(modules).filter((name) => /^(create-)?dragoman/.test(name))
  const packages = [...scoped, ...own.map((name) => join(modules, name))]
  return {
    folder,
    tarballs,
    said,
    packages,
    remove: () => rmSync(place, { recursive: true, force: true }),
  }
}

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

export const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))

/**
 * Problems for a resolver, as arethetypeswrong and publint see them: an export without types, types
 * of another module format, a missing file, an import of something that is not a dependency.
 */
export function faultsOf(folder: string): string[] {
  const manifest = manifestOf(folder)
  const faults: string[] = []
  if (manifest.type !== 'module') faults.push('is no ES module')
  const entries: string[] = []
  for (const [name, target] of Object.entries(manifest.exports ?? {})) {
    if (typeof target === 'string') {
      if (target !== './package.json') faults.push(`${name} has no types`)
      continue
    }
    // The condition `types` counts only if it comes first. In a package of ES modules, .d.ts beside
    // .js is an ES module, too.
    if (Object.keys(target).join() !== 'types,default')
      faults.push(`${name} has ${Object.keys(target)}`)
    const { types = '', default: code = '' } = target
    // A file of the bundle has the folders of its source in its name.
    const source = code.includes('/bundle/') ? types.replace(/(?<=\/dist\/.*)\//g, '-') : types
    if (source.replace(/\.d\.ts$/, '.js') !== code.replace('/bundle/', '/'))
      faults.push(`${name}: ${types} is not for ${code}`)
    entries.push(types, code)
  }
  for (const file of reach(folder, entries))
    faults.push(...importsOf(folder, file, manifest).faults)
  return faults
}

function reach(folder: string, entries: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const open = entries.map((path) => join(folder, path))
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    if (existsSync(file)) open.push(...importsOf(folder, file, manifestOf(folder)).own)
  }
  return seen
}

function importsOf(
  folder: string,
  file: string,
  manifest: Manifest,
): { own: string[]; faults: string[] } {
  const name = relative(folder, file)
  if (!existsSync(file)) return { own: [], faults: [`${name} is missing`] }
  // Without comments, and without code samples, which are text.
  const text = readFileSync(file, 'utf8')
    .replace(/^\s*(\/?\*|\/\/).*$/gm, '')
    .replace(/`[^`]*`/g, '``')
  const isTypes = file.endsWith('.d.ts')
  const named = [
    ...text.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*['"]([@.\w][^'"\s,]*)['"]/gm),
  ].map(([, to = '']) => to)
  const own = named.filter((to) => to.startsWith('.'))
  const known = new Set([...Object.keys(manifest.dependencies ?? {}), manifest.name])
  const packageOf = (to: string) => to.split('/', to.startsWith('@') ? 2 : 1).join('/')
  const strange = named.filter(
    (to) => !to.startsWith('.') && !to.startsWith('node:') && !known.has(packageOf(to)),
  )
  return {
    own: own.map((to) => join(dirname(file), isTypes ? to.replace(/\.js$/, '.d.ts') : to)),
    faults: [
      ...strange.map((to) => `${name} imports ${to}, which is no dependency`),
      ...own.filter((to) => !to.endsWith('.js')).map((to) => `${name} imports ${to}`),
    ],
  }
}

/** Checks a TypeScript program with the strictest options; returns what the compiler counted. */
export async function compile(
  folder: string,
  options: Readonly<Record<string, unknown>>,
): Promise<{ instantiations: number; files: number }> {
  const compilerOptions = {
    module: 'node16',
    target: 'es2023',
    lib: ['es2023'],
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ['node'],
    outDir: 'out',
    ...options,
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts'] }),
  )
  const { stdout } = await run(process.execPath, [
    tsc,
    '-p',
    folder,
    '--extendedDiagnostics',
  ]).catch((error) => {
    throw new Error(`${error.stdout}`)
  })
  const count = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(stdout)?.[1])
  return { instantiations: count('Instantiations'), files: count('Files') }
}
