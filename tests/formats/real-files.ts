/** Files of a kind that the packages of this machine brought along. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const pythonHome = spawnSync('python3', ['-c', 'import sys; print(sys.prefix)'], { encoding: 'utf8' }).stdout?.trim()
/** `REAL_FILES_IN=/folder` names one more place. */
const { REAL_FILES_IN: more } = process.env
const places = ['/usr/share', '/usr/lib', '/etc/scite', join(root, 'node_modules'), pythonHome, more].flatMap(
  (place) => place || [],
)

export type RealFile = { readonly path: string; readonly bytes: Uint8Array }

let all: string[] | undefined
function everyFile(extensions: readonly string[]): string[] {
  all ??= execFileSync(
    'find',
    [...new Set(places), '-xdev', '-type', 'f', '-size', '-200k', '-regextype', 'egrep', '-regex', '.*\\.[a-z]{2,10}'],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  ).split('\n')
  return all.filter((path) => extensions.some((one) => path.endsWith(`.${one}`)))
}

/** At most so many, from all over: of a hundred in one folder not all are taken. */
export function realFiles(extensions: readonly string[], most: number): RealFile[] {
  const paths = everyFile(extensions).sort()
  const step = Math.max(1, paths.length / most)
  const taken = Array.from({ length: Math.min(most, paths.length) }, (_, at) => paths[Math.floor(at * step)] ?? '')
  return taken
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.size)
    .map((path) => ({ path, bytes: new Uint8Array(readFileSync(path)) }))
}
