/**
 * Real content systems for the tests of connectors. A system is installed from npm once, into a
 * cache folder outside the repository, and gets the packages of this repository as they are built.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')

/** What a site needs, besides the packages of this repository. */
export const payloadNeeds: Readonly<Record<string, string>> = {
  payload: '3.90.2',
  '@payloadcms/db-sqlite': '3.90.2',
  '@payloadcms/richtext-lexical': '3.90.2',
  '@payloadcms/ui': '3.90.2',
  '@payloadcms/next': '3.90.2',
  next: '16.4.6',
  react: '19.2.0',
  'react-dom': '19.2.0',
  graphql: '16.11.0',
}
const ours = {
  '@dragoman/contract': 'packages/contract',
  '@dragoman/sdk': 'packages/sdk',
  '@dragoman/walker': 'connectors/walker',
  '@dragoman/payload': 'connectors/payload',
}

/** The folder of the installation, which is made if it is missing. */
export async function installSystem(name: string, needs: typeof payloadNeeds): Promise<string> {
  const folder = join(cache, 'dragoman-connectors', `${name}-${needs[name]}`)
  const manifest = `${JSON.stringify({ private: true, type: 'module', dependencies: needs }, null, 2)}\n`
  const done = join(folder, 'installed.json')
  if (!existsSync(done) || readFileSync(done, 'utf8') !== manifest) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), manifest)
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    })
    writeFileSync(done, manifest)
  }
  for (const [one, from] of Object.entries(ours)) {
    const to = join(folder, 'node_modules', one)
    rmSync(to, { recursive: true, force: true })
    mkdirSync(to, { recursive: true })
    for (const part of ['package.json', 'dist'])
      cpSync(join(root, from, part), join(to, part), { recursive: true })
  }
  return folder
}

export type Site = {
  readonly url: string
  readonly said: () => string
  /** Ends it at once, as a power cut does. */
  kill(): Promise<void>
}

export async function startSite(
  folder: string,
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<Site> {
  cpSync(join(import.meta.dirname, program), join(folder, program))
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'development', ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      said += bytes.toString()
    })
  const url = await new Promise<string>((ready, fail) => {
    child.stdout.on('data', () => {
      const found = /^READY (\S+)$/m.exec(said)?.[1]
      if (found) ready(found)
    })
    child.once('exit', (code) => fail(new Error(`The site ended with ${code}:\n${said}`)))
  })
  return { url, said: () => said, kill: () => endOf(child) }
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGKILL')
  await ended
}

export const siteFolder = (): string => mkdtempSync(join(tmpdir(), 'dragoman-site-'))
