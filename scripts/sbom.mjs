/**
 * deploy/sbom.json: every package that runs in production, with version, license, sha512 and
 * dependencies, as CycloneDX 1.5. Made from package-lock.json alone, so the same lockfile gives the
 * same bytes: no timestamp, no serial number.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const product = 'packages/cli'

export function sbomPage() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const reached = reach(packages)
  const components = new Map()
  const dependencies = new Map()
  for (const [path, needs] of reached) {
    const ref = refOf(packages, path)
    if (path !== product) components.set(ref, componentOf(packages, path))
    const known = dependencies.get(ref) ?? []
    dependencies.set(
      ref,
      [...new Set([...known, ...needs.map((need) => refOf(packages, need))])].sort(),
    )
  }
  const { version, license } = packages[product]
  const page = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        'bom-ref': refOf(packages, product),
        type: 'application',
        name: nameOf(packages, product),
        version,
        licenses: licensesOf(license),
        purl: refOf(packages, product),
      },
    },
    components: sorted(components).map(([, component]) => component),
    dependencies: sorted(dependencies).map(([ref, dependsOn]) => ({ ref, dependsOn })),
  }
  return `${JSON.stringify(page, null, 2)}\n`
}

/** Every path of the lockfile that the product needs, each with the paths that it needs itself. */
function reach(packages) {
  const reached = new Map()
  const open = [product]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[path]
    const optional = { ...optionalDependencies, ...peerDependenciesMeta }
    const needs = []
    for (const name of Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...peerDependencies,
    })) {
      const found = resolve(packages, path, name)
      if (found !== undefined) needs.push(found)
      else if (!Object.hasOwn(optional, name))
        throw new Error(`${path} needs ${name}, which package-lock.json lacks`)
    }
    reached.set(path, needs)
    open.push(...needs)
  }
  return reached
}

/**
 * As Node does: in the node_modules of the package, then of each folder above it. Workspaces are
 * links.
 */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (packages[path]) return packages[path].link ? packages[path].resolved : path
    if (folder === '') return undefined
  }
}

const nameOf = (packages, path) =>
  packages[path].name ?? path.slice(path.lastIndexOf('node_modules/') + 13)

const refOf = (packages, path) =>
  `pkg:npm/${nameOf(packages, path).replace('@', '%40')}@${packages[path].version}`

function componentOf(packages, path) {
  const { version, license, integrity } = packages[path]
  const name = nameOf(packages, path)
  const group = name.startsWith('@') ? name.split('/')[0] : undefined
  const content =
    integrity && Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
  return {
    'bom-ref': refOf(packages, path),
    type: 'library',
    ...(group && { group }),
    name: group ? name.slice(group.length + 1) : name,
    version,
    scope: packages[path].optional ? 'optional' : 'required',
    ...(content && { hashes: [{ alg: 'SHA-512', content }] }),
    licenses: licensesOf(license),
    purl: refOf(packages, path),
  }
}

const licensesOf = (license) => [
  /[ (]/.test(license) ? { expression: license } : { license: { id: license } },
]

const sorted = (map) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
