/**
 * deploy/sbom.json: CycloneDX 1.5 in shape, the packages that npm itself finds, and nothing that
 * changes from run to run.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'deploy/sbom.json'), 'utf8')

type Component = { 'bom-ref': string; purl: string; name: string; version: string }
type Sbom = {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
const sbom = JSON.parse(text) as Sbom

const component = {
  type: 'object',
  additionalProperties: false,
  required: ['bom-ref', 'type', 'name', 'version', 'licenses', 'purl'],
  properties: {
    'bom-ref': { type: 'string', minLength: 1 },
    type: { enum: ['application', 'library'] },
    group: { type: 'string' },
    name: { type: 'string', minLength: 1 },
    version: { type: 'string', minLength: 1 },
    scope: { enum: ['required', 'optional', 'excluded'] },
    hashes: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['alg', 'content'],
        properties: {
          alg: { const: 'SHA-512' },
          content: { type: 'string', pattern: '^[a-f0-9]{128}$' },
        },
      },
    },
    licenses: {
      type: 'array',
      minItems: 1,
      maxItems: 1,
      items: {
        oneOf: [
          {
            type: 'object',
            additionalProperties: false,
            required: ['expression'],
            properties: { expression: { type: 'string' } },
          },
          {
            type: 'object',
            additionalProperties: false,
            required: ['license'],
            properties: {
              license: {
                type: 'object',
                additionalProperties: false,
                required: ['id'],
                properties: { id: { type: 'string' } },
              },
            },
          },
        ],
      },
    },
    purl: { type: 'string', pattern: '^pkg:npm/(%40[a-z0-9._-]+/)?[a-zA-Z0-9._-]+@[0-9][^@/]*$' },
  },
}

/** The part of the CycloneDX 1.5 schema that is used here; whatever is not used is not allowed. */
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['bomFormat', 'specVersion', 'version', 'metadata', 'components', 'dependencies'],
  properties: {
    $schema: { const: 'http://cyclonedx.org/schema/bom-1.5.schema.json' },
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.5' },
    version: { const: 1 },
    metadata: {
      type: 'object',
      additionalProperties: false,
      required: ['component'],
      properties: { component },
    },
    components: { type: 'array', uniqueItems: true, items: component },
    dependencies: {
      type: 'array',
      uniqueItems: true,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['ref', 'dependsOn'],
        properties: {
          ref: { type: 'string' },
          dependsOn: { type: 'array', uniqueItems: true, items: { type: 'string' } },
        },
      },
    },
  },
}

it('has the shape of CycloneDX 1.5, and every reference leads to a component', () => {
  const ajv = new Ajv({ allErrors: true })
  expect(ajv.validate(schema, sbom), ajv.errorsText()).toBe(true)
  const refs = [sbom.metadata.component, ...sbom.components].map((one) => one['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  expect(sbom.dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort())
  for (const { dependsOn } of sbom.dependencies)
    for (const ref of dependsOn) expect(refs).toContain(ref)
})

type Tree = { version?: string; dependencies?: Record<string, Tree> }
const purlsIn = ({ dependencies = {} }: Tree): string[] =>
  Object.entries(dependencies).flatMap(([name, tree]) => [
    ...(tree.version ? [`pkg:npm/${name.replace('@', '%40')}@${tree.version}`] : []),
    ...purlsIn(tree),
  ])

it('lists what npm finds in the lockfile for production, and no address that it came from', () => {
  const asked = [
    'ls',
    '--all',
    '--json',
    '--omit=dev',
    '--package-lock-only',
    '--workspace=dragoman',
  ]
  const found = JSON.parse(
    execFileSync('npm', asked, { cwd: root, stdio: 'pipe' }).toString(),
  ) as Tree
  const theirs = new Set(purlsIn(found))
  expect(theirs.size).toBeGreaterThan(100)
  const own = [sbom.metadata.component, ...sbom.components].map(({ purl }) => purl)
  expect(own.sort()).toEqual([...theirs].sort())
  expect(text.replace('http://cyclonedx.org/', '')).not.toMatch(/https?:|registry/)
})
