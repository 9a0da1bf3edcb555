import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '../../process/log.ts'
import { callLogger } from './call-logger.ts'

test('the logger of a call is made with its first line and adds the trace id to each', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log')
  const log = openLog('info', file)
  let made = 0
  const child = log.child
  log.child = function (this: typeof log, ...given: Parameters<typeof child>) {
    made += 1
    return Reflect.apply(child, this, given)
  } as typeof child
  const logger = callLogger(log, { traceId: 'x' })
  expect([made, logger.level]).toEqual([0, 'info'])
  logger.warn({ code: 1 }, 'look here')
  logger.child({ part: 'y' }).error('and here')
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', traceId: 'x', code: 1, msg: 'look here' },
    { level: 'error', traceId: 'x', part: 'y', msg: 'and here' },
  ])
})
