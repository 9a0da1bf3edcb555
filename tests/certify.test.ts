/**
 * docs/certification.md: the real command, against real hubs and real connectors in processes of
 * their own. The reference connector on the SDK passes with each scenario that is drawn; the
 * careless one fails with the right verdicts.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarioNames } from '../packages/certify/src/scenarios.ts'
import { makeRounds } from '../packages/cli/src/certify/rounds.ts'
import { openSandbox } from '../packages/cli/src/certify/sandbox.ts'
import { buildProgram } from './build-program.ts'
import { sampled, sized } from './draws.ts'
import { type Env, spawnProgram, startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'dragoman-certify-'))
type Verdict = {
  name: string
  result: string
  because: string
  evidence: { id: string; call: string }[]
}
type Report = { passed: boolean; obligations: Verdict[]; scenarios: Verdict[] }

beforeAll(buildProgram)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = async (args: readonly string[], env: Env = {}) => {
  const program = spawnProgram(['certify', ...args], env)
  const { code } = await program.exited
  return { code, out: program.stdout(), err: program.stderr() }
}
const commandOf = (path: string) => `"${process.execPath}" "${join(root, path)}"`
const brokenIn = (verdicts: readonly Verdict[]) =>
  verdicts.filter(({ result }) => result === 'broken')
const namesOf = (verdicts: readonly Verdict[]) => verdicts.map(({ name }) => name).sort()

const scenarios = sampled(scenarioNames, 2)
/** Several hubs side by side, each with its share of the scenarios, so that their waits overlap. */
const shares = sized(1, 4)
describe('the reference connector on the SDK', () => {
  const hubs: TestHub[] = []
  beforeAll(async () => {
    hubs.push(...(await Promise.all(Array.from({ length: shares }, () => startHub()))))
  })
  afterAll(() => Promise.all(hubs.map((hub) => hub.close())))

  test('passes with every scenario that is tried', async () => {
    const reports = await Promise.all(
      hubs.map(async (hub, share) => {
        const mine = scenarios.filter((_, at) => at % shares === share)
        const home = join(folder, `connector-${share}`)
        const { code, out, err } = await run(
          [
            ...[
              '--hub',
              hub.url,
              '--command',
              commandOf('examples/reference-connector.mjs'),
              '--json',
            ],
            ...['--timeout', '2m', '--junit', join(folder, `${share}.xml`)],
            ...mine.flatMap((name) => ['--scenario', name]),
          ],
          { CONNECTOR_HOME: home },
        )
        const report = JSON.parse(out) as Report
        const broken = [...brokenIn(report.obligations), ...brokenIn(report.scenarios)]
        expect(broken, err).toEqual([])
        expect([code, report.passed]).toEqual([0, true])
        return report
      }),
    )
    const judged = reports
      .flatMap(({ scenarios }) => scenarios)
      .filter(({ name }) => name !== 'plain')
    expect(namesOf(judged)).toEqual([...scenarios].sort())
    // Each of them acted on it: a scenario that was not met would prove nothing.
    expect(judged.filter(({ result }) => result !== 'kept')).toEqual([])
    const seen = new Set(
      reports.flatMap(({ obligations }) =>
        obligations.filter(({ result }) => result === 'kept').map(({ name }) => name),
      ),
    )
    const unseen = namesOf(reports[0]?.obligations ?? []).filter((name) => !seen.has(name))
    expect(unseen).toContain('transaction-log')
    if (scenarios.length === scenarioNames.length) expect(unseen).toEqual(['transaction-log'])
    mustBeXml(readFileSync(join(folder, '0.xml'), 'utf8'))
  })

  test('shows its transaction log when it is asked for it', async () => {
    const [hub] = hubs
    const home = join(folder, 'logging')
    const args = [
      '--hub',
      hub?.url ?? '',
      '--command',
      commandOf('examples/reference-connector.mjs'),
      '--scenario',
      'plain',
    ]
    expect((await run(args, { CONNECTOR_HOME: home })).code).toBe(0)
    const [name = ''] = readdirSync(join(home, 'log'))
    await hub?.advance('3d')
    const badge = join(folder, 'badge.svg')
    const more = [
      '--log',
      join(home, 'log', name),
      '--badge',
      badge,
      '--junit',
      join(folder, 'log.xml'),
    ]
    const { code, out } = await run([...args, ...more], { CONNECTOR_HOME: home })
    expect(code, out).toBe(0)
    expect(out).toMatch(/^Obligations kept: [\s\S]*transaction-log/)
    expect(out.trimEnd().split('\n').length, 'one screen').toBeLessThanOrEqual(24)
    // By the real clock, not by that of the sandbox.
    const today = [new Date(), new Date(Date.now() - 600_000)].map((time) =>
      time.toISOString().slice(0, 10),
    )
    expect(today).toContain(/, (\d{4}-\d\d-\d\d) \d\d:\d\d UTC$/m.exec(out)?.[1])
    expect(readFileSync(badge, 'utf8')).toContain(
      `certified ${/, (\S+) \d\d:\d\d UTC$/m.exec(out)?.[1]}`,
    )
    for (const file of [badge, join(folder, 'log.xml')]) mustBeXml(readFileSync(file, 'utf8'))
  })
})

