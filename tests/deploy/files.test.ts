/**
 * The files under deploy/ that no program on a test machine runs: they parse, they fit each other,
 * and whatever they say about the hub (keys, ports, paths, commands, times) is true.
 */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../packages/server/src/config/config.ts'
import { containerFile, imageEnv, isKey, masterKey, read, root, stopSeconds } from './image.ts'

describe('deploy/Containerfile', () => {
  it('runs on the same Node as the sandbox, copies what is there, and is not root', async () => {
    const images = [...`${containerFile}${read('Containerfile')}`.matchAll(/^FROM (\S+)/gm)].map(
      ([, image]) => image,
    )
    expect(new Set(images)).toEqual(new Set(['node:26-trixie-slim']))
    const copied = [...containerFile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(
      ([, list = '']) => list.split(' '),
    )
    expect(copied.length).toBeGreaterThan(3)
    for (const path of copied) expect(() => statSync(join(root, path)), path).not.toThrow()
    // The documentation is built from more than docs/.
    const script = String(new URL('../../scripts/build-docs.mjs', import.meta.url))
    const { sources } = (await import(script)) as { sources: string[] }
    for (const text of [containerFile, read('Containerfile')])
      expect(
        sources
          .map((path) => path.split('/')[0])
          .filter((name) => !text.includes(`COPY ${name} ${name}\n`)),
      ).toEqual([])
    expect(containerFile).toMatch(/^USER node$/m)
    expect(containerFile).toContain(`CMD ["node", "packages/cli/bin/dragoman.js", "serve"]`)
    expect(Object.keys(imageEnv).filter((name) => !isKey(name))).toEqual([])
    expect(containerFile).toContain(`EXPOSE ${readConfig({ DRAGOMAN_PROFILE: 'sandbox' }).port}`)
  })
})

type Service = {
  image: string
  pull_policy?: string
  profiles?: string[]
  command?: string[]
  build?: { context: string; dockerfile: string }
  environment?: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
  stop_grace_period?: string
  read_only?: boolean
  volumes?: string[]
}

describe('what a person puts into deploy/', () => {
  const secrets = [
    'deploy/.env',
    'deploy/.env.production',
    'deploy/tls/privkey.pem',
    'deploy/tls/fullchain.pem',
    'deploy/backup/2026-11-19/dragoman.db',
    'deploy/hub.key',
  ]

  it('is neither committed nor sent to the build of the image', () => {
    const ignored = execFileSync('git', ['check-ignore', '--no-index', ...secrets], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(ignored.trim().split('\n')).toEqual(secrets)
    const rules = read('.dockerignore').trim().split('\n')
    const isLeftOut = (path: string) => rules.some((rule) => matchesGlob(path, rule))
    expect(secrets.filter((path) => !isLeftOut(path))).toEqual([])
    const needed = [
      'deploy/compose.env.example',
      'deploy/Containerfile',
      'packages/server/src/main.ts',
    ]
    expect(needed.filter(isLeftOut)).toEqual([])
  })
})

/** As Docker reads them: a rule also holds for what is below it. */
function matchesGlob(path: string, rule: string): boolean {
  const text = rule
    .split('**/')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*'))
    .join('(?:.*/)?')
  return new RegExp(`^${text}(?:/|$)`).test(path)
}

describe('deploy/compose.yaml', () => {
  const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    volumes: Record<string, null>
  }
  const { services } = compose
  const ofHub = Object.entries(services).filter(([, { image }]) => image === 'dragoman')
  const nodes = ofHub.filter(([, { profiles }]) => profiles === undefined)
  const asked = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  const example = Object.fromEntries(
    [...read('deploy/compose.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  const filled = (text: string): string =>
    text.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => example[name] || masterKey)

  it('has two nodes, a proxy, a database and object storage, each with a health check', () => {
    expect(nodes.map(([name]) => name)).toEqual(['node1', 'node2'])
    expect(Object.keys(services)).toEqual([
      'node1',
      'node2',
      'backup',
      'proxy',
      'database',
      'storage',
    ])
    for (const [name, { healthcheck, profiles, depends_on: needs = {} }] of Object.entries(
      services,
    )) {
      if (!profiles) expect(healthcheck?.test[0], name).toBe('CMD')
      for (const [need, { condition }] of Object.entries(needs))
        expect([Object.hasOwn(services, need), condition]).toEqual([true, 'service_healthy'])
    }
    const named = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((one) => one.split(':')[0] ?? ''),
    )
    for (const volume of named)
      if (['./tls', './backup'].includes(volume))
        expect(read('deploy/README.md')).toContain(volume.slice(2))
      else if (volume.startsWith('./'))
        expect(statSync(join(root, 'deploy', volume)).isFile()).toBe(true)
      else expect(Object.keys(compose.volumes)).toContain(volume)
  })

  it('asks for nothing that compose.env.example lacks', () => {
    expect([...new Set(asked)].sort()).toEqual(Object.keys(example).sort())
  })

  it('builds one image, once', () => {
    const built = ofHub.filter(([, { build }]) => build !== undefined)
    expect(built.map(([name, { pull_policy: policy }]) => [name, policy])).toEqual([
      ['node1', undefined],
    ])
    const others = ofHub.filter(([, { build }]) => build === undefined)
    expect(others.map(([name, { pull_policy: policy }]) => [name, policy])).toEqual([
      ['node2', 'never'],
      ['backup', 'never'],
    ])
    const { context = '', dockerfile = '' } = services.node1?.build ?? {}
    expect(join(root, 'deploy', context, dockerfile)).toBe(join(root, 'deploy/Containerfile'))
  })

  it('has a backup that runs only when asked, as the nodes do, into a folder of the machine', () => {
    const { command, profiles, environment, volumes } = services.backup ?? ({} as Service)
    expect([command, profiles]).toEqual([
      ['dragoman', 'backup', '--to', '/backup', '--keep', '14'],
      ['backup'],
    ])
    expect([environment, volumes]).toEqual([services.node1?.environment, ['./backup:/backup']])
  })

  it.each(ofHub.map(([name]) => name))('gives %s settings that the hub accepts', (name) => {
    const {
      environment = {},
      stop_grace_period: grace = '',
      read_only: readOnly,
    } = services[name] ?? ({} as Service)
    expect(Object.keys(environment).filter((key) => !isKey(key))).toEqual([])
    const env = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [key, filled(value)]),
    )
    const config = readConfig({ ...imageEnv, ...env })
    expect([config.profile, config.host, config.publicUrl]).toEqual([
      'production',
      '0.0.0.0',
      example.PUBLIC_URL,
    ])
    const database = new URL(config.databaseUrl)
    expect([services.database?.environment?.POSTGRES_USER, database.hostname]).toEqual([
      database.username,
      'database',
    ])
    const blobs = new URL(config.blobsUrl)
    expect(blobs.hostname).toBe(services.storage?.environment?.S3_BUCKET)
    expect(new URL(blobs.searchParams.get('endpoint') ?? '').hostname).toBe('storage')
    // Callers cannot reach the storage.
    expect(blobs.searchParams.get('links')).toBe('off')
    expect(readOnly).toBe(true)
    if (name !== 'backup') expect(Number.parseInt(grace, 10)).toBeGreaterThan(stopSeconds)
  })

  it('has nginx send calls to these nodes, at the port where they listen', () => {
    const upstream = [
      ...read('deploy/nginx/nodes-compose.conf').matchAll(/^\s+server (\w+):(\d+) /gm),
    ]
    expect(upstream.map(([, name, port]) => [name, port])).toEqual(
      nodes.map(([name]) => [name, '8080']),
    )
    const path = new URL(example.PUBLIC_URL ?? '').pathname
    expect(read('deploy/nginx/dragoman.conf')).toContain(`location ${path}/ {`)
  })
})
