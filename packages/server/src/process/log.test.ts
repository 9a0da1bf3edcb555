import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { perCharacter, withWorkCount } from '../../../../tests/work-count.ts'
import { openLog } from './log.ts'
import { scrub, scrubText } from './scrub.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-log-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const jwt = 'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJ4In0.c2lnbmF0dXJl'

test('every line has its time in milliseconds, also where a second or a day begins', () => {
  const file = join(folder, 'times')
  const log = openLog('info', file)
  const times = [
    '2026-11-16T23:59:59.998Z',
    '2026-11-16T23:59:59.999Z',
    '2026-11-17T00:00:00.000Z',
    '2026-11-17T00:00:01.007Z',
  ]
  for (const time of times) {
    vi.setSystemTime(time)
    log.info('a line')
  }
  vi.useRealTimers()
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).time)).toEqual(times)
})

test('no secret reaches a log line, whichever way it comes', () => {
  const file = join(folder, 'log')
  const log = openLog('trace', file)
  const canary = 'sesame-canary'
  log.info(
    { headers: { authorization: `Bearer ${canary}`, Cookie: canary, 'set-cookie': [canary] } },
    'a call',
  )
  log.info({
    url: `/fms/files/1?sig=${canary}&x=1`,
    location: `https://h/fms/1?fileToken=${canary}`,
  })
  log.warn(`GET /x?token=${canary} by ${'Basic'} ${canary}`)
  log.warn({
    body: `grant_type=x&client_secret=${canary}&a=b`,
    json: `{"secret": "${canary}\\"${canary}", "a": 1}`,
  })
  log.error(
    new Error(`postgres://hub:${canary}@db/x refused`, { cause: new Error(`Bearer ${canary}`) }),
  )
  log.error(
    { err: Object.assign(new Error('x'), { code: 'E', config: { masterKey: canary } }) },
    'with token=%s',
    1,
  )
  log.child({ clientSecret: canary, url: `?access_token=${canary}` }).info('child')
  log.info({
    deep: { list: [{ fmsSASToken: canary, password: canary }] },
    key: Buffer.from(canary),
  })
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain(canary)
  expect(text).not.toContain(Buffer.from(canary).toString('base64'))
  const lines = text.trim().split('\n')
  expect(lines).toHaveLength(8)
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.any(String) })
  expect(JSON.parse(lines[4] ?? '')).toMatchObject({
    level: 'error',
    msg: 'postgres://hub:[removed]@db/x refused',
    err: { type: 'Error', cause: { message: 'Bearer [removed]' } },
  })
})

test('what is not a secret stays', () => {
  const record = {
    route: '/v2/jobs/:jobId',
    status: 200,
    ids: { jobId: 'Ab3dEf6hI9' },
    note: 'signed off, designation',
  }
  expect(scrub(record)).toEqual(record)
  expect(scrubText('https://hub.example.org/v2/jobs?filter=a&pageSize=5')).toContain(
    'filter=a&pageSize=5',
  )
})

test('a token is recognised by its form', () => {
  expect(scrubText(`it sent ${jwt} twice`)).toBe('it sent [removed] twice')
})

test('a member named __proto__ stays a member', () => {
  expect(Object.hasOwn(scrub(JSON.parse('{"__proto__": {"x": 1}}')) as object, '__proto__')).toBe(
    true,
  )
})

test('scrubbing takes little work for hostile text', async () => {
  for (const piece of [
    'a',
    'eyJ-',
    'Bearer ',
    '"secret":"',
    'a://b:',
    '-----BEGIN PRIVATE KEY-----',
    '?token',
    'eyJaaaaaaaa.',
  ]) {
    const text = piece.repeat(Math.ceil(20_000 / piece.length))
    const [work = 0] = await withWorkCount((count) => count(scrubText, text))
    expect(work / text.length, piece).toBeLessThan(perCharacter)
  }
})

test('a log that cannot be written does not throw', () => {
  const log = openLog('info', '/dev/full')
  for (let times = 0; times < 100; times++) log.info('nobody reads this')
})

test('a repeated warning is counted, so that it cannot fill a disk', () => {
  const file = join(folder, 'repeats')
  let elapsed = 0
  const log = openLog('info', file, { elapsed: () => elapsed })
  const lines = () =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; repeats?: number })
  for (let at = 0; at < 1_000; at++) log.error({ err: new Error(`number ${at}`) }, 'internal error')
  log.child({ traceId: 'x' }).warn('another')
  for (let at = 0; at < 500; at++) log.info('a call')
  const said = lines().map(({ msg }) => msg)
  expect(said.filter((msg) => msg === 'internal error')).toHaveLength(100)
  expect(said.filter((msg) => msg === 'another')).toHaveLength(1)
  expect(said.filter((msg) => msg === 'a call')).toHaveLength(500)
  elapsed = 60_000
  log.error({ err: new Error('x') }, 'internal error')
  expect(lines().slice(-2)).toMatchObject([
    { msg: 'internal error', level: 'error', repeats: 900 },
    { msg: 'internal error', err: { message: 'x' } },
  ])
})

test('lines that are gathered are written together, and at once with a warning', () => {
  const file = join(folder, 'gathered')
  const log = openLog('info', file, { gatherMs: 3_600_000 })
  const lines = () => readFileSync(file, 'utf8').split('\n').length - 1
  for (let at = 0; at < 5; at++) log.info({ at }, 'a call')
  expect(lines()).toBe(0)
  log.child({ traceId: 'x' }).warn('look here')
  expect(lines()).toBe(6)
  for (let at = 0; at < 1_000; at++) log.info({ at }, 'a call')
  expect(lines()).toBeGreaterThan(900)
  log.flush()
  expect(lines()).toBe(1_006)
})

test('lines that are gathered survive the end of the process, whether it exits or fails', () => {
  for (const end of ['process.exit(3)', "setTimeout(() => { throw new Error('x') })", '']) {
    const code = `
      import { openLog } from ${JSON.stringify(new URL('../../dist/process/log.js', import.meta.url).href)}
      openLog('info', 2, { gatherMs: 3_600_000 }).info('the last words')
      ${end}`
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
    })
    expect(stderr, end).toContain('"msg":"the last words"')
  }
})
