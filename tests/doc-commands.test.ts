/**
 * Every command in a shell block of the README and of docs/ runs as it stands, against one hub, or
 * says why it does not (doc-commands.ts). Each page has a folder of its own; `dragoman` is the one
 * of this repository.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Command, commandsOf, notRun, pages, root, runElsewhere } from './doc-commands.ts'
import { startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'
import { parkTask } from './parked-task.ts'
import { quickFolder } from './quick-folder.ts'

type Step = {
  /**
   * What the command needs; returns the words of the page that stand for something, and what they
   * stand for.
   */
  readonly before?: () => Promise<Readonly<Record<string, string>> | undefined>
  readonly exit?: number
  /** The command runs until it is stopped: here, once it has printed this. */
  readonly stopAfter?: RegExp
}

let hub: TestHub
let place = ''
let folder = ''
const masterKey = () => readFileSync(join(hub.folder, 'data/master.key'), 'utf8').trim()
const lacking = ['curl', 'openssl'].filter((tool) => spawnSync(tool, ['--version']).error)

beforeAll(async () => {
  hub = await startHub()
  place = quickFolder('dragoman-docs-')
  mkdirSync(join(place, 'bin'))
  const program = join(root, 'packages/cli/bin/dragoman.js')
  const curl = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim()
  const scripts = {
    dragoman: `exec "${process.execPath}" "${program}" "$@"`,
    npx: 'exec "$@"',
    curl: `exec ${curl} --fail-with-body "$@"`,
  }
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(place, 'bin', name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(place, 'bin', name), 0o755)
  }
})
afterAll(async () => {
  rmSync(place, { recursive: true, force: true })
  await hub.close()
})

const reason = ({ page, text }: Command) =>
  notRun.find(([of, begin]) => of === page && text.startsWith(begin))
const all = pages.flatMap(commandsOf)
const here = all.filter((command) => command.mark === '' && !reason(command))

