/**
 * The version of this package, from its package.json: the same path from the sources and from the
 * built program.
 */
import { readFileSync } from 'node:fs'

export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version
