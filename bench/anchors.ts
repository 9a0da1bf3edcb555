/**
 * Programs that the bench compares with, installed on demand outside the workspaces: users of the
 * hub never get them.
 */
import { execFile } from 'node:child_process'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { repository } from './built.ts'
import type { Bench } from './figure.ts'

export const anchors = new URL('bench/anchors/', repository)

export async function installAnchors(bench: Bench): Promise<void> {
  const names = ['graphile-worker', '@tus/file-store']
  const found = names.map((name) => exists(new URL(`node_modules/${name}`, anchors)))
  if ((await Promise.all(found)).every(Boolean)) return
  bench.say('installing the anchors in bench/anchors')
  await npm(anchors, ['ci'])
}

/**
 * Versions that run on Node 20. Each brings hundreds of packages, so each has a folder of its own.
 */
const peers = {
  directus: { name: 'directus', version: '11.1.2', command: 'cli.js' },
  prism: { name: '@stoplight/prism-cli', version: '5.14.2', command: 'dist/index.js' },
}

/** The file that starts the peer; undefined, after a word on why, where it cannot be installed. */
export async function installPeer(
  bench: Bench,
  peer: keyof typeof peers,
): Promise<string | undefined> {
  const { name, version, command } = peers[peer]
  const folder = new URL(`.build/anchors/${peer}-${version}/`, repository)
  const file = new URL(`node_modules/${name}/${command}`, folder)
  // Written last: without it an installation was broken off.
  const done = new URL('installed', folder)
  if (await exists(done)) return fileURLToPath(file)
  bench.say(`installing ${name} ${version} in .build/anchors; this may take minutes`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(new URL('package.json', folder), '{ "private": true }\n')
    await npm(folder, ['install', `${name}@${version}`])
    await writeFile(done, '')
    return fileURLToPath(file)
  } catch (error) {
    bench.say(
      `${name} cannot be installed here, so its rows are left out: ${String(error).slice(0, 500)}`,
    )
    return undefined
  }
}

const exists = (file: URL): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

async function npm(folder: URL, args: readonly string[]): Promise<void> {
  const command = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const options = { cwd: fileURLToPath(folder), timeout: 1_800_000, maxBuffer: 64 * 1024 ** 2 }
  await promisify(execFile)(command, [...args, '--no-audit', '--no-fund'], options)
}
