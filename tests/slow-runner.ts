/**
 * The runner of the slow part. CI ends a run that takes too long and then shows nothing of it:
 * `.ci/run` therefore sets DRAGOMAN_TEST_UNTIL (seconds since 1970), after which no file is begun.
 * `npm run test:slow` names those that were left out.
 */
import { type RunnerTestFile, TestRunner, test } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** The file was not begun, because the time was up. */
    leftOut?: boolean
  }
}

const endsAt = Number(process.env.DRAGOMAN_TEST_UNTIL ?? Infinity) * 1_000

export default class SlowRunner extends TestRunner {
  readonly #leftOut = new Set<string>()

  override importFile(...[path, source]: Parameters<TestRunner['importFile']>): unknown {
    if (source !== 'collect' || Date.now() <= endsAt) return super.importFile(path, source)
    this.#leftOut.add(path)
    // A file without a test would be a failure.
    test.skip('left out')
  }

  onBeforeRunFiles(files: RunnerTestFile[]): void {
    for (const file of files) if (this.#leftOut.has(file.filepath)) file.meta.leftOut = true
  }
}
