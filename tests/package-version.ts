import { readFileSync } from 'node:fs'

/** The version of the packages, which a release changes. */
export const packageVersion: string = JSON.parse(
  readFileSync(new URL('../packages/cli/package.json', import.meta.url), 'utf8'),
).version
