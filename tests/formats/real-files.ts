/**
 * Files that people wrote for other programs. The sample of `npm test` is the same on every machine
 * that the gate has prepared: it comes from the packages in the lockfile and from a few Debian
 * packages that scripts/install-services.sh installs, in the order of a hash of their path, so that
 * a new file takes a place and moves no other. `REAL_FILES=1000` takes more, from all of this
 * machine; `REAL_FILES_IN=/folder` adds a place.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export type RealFile = { readonly path: string; readonly bytes: Uint8Array }

const { REAL_FILES: many, REAL_FILES_IN: more } = process.env
export const isWhole = many !== undefined
export const asked = Number(many ?? 100)

const [usual, given] = [200, 5_000]
const packages = join(import.meta.dirname, '../../node_modules')
const debian =
  'php-symfony-validator php-symfony-form php-symfony-security-core python3-django scite gnustep-base-common gnustep-gui-common pandoc-data libreoffice-common libreoffice-writer-nogui'

/**
 * A path, and what its place in the order is made from: the part that is the same on every machine.
 */
type Found = { readonly path: string; readonly name: string }

const linesOf = (program: string, ...args: readonly string[]): string[] =>
  spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout?.split('\n') ?? []

function filesBelow(folder: string, kilobytes = usual): Found[] {
  const limits = ['-xdev', '-type', 'f', '-not', '-path', `${folder}/.*`, '-size', `-${kilobytes}k`]
  return linesOf(
    'find',
    folder,
    ...limits,
    '-regextype',
    'egrep',
    '-regex',
    '.*\\.[a-z]{2,12}',
  ).map((path) => ({
    path,
    name: path.slice(folder.length + 1),
  }))
}

const ofDebian = (): Found[] =>
  linesOf('dpkg-query', '-L', ...debian.split(' '))
    .filter((path) => {
      const facts = /\.[a-z]{2,12}$/.test(path)
        ? statSync(path, { throwIfNoEntry: false })
        : undefined
      return facts?.isFile() === true && facts.size < usual * 1024
    })
    .map((path) => ({ path, name: path }))

function wholeMachine(): Found[] {
  const [python] = linesOf('python3', '-c', 'import sys; print(sys.prefix)')
  const places = ['/usr/share', '/usr/lib', '/etc/scite', packages, python]
  return [...new Set(places)].flatMap((place) => (place ? filesBelow(place) : []))
}

const placeOf = (name: string): string => createHash('sha256').update(name).digest('hex')

/** Packages that npm installs on one kind of machine only. */
const ofOnePlatform =
  /\/[^/]*(?:linux|darwin|win32|android|freebsd)[^/]*-(?:x64|arm64|ia32|arm)[^/]*\//

let all: Found[] | undefined
/** Every file with such an extension, in their order. */
function everyFile(extensions: readonly string[]): Found[] {
  all ??= [
    ...(isWhole ? wholeMachine() : [...filesBelow(packages), ...ofDebian()]),
    ...(more ? filesBelow(more, given) : []),
  ]
  const found = all.filter(
    ({ path }) => extensions.some((one) => path.endsWith(`.${one}`)) && !ofOnePlatform.test(path),
  )
  return [...new Map(found.map((one) => [one.path, one])).values()]
    .map((found) => ({ ...found, place: placeOf(found.name) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
}

/** At most so many files that fit. */
export function realFiles(
  extensions: readonly string[],
  most: number,
  fits: (file: RealFile) => boolean,
): RealFile[] {
  const taken: RealFile[] = []
  for (const { path } of everyFile(extensions)) {
    if (taken.length >= most) break
    const file = { path, bytes: new Uint8Array(readFileSync(path)) }
    if (file.bytes.length > 0 && fits(file)) taken.push(file)
  }
  return taken
}