describe('on one hub', () => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub()
  })
  afterAll(() => hub.close())

  test('a careless connector fails, with the right verdicts and the calls that show it', async () => {
    const scenarios = ['rate-limit-storm', 'rate-limit-silent', 'small-pages']
    const html = join(folder, 'careless.html')
    const { code, out } = await run([
      ...[
        '--hub',
        hub.url,
        '--command',
        commandOf('tests/connectors/careless.mjs'),
        '--json',
        '--html',
        html,
      ],
      ...['--timeout', '2m', ...scenarios.flatMap((name) => ['--scenario', name])],
    ])
    const report = JSON.parse(out) as Report
    expect([code, report.passed]).toEqual([1, false])
    expect(namesOf(brokenIn(report.obligations))).toEqual(
      [
        ...[
          'accept',
          'acknowledge',
          'backoff',
          'deprecated',
          'guid-prefix',
          'in-progress',
          'languages',
          'metadata',
        ],
        ...['name-length', 'pages', 'redirect', 'token-reuse'],
      ].sort(),
    )
    expect(namesOf(brokenIn(report.scenarios))).toEqual(['plain', ...scenarios].sort())
    const names = report.obligations.find(({ name }) => name === 'name-length')
    expect(names?.because).toContain('400 bytes')
    const page = readFileSync(html, 'utf8')
    expect(page).toContain('<h1>Not certified')
    // The evidence is calls that the hub itself knows by these ids.
    const { body } = await hub.call<{ calls: { id: string }[] }>('GET', '/sandbox/calls')
    const known = new Set(body.calls.map(({ id }) => id))
    for (const { evidence } of brokenIn(report.obligations)) {
      expect(evidence.length).toBeGreaterThan(0)
      for (const { id } of evidence) {
        expect(known.has(id)).toBe(true)
        expect(page).toContain(id)
      }
    }
    const { body: left } = await hub.call<{ active: unknown[] }>('GET', '/sandbox/faults')
    expect(left.active).toEqual([])
  })

  test('puts the clock back where it was, however far the rounds moved it', async () => {
    await hub.advance('1h')
    const offset = async () =>
      (await hub.call<{ offsetMs: number }>('GET', '/sandbox/clock')).body.offsetMs
    const before = await offset()
    const sandbox = await openSandbox(hub.url)
    const run = () => ({ ended: hub.advance('5h').then(() => ({ code: 0 })), said: () => '' })
    const { signal } = new AbortController()
    await makeRounds({
      sandbox,
      client: 'demo-connector',
      run,
      scenarios: [],
      told: () => {},
      signal,
    })
    expect(await offset()).toBe(before)
  })

  test('a connector that hangs is ended, and said to be late', async () => {
    const command = `"${process.execPath}" -e "setInterval(() => {}, 1000)"`
    const { code, out } = await run([
      '--hub',
      hub.url,
      '--command',
      command,
      '--scenario',
      'plain',
      '--timeout',
      '1s',
    ])
    expect(code).toBe(1)
    expect(out).toContain('The connector did not finish in time.')
  })

  test('Ctrl-C ends the connector and takes the fault back', async () => {
    const begun = join(folder, 'begun')
    // Ends at once without a fault, then stays and says that it does.
    const script = `process.env.HUB_SCENARIO === 'plain' || (require('fs').writeFileSync(process.env.BEGUN, String(process.pid)), setInterval(() => {}, 1000))`
    const command = `"${process.execPath}" -e "${script}"`
    const args = ['certify', '--hub', hub.url, '--command', command, '--scenario', 'unavailable']
    const program = spawnProgram(args, { BEGUN: begun })
    const pid = await until(
      'the second round runs',
      () => existsSync(begun) && Number(readFileSync(begun, 'utf8')),
    )
    program.signal('SIGINT')
    expect(await program.exited).toMatchObject({ code: 130 })
    const { body } = await hub.call<{ active: unknown[] }>('GET', '/sandbox/faults')
    expect(body.active).toEqual([])
    await until('the connector is gone', () => !isRunning(pid))
  })

  test('a connector that somebody else runs is waited for', async () => {
    const watching = spawnProgram(
      ['certify', '--hub', hub.url, '--scenario', 'plain', '--timeout', '90s', '--json'],
      {},
    )
    await until('it asks for a round', () =>
      watching.stderr().includes('Now run the connector for one round'),
    )
    const env = {
      PATH: process.env.PATH,
      HUB_URL: hub.url,
      CONNECTOR_HOME: join(folder, 'waited-for'),
    }
    await promisify(execFile)(process.execPath, [join(root, 'examples/reference-connector.mjs')], {
      env,
    })
    const { code } = await watching.exited
    expect([code, (JSON.parse(watching.stdout()) as Report).passed]).toEqual([0, true])
  })

  const bad: [string, () => readonly string[], number, string][] = [
    ['no hub', () => ['--hub', 'http://127.0.0.1:9'], 3, 'No hub at http://127.0.0.1:9'],
    [
      'an unknown scenario',
      () => ['--hub', hub.url, '--scenario', 'storm'],
      2,
      'Unknown scenario "storm"; the scenarios are',
    ],
    [
      'a bad timeout',
      () => ['--hub', hub.url, '--timeout', '3w'],
      2,
      '--timeout must be a duration like',
    ],
    ['an unknown option', () => ['--fast'], 2, "Unknown option '--fast'"],
  ]
  test.each(bad)('%s is explained in a sentence', async (_, args, code, says) => {
    const ended = await run(args())
    expect(ended.err).toContain(says)
    expect([ended.code, ended.out]).toEqual([code, ''])
  })

  test('a hub that is not a sandbox is recognised', async () => {
    const real = await startHub({ profile: 'staging' })
    try {
      const { code, err } = await run(['--hub', real.url])
      expect([code, err]).toEqual([2, expect.stringContaining('with the sandbox profile')])
    } finally {
      await real.close()
    }
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function mustBeXml(text: string): void {
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.write(text).close()
}