/** Runs one command as a shell that has run those before it; returns what it printed. */
async function run(text: string, { exit = 0, stopAfter }: Step): Promise<string> {
  const kept = join(folder, '.exports')
  const script = `[ ! -f "${kept}" ] || . "${kept}"\n${stopAfter ? 'exec env ' : ''}${text}\ncode=$?; export -p > "${kept}"; exit $code`
  const child = spawn('sh', ['-c', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${join(place, 'bin')}:${process.env.PATH}`,
      HOME: folder,
      HUB_URL: hub.url,
      HUB: hub.url,
      DRAGOMAN_PORT: '0',
      DRAGOMAN_DRAIN_DELAY: '0s',
      DRAGOMAN_DATA: join(hub.folder, 'data'),
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      said += more
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  if (stopAfter) {
    await until(
      `${text} prints ${stopAfter}`,
      () => stopAfter.test(said) || child.exitCode !== null,
    )
    child.kill('SIGINT')
  }
  expect(await ended, `${text}\n${said}`).toBe(exit)
  return said
}

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const inFolder = (name: string): undefined => {
  folder = join(pageFolder, name)
  mkdirSync(folder, { recursive: true })
}
const into = (name: string) => async () => inFolder(name)
const first = async (
  path: string,
  list: string,
  id: string,
  as = 'demo-operator',
): Promise<string> => {
  const { body } = await hub.call<Record<string, Record<string, string>[]>>('GET', path, { as })
  return body[list]?.[0]?.[id] ?? `no ${id}`
}
const jobId = () => first('/v2/jobs', 'jobs', 'jobId', 'demo-connector')
const job = async () => ({ '7Qm2xT9aLk': await jobId() })
const recordedJob = async () => {
  const config = { url: hub.url, clientId: 'front', clientSecret: 'x', record: true }
  await hub.call('POST', '/v2/providers', {
    as: 'demo-admin',
    body: { name: 'Agency', typeId: 'upstream', config },
  })
  const made = await hub.call<{ jobId: string }>('POST', '/v2/jobs', {
    as: 'demo-connector',
    body: { jobName: 'Across' },
  })
  return { '7Qm2xT9aLk': made.body.jobId }
}
const listener = async () => ({
  ID: await first('/v2/statusupdates/listeners', 'listeners', 'listenerId', 'demo-connector'),
})

const steps: Readonly<Record<string, Readonly<Record<string, Step>>>> = {
  'docs/backup.md': {
    'export DRAGOMAN_DATA=/srv/hub DRAGOMAN_MASTER_KEY=…': {
      before: async () => ({ '…': masterKey() }),
    },
  },
  'docs/certification.md': {
    'npx dragoman certify --command "node my-connector.mjs" --scenario rate-limit-storm': {
      before: async () => {
        copyFileSync(
          join(root, 'examples/reference-connector.mjs'),
          join(folder, 'my-connector.mjs'),
        )
        symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
      },
    },
  },
  'docs/command-line.md': {
    'dragoman init --target de,fr --provider Pseudo': {
      before: async () => {
        rmSync(join(folder, 'dragoman.yml'), { force: true })
        write('locales/en/app.json', '{"hello":"Hello"}')
      },
    },
    'printf %s "$SECRET" | dragoman login https://hub.example.org --client-id acme-cms --secret-file -':
      {
        before: async () => {
          const body = { clientId: 'acme-cms', scopes: ['content'] }
          const made = await hub.call<{ clientSecret: string }>('POST', '/v2/clients', {
            as: 'demo-admin',
            body,
          })
          return { $SECRET: made.body.clientSecret }
        },
      },
    "dragoman init --files 'site/**/*.html' --output 'site/{lang}/{rest}' --source en --target ja":
      {
        before: async () => {
          inFolder('other')
          write('site/index.html', '<p>Hello</p>')
        },
      },
    'dragoman init --template i18next': { before: into('template') },
    'dragoman pull': { before: into('.') },
    'dragoman deliveries causes': {
      before: async () => {
        const as = 'demo-connector'
        const body = { type: 'JOB_STATUS_UPDATED', uri: 'http://127.0.0.1:9/hook' }
        const made = await hub.call<{ listenerId: string }>('POST', '/v2/statusupdates/listeners', {
          as,
          body,
        })
        await hub.call('POST', `/v2/statusupdates/listeners/${made.body.listenerId}/test`, { as })
        await hub.advance('1s')
      },
    },
    'dragoman deliveries show ID': {
      before: async () => ({ ID: await first('/v2/deliveries', 'deliveries', 'deliveryId') }),
    },
    'dragoman deliveries replay --listener ID --dry-run': { before: listener },
    'dragoman deliveries replay --listener ID': { before: listener },
    'dragoman deliveries replay --missing --job ID': {
      before: async () => ({ ID: await jobId() }),
    },
    'dragoman tasks retry ID': { before: async () => ({ ID: await parkTask(hub) }) },
    'dragoman findings': {
      before: async () => {
        await parkTask(hub)
      },
      exit: 1,
    },
    'dragoman findings remedy ID': {
      before: async () => ({
        ID: await first('/v2/findings?rule=parked-task', 'findings', 'findingId'),
      }),
    },
    'dragoman calls 3f2a9c…': {
      before: async () => ({ '3f2a9c…': await first('/v2/calls', 'calls', 'traceId') }),
    },
    'dragoman timeline 7Qm2xT9aLk --limit 200': { before: job },
    'dragoman listen --forward http://127.0.0.1:3000/hook': {
      before: async () => {
        const { ID } = await listener()
        await hub.call('DELETE', `/v2/statusupdates/listeners/${ID}`, { as: 'demo-connector' })
      },
      stopAfter: /secret/i,
    },
    'dragoman logs --follow --status failed': {
      before: async () => {
        await hub.call('GET', '/v2/jobs/nosuchjob1', { as: 'demo-connector' })
      },
      stopAfter: /JOB_NOT_FOUND|404/,
    },
    'dragoman open 7Qm2xT9aLk': { before: job },
  },
  'docs/faults-on-demand.md': {
    'curl -X DELETE http://127.0.0.1:8080/sandbox/faults/ID': {
      before: async () => ({ ID: await first('/sandbox/faults', 'active', 'id') }),
    },
  },
  'docs/operating.md': {
    'DRAGOMAN_PROFILE=production DRAGOMAN_DATA=/var/lib/dragoman npx dragoman serve': {
      stopAfter: /is ready at/,
    },
    'dragoman restore --from /srv/backup/dragoman': {
      before: async () => ({
        'dragoman restore': `DRAGOMAN_DATA=${folder}/empty DRAGOMAN_MASTER_KEY=${masterKey()} dragoman restore`,
      }),
    },
    'dragoman sites export acme --to acme.tar': {
      before: async () => {
        await run('dragoman clients add --site acme --id acme-cms --scope content', {})
      },
    },
    'export DRAGOMAN_TLS_CLIENT_CERTS=on': {
      before: async () => {
        await hub.advance('1h')
        return {
          export: `export DRAGOMAN_TLS_CERT=${folder}/acme.pem DRAGOMAN_TLS_KEY=${folder}/acme.key`,
        }
      },
    },
  },
  'docs/upstream.md': {
    'dragoman cassette 7Qm2xT9aLk --to rejected.cassette.json': { before: recordedJob },
  },
}
let pageFolder = ''

/** The words of the docs that stand for the hub and for folders of its machine. */
const asHere = (text: string) =>
  text
    .replaceAll(/https:\/\/hub\.example\.org|http:\/\/127\.0\.0\.1:8080/g, hub.url)
    .replaceAll(/(?<=[ =])\/(?=(backup|srv|var\/lib)\/)/g, `${pageFolder}/`)

describe.each(pages.filter((page) => here.some((command) => command.page === page)))(
  '%s',
  (page) => {
    it('has commands that run', async (test) => {
      test.skip(lacking.length > 0, `${lacking} is missing on this machine`)
      await hub.call('POST', '/sandbox/reset')
      pageFolder = join(place, page.replaceAll(/\W/g, '-'))
      inFolder('.')
      const token = await hub.token('demo-connector')
      const words = {
        $AUTH: `Authorization: Bearer ${token}`,
        $JSON: 'Content-Type: application/json',
      }
      for (const command of here.filter((one) => one.page === page)) {
        const step = steps[page]?.[command.text] ?? {}
        const given = { ...words, ...(await step.before?.()) }
        const text = Object.entries(given).reduce(
          (all, [word, by]) => all.replaceAll(word, () => by),
          asHere(command.text),
        )
        await run(text, step)
      }
    })
  },
)

it('every command is run, here or by the test that is named for it, or says why not', () => {
  const marked = all.filter(({ mark }) => mark !== '')
  const blocks = new Set(marked.map(({ page, mark }) => `${page} ${mark}`))
  expect([...blocks].sort()).toEqual(Object.keys(runElsewhere).sort())
  for (const [block, file] of Object.entries(runElsewhere)) {
    const [page = '', mark] = block.split(' ')
    const text = readFileSync(join(root, file), 'utf8')
    expect(text.includes(basename(page)) && text.includes(`${mark}`), `${file} runs ${block}`).toBe(
      true,
    )
  }
  expect(here.length).toBeGreaterThan(50)
})

it('every command that is left out or prepared is still in its page', () => {
  const isThere = (page: string, begin: string) =>
    all.some((one) => one.page === page && one.text.startsWith(begin))
  expect(notRun.filter(([page, begin]) => !isThere(page, begin))).toEqual([])
  const prepared = Object.entries(steps).flatMap(([page, of]) =>
    Object.keys(of).map((text) => [page, text] as const),
  )
  expect(
    prepared.filter(([page, text]) => !here.some((one) => one.page === page && one.text === text)),
  ).toEqual([])
})
