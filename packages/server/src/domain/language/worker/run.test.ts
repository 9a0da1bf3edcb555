/** Against what is built: threads of Node 20 cannot run the sources. */
import { existsSync } from 'node:fs'
import { formatRows, mayBeRead } from '@dragoman/contract/wire'
import { FormatError, type Part } from '@dragoman/text/formats'
import { expect, test } from 'vitest'
import { CannotTranslate, faultOfFile } from '../../engines/drivers/driver.ts'
import { pseudoSafely } from '../../engines/drivers/pseudo.ts'
import { readSafely, runSafely, writeSafely } from './run.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const built = new URL('../../../../dist/domain/language/worker/worker.js', import.meta.url)
const functionsIn = (source: string): URL =>
  new URL(`data:text/javascript,${encodeURIComponent(source)}`)

test('the server is built', () => {
  expect(existsSync(built), 'run "npm run build" before these tests').toBe(true)
})

test('a file is read and written in a worker', async () => {
  const bytes = bytesOf('{"a": "Hello {name}"}')
  const opened = await readSafely('demo', 'a.json', bytes)
  expect(opened?.formatId).toBe('json')
  const parts: Part[] = [{ type: 'text', text: 'Hallo' }]
  const written = await writeSafely('demo', 'a.json', bytes, {
    translations: new Map([[opened?.segments[0]?.id ?? '', parts]]),
    targetLanguage: 'de',
  })
  expect(new TextDecoder().decode(written)).toBe('{"a": "Hallo"}')
})

test('a view of a larger buffer is read as what it shows, and stays as it was', async () => {
  const large = bytesOf('xx"text"xx')
  const view = large.subarray(2, 8)
  expect((await readSafely('demo', 'a.json', view))?.segments[0]?.parts).toEqual([
    { type: 'text', text: 'text' },
  ])
  expect(large.length).toBe(10)
})

test('an unknown format is not read, and is never given back as a translation', async () => {
  const bytes = Uint8Array.from([0x50, 0x4b, 3, 4])
  expect(await readSafely('demo', 'a.png', bytes)).toBeUndefined()
  expect(await pseudoSafely('demo', { fileName: 'a.png' }, bytes, 'de')).toBeUndefined()
})

test('a refusal comes back as what it is', async () => {
  const error = await readSafely('demo', 'a.json', bytesOf('{')).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(FormatError)
  expect(error).toMatchObject({
    code: 'MALFORMED',
    message: expect.stringMatching(/^The JSON is not well-formed/),
  })
})

test('work without end is given up, and the next file is read', async () => {
  const endless = functionsIn('export const run = () => { for (;;) {} }')
  await expect(
    runSafely(endless, 'run', [], { siteId: 'demo', milliseconds: 300 }),
  ).rejects.toMatchObject({
    code: 'TIME_LIMIT',
  })
  expect((await readSafely('demo', 'a.txt', bytesOf('text')))?.segments).toHaveLength(1)
})

test('work that eats all memory is given up, and the next file is read', async () => {
  // In small pieces, as readers do: with single pieces beyond its last reserve (16 MiB) V8 may
  // abort the whole process.
  const hungry = functionsIn(
    'export const run = () => { const all = []; for (;;) all.push(new Array(5_000).fill(0.5)) }',
  )
  await expect(
    runSafely(hungry, 'run', [], { siteId: 'demo', milliseconds: 60_000 }),
  ).rejects.toMatchObject({
    code: 'TOO_LARGE',
  })
  expect((await readSafely('demo', 'a.txt', bytesOf('text')))?.segments).toHaveLength(1)
})

test('many files at once all come back, each its own', async () => {
  const texts = Array.from({ length: 50 }, (_, at) => `Text ${at}`)
  const read = await Promise.all(texts.map((text) => readSafely('demo', 'a.txt', bytesOf(text))))
  expect(read.map((opened) => opened?.segments[0]?.parts)).toEqual(
    texts.map((text) => [{ type: 'text', text }]),
  )
})

test('one site leaves a worker for another: its work is next, however much of the first waits', async () => {
  const waiting = functionsIn(
    'export const run = (flag) => void Atomics.wait(new Int32Array(flag), 0, 0)',
  )
  const flag = new SharedArrayBuffer(4)
  let ended = 0
  const hostile = Array.from({ length: 10 }, () =>
    runSafely(waiting, 'run', [flag], { siteId: 'hostile', milliseconds: 600_000 })
      .catch(() => undefined)
      .finally(() => {
        ended += 1
      }),
  )
  expect((await readSafely('other', 'a.txt', bytesOf('text')))?.segments).toHaveLength(1)
  expect(ended).toBe(0)
  Atomics.store(new Int32Array(flag), 0, 1)
  Atomics.notify(new Int32Array(flag), 0)
  await Promise.all(hostile)
})

test('a content that takes too long is refused for good, with its sentence', () => {
  const fault = faultOfFile(new FormatError('TIME_LIMIT', 'It took too long.'))
  expect(fault).toBeInstanceOf(CannotTranslate)
  expect(fault).toMatchObject({ message: 'It took too long.' })
})

test('the names that may be read are those of the formats', () => {
  const all = Object.values(formatRows).flatMap(({ extensions }): readonly string[] => extensions)
  expect(all.filter((extension) => !mayBeRead(`a.${extension.toUpperCase()}`))).toEqual([])
  for (const name of ['a.rar', 'a.txt.pdf']) expect(mayBeRead(name)).toBe(false)
  for (const name of ['txt', 'a.', '.profile']) expect(mayBeRead(name)).toBe(true)
  expect(mayBeRead('a.dat', 'Text/HTML; charset=utf-8')).toBe(true)
})
