/**
 * deploy/kubernetes.yaml: it parses, its objects fit each other, and whatever it says about the hub
 * is true.
 */
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../../packages/server/src/config/config.ts'
import { imageEnv, isKey, masterKey, read, stopSeconds } from './image.ts'

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
  args?: string[]
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
type Pod = {
  metadata: { labels: Labels }
  spec: {
    restartPolicy?: string
    terminationGracePeriodSeconds: number
    enableServiceLinks: boolean
    securityContext: { runAsNonRoot: boolean; runAsUser: number }
    topologySpreadConstraints: { labelSelector: { matchLabels: Labels } }[]
    containers: Container[]
    volumes: { name: string }[]
  }
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
    ports: { name: string; port: number; targetPort: string }[]
    strategy: { rollingUpdate: { maxUnavailable: number } }
    template: Pod
    schedule: string
    concurrencyPolicy: string
    jobTemplate: { spec: { template: Pod } }
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
    const kinds = {
      ConfigMap: 'v1',
      Deployment: 'apps/v1',
      Service: 'v1',
      PodDisruptionBudget: 'policy/v1',
      CronJob: 'batch/v1',
    }
    expect(Object.fromEntries(manifests.map(({ kind, apiVersion }) => [kind, apiVersion]))).toEqual(
      kinds,
    )
    for (const { kind, metadata } of manifests)
      expect([kind, metadata.name]).toEqual([
        kind,
        kind === 'CronJob' ? 'dragoman-backup' : 'dragoman',
      ])
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
    const secrets =
      /^# secrets\.env has ([\s\S]*?)\. /m.exec(read('deploy/kubernetes.yaml'))?.[1] ?? ''
    const named = [...secrets.matchAll(/[A-Z][A-Z_]+/g)].map(([name]) => name)
    expect([...Object.keys(settings), ...named].filter((name) => !isKey(name))).toEqual([])
    expect(named).toContain('DRAGOMAN_DATABASE_URL')
    const config = readConfig({
      ...imageEnv,
      ...settings,
      DRAGOMAN_DATABASE_URL: 'postgres://dragoman:x@db/dragoman',
      DRAGOMAN_MASTER_KEY: masterKey,
    })
    const ports = Object.fromEntries(
      hub.ports.map(({ name, containerPort }) => [name, containerPort]),
    )
    expect(ports).toEqual({ http: config.port, metrics: config.metrics?.port })
    expect(ofKind('Service').spec.ports).toEqual([
      { name: 'http', port: 80, targetPort: 'http' },
      { name: 'metrics', port: config.metrics?.port, targetPort: 'metrics' },
    ])
    // A service called dragoman would set DRAGOMAN_PORT=tcp://… in the pod.
    expect(pod.spec.enableServiceLinks).toBe(false)
    expect(hub.envFrom).toEqual([
      { configMapRef: { name: 'dragoman' } },
      { secretRef: { name: 'dragoman' } },
    ])
  })

  it('probes what the hub serves, and waits for it to drain', () => {
    const paths = [hub.startupProbe, hub.livenessProbe, hub.readinessProbe].map(
      ({ httpGet }) => httpGet,
    )
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
    expect(Object.keys({ ...hub.resources.requests, ...hub.resources.limits }).sort()).toEqual([
      'cpu',
      'memory',
    ])
  })

  it('backs up every night with the image, the settings and the rights of a node, apart from the service', () => {
    const { schedule, concurrencyPolicy, jobTemplate } = ofKind('CronJob').spec
    const job = jobTemplate.spec.template
    const [backup] = job.spec.containers
    expect([schedule, concurrencyPolicy, job.spec.restartPolicy]).toEqual([
      '30 2 * * *',
      'Forbid',
      'Never',
    ])
    expect(backup?.args?.slice(0, 3)).toEqual(['dragoman', 'backup', '--to'])
    expect(backup?.args?.[3]).toMatch(/^s3:/)
    for (const same of [
      'image',
      'envFrom',
      'securityContext',
      'resources',
      'volumeMounts',
    ] as const)
      expect(backup?.[same]).toEqual(hub[same])
    for (const same of ['securityContext', 'volumes', 'enableServiceLinks'] as const)
      expect(job.spec[same]).toEqual(pod.spec[same])
    expect(job.metadata.labels).not.toMatchObject(ofKind('Service').spec.selector)
    // Two nights may fail before a finding says so.
    expect(settings.DRAGOMAN_BACKUP_EXPECTED).toBe('2d')
  })
})
