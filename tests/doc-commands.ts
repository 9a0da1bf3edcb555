/**
 * The shell commands of the README and of docs/, and how each is tested: a block with a mark (`sh
 * tour`) belongs to the test named here, a command in `notRun` needs something that a test machine
 * lacks, and tests/doc-commands.test.ts runs all others.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export type Command = {
  readonly page: string
  readonly line: number
  readonly mark: string
  readonly text: string
}

export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
]

/**
 * Every command of every shell block, without its comment; a command continues while a quote is
 * open or its line ends in `\`.
 */
export function commandsOf(page: string): Command[] {
  const found: Command[] = []
  let mark: string | undefined
  let open = ''
  for (const [at, line] of readFileSync(join(root, page), 'utf8').split('\n').entries()) {
    if (line.startsWith('```')) {
      mark = mark === undefined && /^```sh\b/.test(line) ? line.slice(5).trim() : undefined
      open = ''
    } else if (mark !== undefined) {
      open += mark === '' ? line.replace(/(^|\s+)# .*$/, '') : line
      const isOpen = open.endsWith('\\') || (open.match(/'/g)?.length ?? 0) % 2 === 1
      if (isOpen) open += '\n'
      else if (open.trim() !== '') found.push({ page, line: at + 1, mark, text: open })
      if (!isOpen) open = ''
    }
  }
  return found
}

/** The blocks of a page with this mark, such as `sh rails`, in order. */
export const blocksOf = (page: string, mark: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)]
    .filter(([, info]) => info === mark)
    .map(([, , text = '']) => text)

/** Page and mark of the blocks that other tests run. */
export const runElsewhere: Readonly<Record<string, string>> = {
  'README.md first': 'tests/pages.test.ts',
  'docs/connector.md pack': 'tests/packages.test.ts',
  'docs/install.md pack': 'tests/packages.test.ts',
  'docs/operating.md clients': 'tests/pages.test.ts',
  'docs/operator-recipes.md machine': 'tests/operator-recipes.test.ts',
  'docs/operators-day.md day': 'tests/operators-day.test.ts',
  'docs/providers.md omegat': 'tests/package-tools.test.ts',
  'docs/quotes.md tour': 'tests/quotes-page.test.ts',
  'docs/recipes.md android': 'tests/recipes.test.ts',
  'docs/recipes.md build': 'tests/recipes.test.ts',
  'docs/recipes.md gettext': 'tests/recipes.test.ts',
  'docs/recipes.md hugo': 'tests/recipes.test.ts',
  'docs/recipes.md i18next': 'tests/recipes.test.ts',
  'docs/recipes.md rails': 'tests/recipes.test.ts',
  'docs/recipes.md self-signed': 'tests/recipes.test.ts',
  'docs/recipes.md webhook': 'tests/recipes.test.ts',
  'docs/settings.md prices': 'tests/pages.test.ts',
  'docs/settings.md settings': 'tests/pages.test.ts',
  'docs/tour.md tour': 'tests/pages.test.ts',
}

/** Page, beginning of the command, and why it is not run. */
export const notRun: readonly (readonly [page: string, command: string, why: string])[] = [
  ['README.md', 'git clone', 'there is no address to clone from'],
  [
    'README.md',
    'npm start',
    'the hub of the test plays its part; tests/process.test.ts starts one',
  ],
  [
    'README.md',
    'npx dragoman certify',
    'every round takes a minute; tests/certify.test.ts runs them',
  ],
  [
    'docs/assistants.md',
    'npx dragoman login',
    'there is no hub at this address; tests/login.test.ts logs in',
  ],
  ['docs/backup.md', "npx dragoman backup --to 's3:", 'needs a bucket'],
  ['docs/backup.md', 'createdb', 'needs a PostgreSQL server of its own'],
  ['docs/backup.md', 'systemctl', 'needs systemd'],
  [
    'docs/backup.md',
    'npx dragoman move',
    'needs PostgreSQL and a stopped hub; tests/move.test.ts has them',
  ],
  [
    'docs/certification.md',
    'npm start',
    'the hub of the test plays its part; tests/process.test.ts starts one',
  ],
  ['docs/certification.md', 'npx dragoman certify --command "node examples/', 'as in README.md'],
  [
    'docs/command-line.md',
    'dragoman login https:',
    'asks on a terminal; tests/login.test.ts answers',
  ],
  [
    'docs/engines.md',
    'npx dragoman providers add DeepL',
    'needs a key of DeepL; tests/providers-command.test.ts has a stand-in',
  ],
  ['docs/engines.md', 'sudo', 'needs root'],
  ['docs/engines.md', 'curl', 'needs a running engine; tests/apertium-texts.test.ts starts one'],
  [
    'docs/engines.md',
    'npx dragoman providers test',
    'needs an engine; tests/providers-command.test.ts has one',
  ],
  ['docs/operating.md', 'npm ci', 'installs and builds what this test runs'],
  ['docs/operating.md', 'sudo', 'needs a service account'],
  ['docs/operating.md', 'docker', 'needs a container engine'],
  ['docs/upgrading.md', 'sudo', 'needs root, systemd and an address to clone from'],
  ['docs/upgrading.md', 'cd /opt', 'installs and builds what this test runs'],
  ['docs/upgrading.md', 'docker', 'needs a container engine'],
  ['docs/upgrading.md', 'kubectl', 'needs a cluster'],
  ['docs/operating.md', 'kubectl', 'needs a cluster'],
  [
    'docs/operating.md',
    'curl --cert',
    'needs a hub that terminates TLS; tests/mtls.test.ts has one',
  ],
  [
    'docs/other-languages.md',
    'npx @openapitools',
    'needs the network; npm run try-clients runs it',
  ],
  ['docs/postgres.md', 'npm start', 'needs a PostgreSQL server of its own'],
  [
    'docs/releasing.md',
    'npm run release',
    'makes a release; tests/release.test.ts makes one of a copy',
  ],
  ['docs/storage-disk.md', 'install', 'needs root and a service account'],
  [
    'docs/testing.md',
    'podman',
    'needs a container engine; tests/container.test.ts runs what is in it',
  ],
]
