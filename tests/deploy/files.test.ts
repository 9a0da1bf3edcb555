/**
 * The files under deploy/ that no program on a test machine runs: they parse, they fit each other, and whatever they say about the
 * hub (keys, ports, paths, commands, times) is true.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../packages/server/src/config/config.ts'
import { configKeys } from '../../packages/server/src/config/config-keys.ts'
import { isThere } from '../formats/judge.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const tools = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'NODE_ENV']
const isKey = (name: string): boolean => Object.hasOwn(configKeys, name) || tools.includes(name)
const masterKey = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
/** The most that a hub takes to stop, in seconds (docs/operating.md). */
const stopSeconds = 30

const containerFile = read('deploy/Containerfile')
/** ENV of the container file. */
const imageEnv = Object.fromEntries(
  [...containerFile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((pair) => pair.split('=')),
  ),
) as Record<string, string>

describe('deploy/Containerfile', () => {
  it('runs on the same Node as the sandbox, copies what is there, and is not root', () => {
    const images = [...`${containerFile}${read('Containerfile')}`.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
    expect(new Set(images)).toEqual(new Set(['node:26-trixie-slim']))
    const copied = [...containerFile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, list = '']) =>
      list.split(' '),
    )
    expect(copied.length).toBeGreaterThan(3)
    for (const path of copied) expect(() => statSync(join(root, path)), path).not.toThrow()
    expect(containerFile).toMatch(/^USER node$/m)
    expect(containerFile).toContain(`CMD ["node", "packages/cli/bin/dragoman.js", "serve"]`)
    expect(Object.keys(imageEnv).filter((name) => !isKey(name))).toEqual([])
    expect(containerFile).toContain(`EXPOSE ${readConfig({ DRAGOMAN_PROFILE: 'sandbox' }).port}`)
  })
})

type Service = {
  image: string
  build?: { context: string; dockerfile: string }
  environment?: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  healthcheck: { test: string[] }
  stop_grace_period?: string
  read_only?: boolean
  volumes?: string[]
}

describe('deploy/compose.yaml', () => {
  const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    volumes: Record<string, null>
  }
  const { services } = compose
  const nodes = Object.entries(services).filter(([, { image }]) => image === 'dragoman')
  const asked = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  const example = Object.fromEntries(
    [...read('deploy/compose.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  const filled = (text: string): string =>
    text.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => example[name] || masterKey)

  it('has two nodes, a proxy, a database and object storage, each with a health check', () => {
    expect(nodes.map(([name]) => name)).toEqual(['node1', 'node2'])
    expect(Object.keys(services)).toEqual(['node1', 'node2', 'proxy', 'database', 'storage'])
    for (const [name, { healthcheck, depends_on: needs = {} }] of Object.entries(services)) {
      expect(healthcheck.test[0], name).toBe('CMD')
      for (const [need, { condition }] of Object.entries(needs))
        expect([Object.hasOwn(services, need), condition]).toEqual([true, 'service_healthy'])
    }
    const named = Object.values(services).flatMap(({ volumes = [] }) => volumes.map((one) => one.split(':')[0] ?? ''))
    for (const volume of named)
      if (volume.startsWith('./') && volume !== './tls')
        expect(statSync(join(root, 'deploy', volume)).isFile()).toBe(true)
      else if (volume !== './tls') expect(Object.keys(compose.volumes)).toContain(volume)
  })

  it('asks for nothing that compose.env.example lacks', () => {
    expect([...new Set(asked)].sort()).toEqual(Object.keys(example).sort())
  })

  it.each(nodes.map(([name]) => name))('gives %s settings that the hub accepts', (name) => {
    const { environment = {}, build, stop_grace_period: grace, read_only: readOnly } = services[name] ?? ({} as Service)
    expect(Object.keys(environment).filter((key) => !isKey(key))).toEqual([])
    const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filled(value)]))
    const config = readConfig({ ...imageEnv, ...env })
    expect([config.profile, config.host, config.publicUrl]).toEqual(['production', '0.0.0.0', example.PUBLIC_URL])
    const database = new URL(config.databaseUrl)
    expect([services.database?.environment?.POSTGRES_USER, database.hostname]).toEqual([database.username, 'database'])
    const blobs = new URL(config.blobsUrl)
    expect(blobs.hostname).toBe(services.storage?.environment?.S3_BUCKET)
    expect(new URL(blobs.searchParams.get('endpoint') ?? '').hostname).toBe('storage')
    // Callers cannot reach the storage.
    expect(blobs.searchParams.get('links')).toBe('off')
    expect(join(root, 'deploy', build?.context ?? '', build?.dockerfile ?? '')).toBe(join(root, 'deploy/Containerfile'))
    expect([Number.parseInt(grace ?? '', 10) > stopSeconds, readOnly]).toEqual([true, true])
  })

  it('has nginx send calls to these nodes, at the port where they listen', () => {
    const upstream = [...read('deploy/nginx/nodes-compose.conf').matchAll(/^\s+server (\w+):(\d+) /gm)]
    expect(upstream.map(([, name, port]) => [name, port])).toEqual(nodes.map(([name]) => [name, '8080']))
    const path = new URL(example.PUBLIC_URL ?? '').pathname
    expect(read('deploy/nginx/dragoman.conf')).toContain(`location ${path}/ {`)
  })
})

