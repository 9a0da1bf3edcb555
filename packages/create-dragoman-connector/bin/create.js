#!/usr/bin/env node
/**
 * `npm create dragoman-connector NAME`: copies the template into a new folder and fills in the
 * name. Writes nothing into a folder that has files, and needs no network. Exit code: 0 done, 1
 * refused, 2 wrong arguments.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = dirname(fileURLToPath(import.meta.url))
const template = join(here, '../template')
const { version } = JSON.parse(readFileSync(join(here, '../package.json'), 'utf8'))

const help = `Usage: npm create dragoman-connector FOLDER [-- --name NAME]

Creates a TypeScript project for a connector in FOLDER, which must be empty or not exist yet.

  --name NAME  the name of the package (default: the name of the folder)
  --help       show this help
  --version    show the version`

process.exitCode = run(process.argv.slice(2))

function run(args) {
  let read
  try {
    read = parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    return refuse(`${error.message.split('. ')[0]}.\n\n${help}`, 2)
  }
  const { values, positionals } = read
  if (values.help) return say(help)
  if (values.version) return say(version)
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) return refuse(`Name one folder.\n\n${help}`, 2)
  const place = resolve(folder)
  const name = values.name ?? basename(place).toLowerCase()
  if (!/^(@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/.test(name) || name.length > 100)
    return refuse(`"${name}" cannot be the name of a package; give another with --name.`, 2)
  if (isFull(place)) return refuse(`${place} is not an empty folder; nothing was written.`, 1)
  for (const path of filesIn(template))
    write(join(place, asWritten(path)), readFileSync(join(template, path), 'utf8'), name)
  return say(`The connector ${name} is in ${place}. Now run:

  cd ${relative(process.cwd(), place) || '.'}
  npm install        # until the packages are on npm: npm install PATH/*.tgz, with the files of scripts/pack.mjs
  npm test           # against a real hub, inside the test
  npm run certify    # with faults; README.md describes the next steps`)
}

function isFull(place) {
  try {
    return !statSync(place).isDirectory() || readdirSync(place).length > 0
  } catch {
    return false
  }
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => relative(folder, join(one.parentPath ?? one.path, one.name)))
}

/** npm leaves .gitignore out of packages, and would take package.json for one of its own. */
function asWritten(path) {
  return path.replace('_gitignore', '.gitignore').replace('_package.json', 'package.json')
}

function write(path, text, name) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text.replaceAll('{{name}}', name).replaceAll('{{version}}', version))
}

function say(text) {
  console.log(text)
  return 0
}

function refuse(text, code) {
  console.error(text)
  return code
}
