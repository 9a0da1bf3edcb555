/**
 * docs/recipes.md: the commands of each recipe run as they stand, in a project as its reader has,
 * and do what the page says.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { buildProgram } from './build-program.ts'
import { hasOpenssl } from './certificates.ts'
import { blocksOf, root } from './doc-commands.ts'
import { isThere } from './formats/judge.ts'
import { freePort } from './free-port.ts'
import { startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'
import { hasNginx, startNginx } from './nginx.ts'
import { quickFolder } from './quick-folder.ts'

const page = 'docs/recipes.md'
const run = promisify(execFile)
let hub: TestHub
let place = ''
beforeAll(async () => {
  await buildProgram()
  hub = await startHub()
  place = quickFolder('dragoman-recipes-')
  mkdirSync(join(place, 'bin'))
  const program = join(root, 'packages/cli/bin/dragoman.js')
  writeFileSync(
    join(place, 'bin/dragoman'),
    `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`,
  )
  chmodSync(join(place, 'bin/dragoman'), 0o755)
  symlinkSync(root, join(place, 'dragoman'))
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
})
afterAll(async () => {
  rmSync(place, { recursive: true, force: true })
  await hub.close()
})

type Recipe = {
  readonly folder: string
  readonly read: (path: string) => string
  readonly said: string
}

const env = (folder: string) => ({
  PATH: `${join(place, 'bin')}:${process.env.PATH}`,
  HOME: folder,
  HUB_URL: hub.url,
  GIT_CONFIG_GLOBAL: '/dev/null',
  DRAGOMAN: 'dragoman',
  DRAGOMAN_DRAIN_DELAY: '0s',
  DRAGOMAN_METRICS: '127.0.0.1:0',
})

/** A shell that runs these commands; what they start in the background ends with its group. */
const start = (folder: string, script: string): ChildProcess =>
  spawn('sh', ['-eu', '-c', script], {
    cwd: folder,
    env: env(folder),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/**
 * Runs the blocks of a recipe in a project with these files; `words` says what words of the page
 * stand for here.
 */
async function follow(
  mark: string,
  files: Record<string, string>,
  words: Record<string, string> = {},
): Promise<Recipe> {
  const folder = join(place, mark)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const commands = blocksOf(page, `sh ${mark}`)
  expect(commands.length).toBeGreaterThan(0)
  const script = Object.entries(words).reduce(
    (text, [word, by]) => text.replaceAll(word, by),
    commands.join('\n'),
  )
  const shell = start(folder, script)
  let said = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream?.setEncoding('utf8').on('data', (more: string) => {
      said += more
    })
  const code = await new Promise((resolve) => shell.once('exit', resolve))
  groups.push(shell.pid ?? 0)
  expect([code, said]).toEqual([0, expect.anything()])
  return { folder, read: (path) => readFileSync(join(folder, path), 'utf8'), said }
}
const groups: number[] = []
afterAll(() => {
  for (const pid of groups)
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // Nothing of it was left.
    }
})

/** The content of a template, without what `init` writes. */
const contentOf = (template: string): Record<string, string> => {
  const folder = join(root, 'examples/templates', template)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )
  const paths = files.map((one) => join(one.parentPath, one.name).slice(folder.length + 1))
  const own = paths.filter((path) => !['README.md', 'dragoman.yml'].includes(path))
  return Object.fromEntries(own.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

it('rails', async () => {
  const cart = { items: { one: '%{count} item', other: '%{count} items' } }
  const { read } = await follow('rails', {
    'config/locales/en.yml': stringify({ en: { hello: 'Hello, %{name}', cart } }),
    'config/locales/devise.en.yml': 'en:\n  devise:\n    timeout: "Your session expired."\n',
  })
  const polish = parse(read('config/locales/pl.yml')) as {
    pl: { hello: string; cart: typeof cart }
  }
  expect(Object.keys(polish.pl.cart.items).sort()).toEqual(['few', 'many', 'one', 'other'])
  expect(polish.pl.hello).toMatch(/Ĥ.*%\{name\}/)
  expect(Object.keys(parse(read('config/locales/de.yml')))).toEqual(['de'])
  expect(parse(read('config/locales/devise.de.yml')).de.devise.timeout).toMatch(/[^\0-\x7f]/)
})

it('i18next', async () => {
  const { read } = await follow('i18next', contentOf('i18next'))
  expect(JSON.parse(read('locales/de/common.json')).welcome).toMatch(/\{\{name\}\}/)
  expect(JSON.parse(read('locales/pt-BR/checkout.json')).total).toContain('{{amount, currency}}')
})

it('android', async () => {
  const { read } = await follow('android', contentOf('android'))
  expect(read('app/src/main/res/values-de/strings.xml')).not.toContain('Trailhead')
  expect(read('app/src/main/res/values-pt-rBR/strings.xml')).toContain('quantity="many"')
})

it('hugo', async () => {
  const { folder, read } = await follow('hugo', {
    'content/_index.md':
      '---\ntitle: Welcome\ndate: 2026-11-18\n---\n\nHello **world**. {{< youtube id="abc" >}}\n',
    'content/blog/first.md': '+++\ntitle = "First post"\ntags = ["news"]\n+++\n\nWe are open.\n',
    'i18n/en.yaml': 'readMore:\n  other: Read more\n',
  })
  expect(read('content/_index.de.md')).toMatch(
    /^---\ntitle: Ŵ.*\ndate: 2026-11-18\n---\n\n.*\{\{< youtube id="abc" >\}\}\n$/,
  )
  expect(read('content/blog/first.fr.md')).toMatch(/^\+\+\+\ntitle = "Ḟ.*"\ntags = \["news"\]\n/)
  expect(parse(read('i18n/de.yaml')).readMore.other).toMatch(/[^\0-\x7f]/)
  // What was pulled is no source of the next push.
  const { stdout } = await run('dragoman', ['push'], { cwd: folder, env: env(folder) })
  expect(stdout).toContain('Nothing has changed')
})

if (isThere('xgettext') && isThere('python3'))
  it('gettext', async () => {
    const { folder, read } = await follow('gettext', {
      'app.py':
        'print(_("Good morning, %s") % name)\nprint(ngettext("%d letter", "%d letters", n) % n)\n',
    })
    expect(read('po/pl.po')).toMatch(/^msgstr\[2\] ".+"$/m)
    const ask = `import gettext; print(gettext.translation('messages', 'locale', ['pl']).ngettext('%d letter', '%d letters', 5))`
    expect(execFileSync('python3', ['-c', ask], { cwd: folder }).toString()).toMatch(
      /%d .*[^\0-\x7f]/,
    )
  })

if (isThere('git'))
  it('build', async () => {
    const folder = join(place, 'build')
    mkdirSync(folder)
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: folder, env: env(folder), stdio: 'pipe' }).toString()
    execFileSync('git', ['init', '--quiet', '--bare', join(place, 'remote')], { env: env(folder) })
    git('init', '--quiet', '--initial-branch', 'main')
    git('config', 'user.name', 'Test')
    git('config', 'user.email', 'test@localhost')
    git('remote', 'add', 'origin', join(place, 'remote'))
    cpSync(join(root, 'examples/templates/i18next'), folder, { recursive: true })
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Content')
    // In a build, an hour passes between the two steps.
    const { said } = await follow(
      'build',
      {},
      { 'sh ci/translate.sh pull': 'dragoman status --follow >&2; sh ci/translate.sh pull' },
    )
    expect(said).toContain('Translations are on the branch translations.')
    expect(git('ls-tree', '-r', '--name-only', 'origin/translations')).toContain(
      'locales/pt-BR/common.json',
    )
    expect(git('ls-tree', '-r', '--name-only', 'main')).toContain(
      '.github/workflows/translations.yml',
    )
  })

