import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { connectorPatterns, lintPatterns, textPatterns } from './tests/hubless.ts'
import { isolated, patternsOf, slow } from './tests/suites.ts'

/**
 * Set by `npm test`, which builds first: tests then load the built program, seconds quicker for
 * each file than its sources.
 */
const isBuilt = Boolean(process.env.DRAGOMAN_TEST_BUILT)
const source = /^(.*\/packages\/(?:contract|text|sdk|certify|server|cli|docs))\/src\/(.*)\.ts$/

/**
 * Sends each import of a source to what was built from it, so that a test and the hub it starts
 * share their modules.
 */
const builtSources: Plugin = {
  name: 'built-sources',
  enforce: 'pre',
  resolveId(path, importer) {
    if (!path.startsWith('.') || !importer) return null
    const found = source.exec(resolve(dirname(importer), path))
    const file = `${found?.[1]}/dist/${found?.[2]}.js`
    return found && existsSync(file) ? file : null
  },
}

/** `npm test` and `npm run test:all` name their part; a run of named files takes any. */
const part = process.env.DRAGOMAN_TEST_PART

/**
 * Files with a process of their own first: the others then share the processes that are left, and
 * with them one import of the hub. Where minutes are spent comes first, for a long file that begins
 * last would run alone.
 */
const isLong =
  /\/tests\/(?:faults|console|nodes)\/|\/tests\/(?:packages|release|process|cli|certify|doc-commands|generated-clients)\.test\.ts$/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ project, moduleId }: TestSpecification) =>
      (project.config.isolate ? 0 : 2) + (isLong.test(moduleId) ? 0 : 1)
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}

/**
 * `modules` are the built files of the server, not its bundle: a test and the hub in its process
 * then share them.
 */
const conditions = isBuilt ? ['modules'] : ['source']
/**
 * Ten minutes: a guard against what hangs, which no test reaches on a machine that is merely busy.
 * No limit here says how quick the hub is.
 */
const hangs = 600_000

/** Vitest hands the root's options to a project only by `extends`. */
const shared = {
  plugins: isBuilt ? [builtSources] : [],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
}
const options = {
  setupFiles: ['tests/processor-time.ts', 'tests/each-file.ts'],
  server: {
    deps: { external: [/\/packages\/(?:contract|text|sdk|certify|server|cli|docs)\/dist\//] },
  },
  testTimeout: hangs,
  hookTimeout: hangs,
  teardownTimeout: hangs,
  expect: { poll: { timeout: hangs, interval: 50 } },
}
type Files = { isolate: boolean; include: string[]; exclude: string[] }
/** Only where a hub may be needed: the projects `text` and `lint` start no PostgreSQL. */
const withHub = { globalSetup: ['tests/global-setup.ts'] }
const project = (name: string, files: Files) => ({
  ...shared,
  test: { ...options, ...withHub, name, ...files },
})
const elsewhere = part === 'gate' ? patternsOf(slow) : []
const alone = patternsOf(isolated)
/** Files with a process of their own are in `text, alone`, for one run of all: `--project 'text*'`. */
const hublessProject = (name: string, files: Files) => ({
  ...shared,
  test: { ...options, name, ...files },
})
const isText = (path: string): boolean => /^packages\/text\//.test(path)

const walker = resolve(import.meta.dirname, 'connectors/walker/src/index.ts')

export default defineConfig({
  ...shared,
  test: {
    // More than the cores that the gate is for: many tests wait for a process, a browser or a clock.
    maxWorkers: part === 'all' ? 5 : 3,
    sequence: { sequencer: LongFirst },
    projects: [
      hublessProject('text', {
        isolate: false,
        include: [...textPatterns],
        exclude: [...elsewhere, ...alone],
      }),
      hublessProject('text, alone', { isolate: true, include: alone.filter(isText), exclude: [] }),
      {
        ...hublessProject('connectors', {
          isolate: false,
          include: [...connectorPatterns],
          exclude: [...elsewhere],
        }),
        // Not a workspace: npm would install the content systems as well.
        resolve: { conditions, alias: { '@dragoman/walker': walker } },
      },
      hublessProject('lint', { isolate: false, include: [...lintPatterns], exclude: alone }),
      project('alone', {
        isolate: true,
        include: alone.filter((path) => !isText(path)),
        exclude: elsewhere,
      }),
      project('together', {
        isolate: false,
        include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
        exclude: [...elsewhere, ...alone, ...textPatterns, ...lintPatterns],
      }),
    ],
  },
})
