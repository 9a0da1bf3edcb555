/**
 * The recipe of examples/ci against a real hub and a real repository: push on main, translations as
 * a branch.
 */
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { buildProgram } from './build-program.ts'
import { isThere } from './formats/judge.ts'
import { startHub, type TestHub } from './hub.ts'
import { newProject, type Project } from './project.ts'

const root = join(import.meta.dirname, '..')
const script = join(root, 'examples/ci/translate.sh')
let hub: TestHub
let project: Project
const remote = mkdtempSync(join(tmpdir(), 'dragoman-remote-'))
beforeAll(async () => {
  await buildProgram()
  hub = await startHub()
  project = newProject(hub.url, {
    'dragoman.yml': `source: en
targets: [de]
languages: { en: en-US, de: de-DE }
provider: Pseudo
files:
  - source: locales/en/*.json
    output: locales/{lang}/{rest}
`,
    'locales/en/app.json': '{"hello":"Good morning"}\n',
    'locales/en/menu.json': '{"open":"Open"}\n',
  })
})
afterAll(async () => {
  rmSync(remote, { recursive: true, force: true })
  project.remove()
  await hub.close()
})

const quiet = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', HOME: remote }
const git = (...args: string[]): string =>
  execFileSync('git', args, {
    cwd: project.folder,
    env: { PATH: process.env.PATH, ...quiet },
    stdio: 'pipe',
  }).toString()
const build = (what: string) =>
  promisify(execFile)('sh', [script, what], {
    cwd: project.folder,
    env: {
      PATH: process.env.PATH,
      ...quiet,
      HUB_URL: hub.url,
      HUB_CLIENT_ID: 'demo-connector',
      HUB_CLIENT_SECRET: 'demo-connector-secret',
      DRAGOMAN: `${process.execPath} ${join(root, 'packages/cli/bin/dragoman.js')}`,
    },
  })
const onBranch = (path: string): string => git('show', `origin/translations:${path}`)

it('pushes what changed on main and puts translations on a branch, never on main', async ({
  skip,
}) => {
  skip(!isThere('git'), 'git is not installed')
  execFileSync('git', ['init', '--quiet', '--bare', remote], {
    env: { PATH: process.env.PATH, ...quiet },
  })
  git('init', '--quiet', '--initial-branch', 'main')
  git(
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@localhost',
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    'Begin',
  )
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@localhost')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'Content')
  git('remote', 'add', 'origin', remote)
  git('push', '--quiet', 'origin', 'main')
  expect((await build('push')).stdout).toMatch(/^Job \w{10} /)
  await hub.advance('1s')
  expect((await build('pull')).stdout).toContain('Translations are on the branch translations.')
  expect(JSON.parse(onBranch('locales/de/app.json')).hello).toMatch(/[^\0-\x7f]/)
  expect(git('ls-tree', '-r', '--name-only', 'origin/translations').split('\n')).not.toContain(
    '.dragoman/push.json',
  )
  expect(git('ls-tree', '-r', '--name-only', 'origin/main')).not.toContain('locales/de')
  // The next build: a fresh checkout of main, with what the cache kept.
  git('checkout', '--quiet', 'main')
  expect((await build('push')).stdout).toContain('Nothing has changed since job')
  project.write('locales/en/app.json', '{"hello":"Good evening"}\n')
  git('commit', '--quiet', '--all', '-m', 'Evening')
  expect((await build('push')).stdout).toMatch(/^Job \w{10} "locales\/en\/app\.json"/)
  await hub.advance('1s')
  await build('pull')
  expect(JSON.parse(onBranch('locales/en/app.json'))).toEqual({ hello: 'Good evening' })
  expect(git('ls-tree', '-r', '--name-only', 'origin/translations')).toContain(
    'locales/de/menu.json',
  )
  git('checkout', '--quiet', 'main')
  await expect(build('nonsense')).rejects.toMatchObject({
    code: 2,
    stderr: 'Usage: translate.sh push|pull\n',
  })
})

it('installs the files in ci/packages once, where the packages are not on npm', async () => {
  const packed = newProject(hub.url, {
    'ci/packages/dragoman-0.1.0.tgz': '',
    'ci/packages/dragoman-sdk-0.1.0.tgz': '',
  })
  try {
    // In place of npm, which would ask a registry for what they depend on; packages.test.ts
    // installs the real ones.
    const program = `exec "${process.execPath}" "${join(root, 'packages/cli/bin/dragoman.js')}" "$@"`
    packed.write(
      'bin/npm',
      `#!/bin/sh
echo "$@" >> "${packed.folder}/installed"
while [ "$1" != --prefix ]; do shift; done
mkdir -p "$2/node_modules/.bin"
printf '#!/bin/sh\\n%s\\n' '${program}' > "$2/node_modules/.bin/dragoman"
chmod +x "$2/node_modules/.bin/dragoman"
`,
    )
    chmodSync(join(packed.folder, 'bin/npm'), 0o755)
    const PATH = `${join(packed.folder, 'bin')}:${process.env.PATH}`
    const push = () =>
      promisify(execFile)('sh', [script, 'push'], {
        cwd: packed.folder,
        env: { PATH, HUB_URL: hub.url },
      })
    for (const _ of [1, 2])
      await expect(push()).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('source'),
      })
    const [installed = '', ...more] = packed.read('installed').trim().split('\n')
    expect(more).toEqual([])
    expect(installed).toMatch(
      /--prefix \S+\/\.dragoman\/tools-\d+ \S+\/dragoman-0\.1\.0\.tgz \S+\/dragoman-sdk-0\.1\.0\.tgz$/,
    )
  } finally {
    packed.remove()
  }
})

test('both recipes call the script that is tested here', () => {
  const read = (name: string) => readFileSync(join(root, 'examples/ci', name), 'utf8')
  const github = parse(read('github-workflow.yml')) as {
    jobs: { translate: { steps: { run?: string }[] } }
  }
  const commands = github.jobs.translate.steps.flatMap(({ run }) => run ?? [])
  const gitlab = parse(read('gitlab-ci.yml')) as { translations: { script: string[] } }
  for (const what of ['push', 'pull']) {
    expect(commands).toContain(`sh ci/translate.sh ${what}`)
    expect(gitlab.translations.script).toContain(`sh ci/translate.sh ${what}`)
  }
})