if (hasNginx)
  it('webhook', async () => {
    const [port, own] = [await freePort(), await freePort()]
    const [location = ''] = blocksOf(page, 'nginx webhook')
    const site = `server { listen 127.0.0.1:${port};\n${location.replace(':3000', `:${own}`)}}`
    const nginx = await startNginx(port, () => site)
    try {
      const { read } = await follow(
        'webhook',
        { 'package.json': '{}' },
        {
          'http://127.0.0.1:8080': hub.url,
          'https://cms.example.org': `http://127.0.0.1:${port}`,
          'listen(3000': `listen(${own}`,
          // A person takes longer to go on to the next block.
          'receiver.log 2>&1 &':
            'receiver.log 2>&1 &\nuntil grep -q ready receiver.log; do sleep 0.1; done',
        },
      )
      expect(
        await until(
          'a delivery',
          () => /^received JOB_UPDATE .*$/m.exec(read('receiver.log'))?.[0],
        ),
      ).toBeTruthy()
    } finally {
      await nginx.stop()
    }
  })

if (hasOpenssl)
  it('self-signed', async () => {
    const port = await freePort()
    const { said } = await follow(
      'self-signed',
      { '.keep': '' },
      {
        'hub.internal:8443': `localhost:${port}`,
        'hub.internal': 'localhost',
        'DRAGOMAN_PORT=8443': `DRAGOMAN_PORT=${port}`,
        'DRAGOMAN_HOST=0.0.0.0': 'DRAGOMAN_HOST=127.0.0.1',
        'dragoman jobs': 'env -u HUB_URL dragoman jobs',
      },
    )
    expect(said).toContain('"status":"ready"')
    expect(said).toContain(`https://localhost:${port}`)
    const folder = join(place, 'self-signed')
    const strange = { ...env(folder), HUB_URL: `https://localhost:${port}` }
    await expect(run('dragoman', ['jobs'], { cwd: folder, env: strange })).rejects.toThrow(
      /certificate/i,
    )
  })
