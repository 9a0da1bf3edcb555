/** The version of this package, from its own package.json: the same file for sources and for the built program. */
import { readFileSync } from 'node:fs'

export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
