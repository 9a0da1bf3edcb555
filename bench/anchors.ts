/** Programs that the bench compares with, installed in bench/anchors on demand: they are not dependencies of the hub. */
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { repository } from './built.ts'
import type { Bench } from './figure.ts'

export const anchors = new URL('bench/anchors/', repository)

export async function installAnchors(bench: Bench): Promise<void> {
  const names = ['graphile-worker', '@tus/file-store']
  const found = names.map((name) => stat(new URL(`node_modules/${name}`, anchors)).catch(() => undefined))
  if ((await Promise.all(found)).every(Boolean)) return
  bench.say('installing the anchors in bench/anchors')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  await promisify(execFile)(npm, ['ci', '--no-audit', '--no-fund'], { cwd: fileURLToPath(anchors), timeout: 300_000 })
}
