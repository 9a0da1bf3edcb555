/**
 * The alerts and the dashboard under deploy/: every metric and label that they name is one that a
 * hub exports, Prometheus understands every expression, and each alert fires when it should
 * (alerts.yml beside this file).
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { isThere } from '../formats/judge.ts'
import { startHub, type TestHub } from '../hub.ts'
import { parkTask } from '../parked-task.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

type Rule = { alert: string; expr: string; annotations: { summary: string; description: string } }
const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

type Panel = {
  title: string
  type: string
  targets?: { expr: string }[]
  gridPos: Record<'x' | 'y' | 'w' | 'h', number>
}
const dashboard = JSON.parse(read('deploy/grafana/dragoman.json')) as {
  panels: Panel[]
  templating: { list: { name: string; definition?: string }[] }
}
/** As Grafana sends it. */
const filled = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'dragoman')
const drawn = dashboard.panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr }) => filled(expr)),
)
const expressions = [...rules.map(({ expr }) => expr), ...drawn]

/** Labels and metrics that Prometheus adds. */
const ofPrometheus = ['up', 'job', 'instance', 'le']
const metricsIn = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:up|(?:dragoman|nodejs|process)_\w+)\b/g)].map(([name]) => name)
const labelsIn = (expr: string): string[] => [
  ...[...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, name = '']) => name),
  ...[...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */)),
]

let hub: TestHub
let exported: Map<string, Set<string>>
beforeAll(async () => {
  hub = await startHub()
  // Calls, a finding, a task that failed and will be retried, and one that ran.
  await parkTask(hub)
  await parkTask(hub, { parked: 0, due_at: hub.inner.clock.now() + 3_600_000 })
  const as = 'demo-connector'
  const body = { type: 'JOB_STATUS_UPDATED', uri: 'http://127.0.0.1:9/hook' }
  const made = await hub.call<{ listenerId: string }>('POST', '/v2/statusupdates/listeners', {
    as,
    body,
  })
  await hub.call('POST', `/v2/statusupdates/listeners/${made.body.listenerId}/test`, { as })
  await hub.advance('1s')
  const { body: text } = await hub.call<string>('GET', '/metrics')
  exported = new Map()
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\w+)$/gm))
    for (const ending of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      exported.set(name + ending, new Set())
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_0-9]+)\{(.*)\} \S+$/gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) exported.get(name)?.add(label)
})
afterAll(() => hub.close())

describe('the alerts and the dashboard', () => {
  it('name metrics that a hub exports, with labels that they have', () => {
    for (const expr of expressions) {
      const names = metricsIn(expr)
      expect(names.length, expr).toBeGreaterThan(0)
      const unknown = names.filter((name) => !exported.has(name) && !ofPrometheus.includes(name))
      expect([expr, ...unknown]).toEqual([expr])
      const labels = names.flatMap((name) => [...(exported.get(name) ?? [])])
      const missing = labelsIn(expr).filter(
        (label) => !labels.includes(label) && !ofPrometheus.includes(label),
      )
      expect([expr, ...missing]).toEqual([expr])
    }
  })

  it('cover every metric of the hub, which the handbook describes', () => {
    const own = [...exported.keys()]
      .filter((name) => name.startsWith('dragoman_'))
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''))
    const used = expressions
      .flatMap(metricsIn)
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''))
    expect([...new Set(own)].filter((name) => !used.includes(name))).toEqual([])
    const handbook = read('docs/operating.md')
    expect([...new Set(own)].filter((name) => !handbook.includes(`\`${name}\``))).toEqual([])
  })

  it('say what to do, by commands that exist and pages that are there', () => {
    const help = execFileSync(process.execPath, [
      join(root, 'packages/cli/bin/dragoman.js'),
      '--help',
    ]).toString()
    for (const { alert, annotations } of rules) {
      expect(annotations.description.length, alert).toBeGreaterThan(30)
      for (const [, command = ''] of annotations.description.matchAll(/\bdragoman ([a-z]+)/g))
        expect(help).toMatch(new RegExp(`^ {2}${command} {2}`, 'm'))
      for (const [page] of annotations.description.matchAll(/docs\/[\w-]+\.md/g))
        expect(read(page)).not.toBe('')
    }
  })
})

describe('the dashboard', () => {
  it('asks for its data source and job, and no panel covers another', () => {
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job'])
    const taken = new Set<string>()
    for (const { title, gridPos } of dashboard.panels)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([title, taken.has(`${x} ${y}`), x < 24]).toEqual([title, false, true])
          taken.add(`${x} ${y}`)
        }
    expect(new Set(dashboard.panels.map(({ title }) => title)).size).toBe(dashboard.panels.length)
  })
})

if (isThere('promtool'))
  describe('Prometheus', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-rules-'))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    const promtool = (...args: string[]): string =>
      execFileSync('promtool', args, {
        cwd: join(root, 'deploy/prometheus'),
        stdio: 'pipe',
      }).toString()

    it('understands its configuration, every alert, and every expression of the dashboard', () => {
      expect(promtool('check', 'config', 'prometheus.yml')).toContain(`${rules.length} rules found`)
      const asked = join(folder, 'dashboard.yml')
      const recorded = drawn.map((expr, at) => ({ record: `panel:${at}`, expr }))
      writeFileSync(asked, stringify({ groups: [{ name: 'dashboard', rules: recorded }] }))
      expect(promtool('check', 'rules', asked)).toContain(`${drawn.length} rules found`)
    })

    it('fires each alert for the case that it is for, and not for a healthy hub', () => {
      const cases = join(folder, 'cases.yml')
      const text = read('tests/deploy/alerts.yml')
      writeFileSync(
        cases,
        text.replace('- ALERTS', `- ${join(root, 'deploy/prometheus/alerts.yml')}`),
      )
      for (const tried of [/alertname: (\w+)/g, /alertname="(\w+)"/g])
        expect([...text.matchAll(tried)].map(([, name]) => name)).toEqual(
          rules.map(({ alert }) => alert),
        )
      expect(promtool('test', 'rules', cases)).toContain('SUCCESS')
    })
  })

it('every file under deploy/ is in its README', () => {
  const files = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name !== 'README.md')
    .map((one) => join(one.parentPath, one.name).slice(join(root, 'deploy/').length))
  const page = read('deploy/README.md')
  expect(files.filter((path) => !page.includes(`](${path})`))).toEqual([])
})
