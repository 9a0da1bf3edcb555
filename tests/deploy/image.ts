/** What the tests of deploy/ know about the production image and the hub in it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configKeys } from '../../packages/server/src/config/config-keys.ts'

export const root = join(import.meta.dirname, '../..')
export const read = (path: string): string => readFileSync(join(root, path), 'utf8')
export const tools = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'NODE_ENV']
export const isKey = (name: string): boolean =>
  Object.hasOwn(configKeys, name) || tools.includes(name)
export const masterKey = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
/** The most that a hub takes to stop, in seconds (docs/operating.md). */
export const stopSeconds = 30

export const containerFile = read('deploy/Containerfile')
/** ENV of the container file. */
export const imageEnv = Object.fromEntries(
  [...containerFile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((pair) => pair.split('=')),
  ),
) as Record<string, string>