describe('deploy/dragoman.service', () => {
  const unit = read('deploy/dragoman.service')
  const settings = new Map(
    [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const),
  )

  it('starts a command that exists, with keys that the hub knows, and lets it stop in peace', () => {
    const [, program = '', verb] = settings.get('ExecStart')?.split(' ') ?? []
    expect(statSync(join(root, program.replace('/opt/dragoman/', ''))).isFile()).toBe(true)
    expect(verb).toBe('serve')
    const names = (settings.get('Environment') ?? '').split(' ').map((pair) => pair.split('=')[0] ?? '')
    expect(names.filter((name) => !isKey(name))).toEqual([])
    expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThan(stopSeconds)
    expect(unit).toContain(`DRAGOMAN_CONFIG=/etc/dragoman/dragoman.yml`)
  })

  it('reads deploy/dragoman.yml, which the hub accepts and which stays in the state directory', () => {
    const config = readConfig({ DRAGOMAN_CONFIG: join(root, 'deploy/dragoman.yml') })
    expect([config.profile, config.data]).toEqual(['production', `/var/lib/${settings.get('StateDirectory')}`])
    const commented = [...read('deploy/dragoman.yml').matchAll(/^# (DRAGOMAN_\w+):/gm)].map(([, name = '']) => name)
    expect(commented.length).toBeGreaterThan(2)
    expect(commented.filter((name) => !isKey(name))).toEqual([])
  })

  it('is understood by systemd, which finds little that the hub could do to its machine', ({ skip }) => {
    skip(!isThere('systemd-analyze'), 'systemd-analyze is not installed')
    const path = join(root, 'deploy/dragoman.service')
    const said = execFileSync('systemd-analyze', ['security', '--offline=yes', '--threshold=20', '--no-pager', path])
    expect(said.toString()).toMatch(/Overall exposure level for dragoman\.service: [01]\.\d/)
    // It also reports what else it misses on this machine, such as the user.
    const verified = execFileSync('sh', ['-c', `systemd-analyze verify --man=no '${path}' 2>&1 || true`]).toString()
    expect(verified.split('\n').filter((line) => /dragoman\.service:\d+|unknown|invalid|ignoring/i.test(line))).toEqual(
      [],
    )
  })
})

describe('deploy/apertium-apy.service', () => {
  const unit = read('deploy/apertium-apy.service')

  it('lets only this machine reach an engine that listens everywhere', () => {
    expect(unit).toMatch(/^IPAddressDeny=any\nIPAddressAllow=localhost$/m)
    expect(unit).toMatch(/^DynamicUser=yes$/m)
  })

  if (isThere('systemd-analyze'))
    it('is understood by systemd', () => {
      const path = join(root, 'deploy/apertium-apy.service')
      const said = execFileSync('sh', ['-c', `systemd-analyze verify --man=no '${path}' 2>&1 || true`]).toString()
      expect(
        said.split('\n').filter((line) => /apertium-apy\.service:\d+|unknown|invalid|ignoring/i.test(line)),
      ).toEqual([])
    })
})

type Labels = Record<string, string>
type Probe = {
  httpGet: { path: string; port: string }
  periodSeconds: number
  timeoutSeconds: number
  failureThreshold: number
}
type Container = {
  name: string
  image: string
  envFrom: ({ configMapRef: { name: string } } | { secretRef: { name: string } })[]
  ports: { name: string; containerPort: number }[]
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
  resources: { requests: Labels; limits: Labels }
  securityContext: {
    readOnlyRootFilesystem: boolean
    allowPrivilegeEscalation: boolean
    capabilities: { drop: string[] }
  }
  volumeMounts: { name: string; mountPath: string }[]
}
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Labels }
  data?: Labels
  spec: {
    replicas: number
    minAvailable: number
    selector: Labels & { matchLabels: Labels }
    ports: { port: number; targetPort: string }[]
    strategy: { rollingUpdate: { maxUnavailable: number } }
    template: {
      metadata: { labels: Labels }
      spec: {
        terminationGracePeriodSeconds: number
        enableServiceLinks: boolean
        securityContext: { runAsNonRoot: boolean; runAsUser: number }
        topologySpreadConstraints: { labelSelector: { matchLabels: Labels } }[]
        containers: Container[]
        volumes: { name: string }[]
      }
    }
  }
}

