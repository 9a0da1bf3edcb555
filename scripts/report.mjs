/**
 * A vitest reporter for scripts/test.mjs: each test file with its counts and its times, every
 * skipped test with its reason.
 */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

export default class Report {
  onTestRunEnd(modules, errors) {
    const files = modules.map((module) => {
      const tests = [...module.children.allTests()]
      const count = (state) => tests.filter((test) => test.result().state === state).length
      // A file that cannot be loaded, or whose hooks fail, has its own error.
      const suites = [module, ...module.children.allSuites()]
      return {
        path: relative(process.cwd(), module.moduleId),
        passed: count('passed'),
        failed: count('failed'),
        failures: tests
          .filter((test) => test.result().state === 'failed')
          .map((test) => ({
            name: test.fullName,
            why: firstLine(test.result().errors[0]?.message),
          })),
        errors: suites.flatMap((suite) => suite.errors()).length,
        skipped: tests
          .filter((test) => !['passed', 'failed'].includes(test.result().state))
          .map((test) => ({ name: test.fullName, why: test.result().note ?? 'no reason given' })),
        ms: module.diagnostic().duration,
        processorMs: module.meta().processorMs ?? 0,
      }
    })
    writeFileSync(
      process.env.DRAGOMAN_TEST_REPORT,
      JSON.stringify({ files, errors: errors.length }),
    )
  }
}

const firstLine = (text = 'no message') => text.split('\n', 1)[0].slice(0, 200)
