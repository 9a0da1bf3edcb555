/** No command sends a secret unencrypted to a remote hub, unless it is told to. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { certify } from '../certify.ts'
import { clients } from '../clients.ts'
import { type Command, exitCodes, runCommand } from '../command.ts'
import { doctor } from '../developer/doctor.ts'
import { logs } from '../developer/logs.ts'
import { open } from '../developer/open.ts'
import { trigger } from '../developer/trigger.ts'
import { audit } from '../operating/audit.ts'
import { calls } from '../operating/calls.ts'
import { deliveries } from '../operating/deliveries.ts'
import { findings } from '../operating/findings.ts'
import { nodes } from '../operating/nodes.ts'
import { people } from '../operating/people.ts'
import { reports } from '../operating/reports.ts'
import { sites } from '../operating/sites.ts'
import { tasks } from '../operating/tasks.ts'
import { timeline } from '../operating/timeline.ts'
import { providers } from '../providers/providers.ts'
import { cassette } from './cassette.ts'
import { clock } from './clock.ts'
import { writeCredentials } from './credentials.ts'
import { joinHub } from './hub-connection.ts'
import { jobs } from './jobs.ts'
import { listen } from './listen.ts'
import { login } from './login.ts'
import { pull } from './pull/pull.ts'
import { push } from './push/push.ts'
import { quota } from './quota.ts'
import { quote } from './quote.ts'
import { requests } from './requests.ts'
import { approve, reject } from './review.ts'
import { status } from './status.ts'
import { watch } from './watch.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-http-'))
let heard = 0
/** Answers that it is there, and counts calls with a secret. */
const server = createServer(({ method }, answer) => {
  const isSecret = method === 'POST'
  heard += isSecret ? 1 : 0
  const said = isSecret ? { error: 'invalid_client' } : { status: 'ok', version: '1.0.0' }
  answer
    .writeHead(isSecret ? 401 : 200, { 'content-type': 'application/json' })
    .end(JSON.stringify(said))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Reaches this machine, but is not a loopback address.
  url = `http://0.0.0.0:${(server.address() as AddressInfo).port}`
  writeFileSync(
    join(folder, 'dragoman.yml'),
    'source: en-us\ntargets: [de-de]\nfiles: [a.txt]\noutput: "{lang}/{path}"\n',
  )
  writeFileSync(join(folder, 'a.txt'), 'Hello')
})
beforeEach(() => {
  heard = 0
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const credentials = { HUB_CLIENT_ID: 'acme', HUB_CLIENT_SECRET: 'a secret' }

async function run(
  command: Command,
  args: readonly string[],
  env: Record<string, string> = credentials,
  cwd = folder,
) {
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const given = { XDG_CONFIG_HOME: join(folder, 'config'), HUB_URL: url, ...env }
  const screen = {
    env: given,
    out: say,
    err: say,
    cwd,
    columns: 80,
    isTerminal: { out: false, err: false },
  }
  return { code: await runCommand(command, 'x', [...args], screen), said: said.join('\n') }
}

const jobId = 'AAAAAAAAAA'
const commands: Readonly<Record<string, readonly [command: Command, ...args: string[]]>> = {
  approve: [approve, jobId],
  audit: [audit],
  calls: [calls],
  cassette: [cassette, jobId],
  certify: [certify, '--command', 'true'],
  clients: [clients, 'list', '--hub', 'http://hub.example.org'],
  clock: [clock],
  deliveries: [deliveries, 'list'],
  doctor: [doctor],
  findings: [findings],
  jobs: [jobs],
  listen: [listen, '--forward', 'http://127.0.0.1:9'],
  login: [login],
  logs: [logs],
  nodes: [nodes],
  open: [open, '--print'],
  people: [people, 'list'],
  providers: [providers],
  pull: [pull],
  push: [push],
  quota: [quota],
  quote: [quote, jobId],
  reject: [reject, jobId, '--note', 'x'],
  reports: [reports, 'words'],
  requests: [requests, jobId],
  sites: [sites, 'list'],
  status: [status, jobId],
  tasks: [tasks, 'list'],
  timeline: [timeline, jobId],
  trigger: [trigger, 'job.created'],
  watch: [watch],
}

describe('a hub elsewhere without https', () => {
  it.each(Object.entries(commands))('gets nothing from %s', async (_, [command, ...args]) => {
    const { code, said } = await run(command, args)
    expect(said).toMatch(/is not encrypted: .*Use https, or --allow-http/)
    expect({ code, heard }).toEqual({ code: exitCodes.refused, heard: 0 })
  })

  it('gets the secret if the command allows it', async () => {
    await run(jobs, ['--allow-http'])
    expect(heard).toBeGreaterThan(0)
  })

  it('gets it if the login to it allowed it, and only that hub', async () => {
    const env = { XDG_CONFIG_HOME: join(folder, 'kept') }
    const client = { clientId: 'acme', clientSecret: 'a secret', allowsHttp: true }
    await writeCredentials({ env }, { version: 1, current: url, hubs: { [url]: client } })
    await run(jobs, [], env)
    expect(heard).toBeGreaterThan(0)
    expect(
      (await run(jobs, ['--hub', 'http://hub.example.org'], { ...env, ...credentials })).code,
    ).toBe(1)
  })
})

it.each(['http://127.0.0.1:9', 'http://localhost:9', 'http://[::1]:9', 'https://hub.example.org'])(
  '%s needs no leave',
  async (hub) => {
    const screen = { env: credentials, out: () => {}, err: () => {}, cwd: folder, columns: 80 }
    const joined = await joinHub({ hub }, { ...screen, isTerminal: { out: false, err: false } })
    expect(joined.clientId).toBe('acme')
  },
)

describe('the secret of the environment', () => {
  const project = (hub: string) => {
    const named = mkdtempSync(join(folder, 'project-'))
    writeFileSync(
      join(named, 'dragoman.yml'),
      `hub: ${hub}\nsource: en-us\ntargets: [de-de]\nfiles: [a.txt]\n`,
    )
    return join(named, 'dragoman.yml')
  }
  const here = () => url.replace('0.0.0.0', '127.0.0.1')
  const says =
    /HUB_CLIENT_SECRET is not sent to .*, which only dragoman.yml names\. Set HUB_URL or give --hub/
  const env = { ...credentials, HUB_URL: '' }

  it('goes to no hub that only a project names', async () => {
    for (const command of [jobs, quota, push]) {
      const { code, said } = await run(command, ['--config', project(here())], env)
      expect(said).toMatch(says)
      expect({ code, heard }).toEqual({ code: exitCodes.refused, heard: 0 })
    }
  })

  it('is not sent by login to a hub that only a project names, unless that hub is known', async () => {
    const cwd = dirname(project(here()))
    const { code, said } = await run(login, [], env, cwd)
    expect(said).toMatch(says)
    expect({ code, heard }).toEqual({ code: exitCodes.refused, heard: 0 })
    await run(login, [here()], env, cwd)
    expect(heard).toBe(1)
    heard = 0
    const config = join(folder, 'known-to-login')
    const client = { clientId: 'acme', clientSecret: 'another' }
    await writeCredentials(
      { env: { XDG_CONFIG_HOME: config } },
      { version: 1, hubs: { [here()]: client } },
    )
    await run(login, [], { ...env, XDG_CONFIG_HOME: config }, cwd)
    expect(heard).toBe(1)
  })

  it('goes there if HUB_URL, --hub or a login names it', async () => {
    await run(jobs, ['--config', project(here())], { ...env, HUB_URL: here() })
    await run(jobs, ['--config', project(here()), '--hub', here()], env)
    expect(heard).toBeGreaterThan(1)
    heard = 0
    const config = join(folder, 'known')
    const client = { clientId: 'acme', clientSecret: 'another' }
    await writeCredentials(
      { env: { XDG_CONFIG_HOME: config } },
      { version: 1, hubs: { [here()]: client } },
    )
    await run(jobs, ['--config', project(here())], { ...env, XDG_CONFIG_HOME: config })
    expect(heard).toBeGreaterThan(0)
  })
})
