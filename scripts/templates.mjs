/**
 * The templates of `dragoman init`, from examples/templates, as a module that the packed command
 * line brings along.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { root } from './prepare.mjs'

const folder = join(root, 'examples/templates')

export function templatesPage() {
  const names = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory())
  const all = names.map(({ name }) => name).sort()
  const templates = Object.fromEntries(all.map((name) => [name, filesIn(join(folder, name))]))
  return `/** The templates of \`dragoman init\`. Generated from examples/templates by \`npm run generate\`; do not edit. */

// biome-ignore format: generated
export const templates: Readonly<Record<string, Readonly<Record<string, string>>>> = ${JSON.stringify(templates, null, 2)}
`
}

function filesIn(place) {
  const found = readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.parentPath.includes('.dragoman'))
    .map((one) => relative(place, join(one.parentPath, one.name)).split(sep).join('/'))
    .sort()
  return Object.fromEntries(found.map((path) => [path, readFileSync(join(place, path), 'utf8')]))
}
