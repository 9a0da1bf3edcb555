import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Set by `npm test`, which builds first: tests then load the built program, seconds quicker for each file than its sources. */
const isBuilt = Boolean(process.env.DRAGOMAN_TEST_BUILT)
const source = /^(.*\/packages\/(?:contract|sdk|certify|server|cli))\/src\/(.*)\.ts$/

/** Sends each import of a source to what was built from it, so that a test and the hub it starts share their modules. */
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

/** Files that take minutes run first: one that begins last would run alone. */
const long =
  /\/tests\/(?:faults|console|nodes)\/|\/tests\/(?:bench|packages|release|process|cli|code-samples-run|generated-clients|doc-commands)\.test\.ts$/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const conditions = isBuilt ? [] : ['source']

export default defineConfig({
  plugins: isBuilt ? [builtSources] : [],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: ['tests/global-setup.ts'],
    setupFiles: ['tests/processor-time.ts', 'tests/properties.ts'],
    server: { deps: { external: [/\/packages\/(?:contract|sdk|certify|server|cli)\/dist\//] } },
    // Time enough on a machine that is busy with other things too. No test says how quick the hub is by these.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // A test that ran out of time, or met two elements for one while a page changed, may run once more, and `npm test` names it. What
    // was found to be wrong stays wrong.
    retry: { count: 1, condition: /timed out in|Timeout \d+ms exceeded|^Waited \d+ ms in vain|strict mode violation/ },
    expect: { poll: { timeout: 60_000, interval: 50 } },
    // One more than the cores that the limit of the gate is for: many tests wait for a process or a clock.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
  },
})