describe('deploy/kubernetes.yaml', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml'))
  const manifests = documents.map((document) => document.toJS() as Manifest)
  const ofKind = (kind: string): Manifest => {
    const found = manifests.find((one) => one.kind === kind)
    if (!found) throw new Error(`there is no ${kind}`)
    return found
  }
  const pod = ofKind('Deployment').spec.template
  const [hub] = pod.spec.containers
  if (!hub) throw new Error('there is no container')
  const settings = ofKind('ConfigMap').data ?? {}

  it('parses, and every object has a version, a kind and a name that fit', () => {
    for (const document of documents) expect([...document.errors, ...document.warnings]).toEqual([])
    const kinds = { ConfigMap: 'v1', Deployment: 'apps/v1', Service: 'v1', PodDisruptionBudget: 'policy/v1' }
    expect(Object.fromEntries(manifests.map(({ kind, apiVersion }) => [kind, apiVersion]))).toEqual(kinds)
    for (const { kind, metadata } of manifests) expect([kind, metadata.name]).toEqual([kind, 'dragoman'])
  })

  it('has selectors that find the pods, and names that lead somewhere', () => {
    const { labels } = pod.metadata
    const { spec } = ofKind('Deployment')
    const selectors = [
      spec.selector.matchLabels,
      ofKind('PodDisruptionBudget').spec.selector.matchLabels,
      ofKind('Service').spec.selector,
      ...pod.spec.topologySpreadConstraints.map((one) => one.labelSelector.matchLabels),
    ]
    for (const selector of selectors) expect(labels).toMatchObject(selector)
    const ports = hub.ports.map(({ name }) => name)
    for (const { targetPort } of ofKind('Service').spec.ports) expect(ports).toContain(targetPort)
    const volumes = pod.spec.volumes.map(({ name }) => name)
    expect(hub.volumeMounts.map(({ name }) => name)).toEqual(volumes)
    expect(hub.volumeMounts.map(({ mountPath }) => mountPath)).toContain(imageEnv.DRAGOMAN_DATA)
  })

  it('gives the hub settings that it accepts, with nothing that the cluster adds', () => {
    const secrets = /^# secrets\.env has ([\s\S]*?)\. /m.exec(read('deploy/kubernetes.yaml'))?.[1] ?? ''
    const named = [...secrets.matchAll(/[A-Z][A-Z_]+/g)].map(([name]) => name)
    expect([...Object.keys(settings), ...named].filter((name) => !isKey(name))).toEqual([])
    expect(named).toContain('DRAGOMAN_DATABASE_URL')
    const config = readConfig({
      ...imageEnv,
      ...settings,
      DRAGOMAN_DATABASE_URL: 'postgres://dragoman:x@db/dragoman',
      DRAGOMAN_MASTER_KEY: masterKey,
    })
    const ports = Object.fromEntries(hub.ports.map(({ name, containerPort }) => [name, containerPort]))
    expect(ports).toEqual({ http: config.port, metrics: config.metrics?.port })
    // A service called dragoman would set DRAGOMAN_PORT=tcp://… in the pod.
    expect(pod.spec.enableServiceLinks).toBe(false)
    expect(hub.envFrom).toEqual([{ configMapRef: { name: 'dragoman' } }, { secretRef: { name: 'dragoman' } }])
  })

  it('probes what the hub serves, and waits for it to drain', () => {
    const paths = [hub.startupProbe, hub.livenessProbe, hub.readinessProbe].map(({ httpGet }) => httpGet)
    expect(paths).toEqual([
      { path: '/healthz', port: 'http' },
      { path: '/healthz', port: 'http' },
      { path: '/readyz', port: 'http' },
    ])
    const { periodSeconds, failureThreshold, timeoutSeconds } = hub.readinessProbe
    // /readyz itself waits 5 s for the database.
    expect(timeoutSeconds).toBeGreaterThan(5)
    expect(periodSeconds * failureThreshold * 1_000).toBeLessThan(
      readConfig({ ...settings, ...imageEnv, DRAGOMAN_DATABASE_URL: 'sqlite:x' }).drainDelayMs,
    )
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(stopSeconds)
  })

  it('keeps one of two nodes, without root and without a writable root file system', () => {
    const { spec } = ofKind('Deployment')
    expect([spec.replicas, spec.strategy.rollingUpdate.maxUnavailable]).toEqual([2, 0])
    expect(ofKind('PodDisruptionBudget').spec.minAvailable).toBe(1)
    expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(hub.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(Object.keys({ ...hub.resources.requests, ...hub.resources.limits }).sort()).toEqual(['cpu', 'memory'])
  })
})
