/**
 * Files of real size come back from pseudo valid, with the same structure and tags: every unit
 * looked at, none by sample.
 */
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { largeHtml, largeJson, largeXliff } from '../large-files.ts'
import { edited, packagesOf, packed } from '../packages-kit.ts'

const as = 'demo-connector'
const megabyte = 1024 * 1024
let hub: TestHub
let pseudo = ''
beforeAll(async () => {
  hub = await startHub()
  const { body } = await hub.call<{ providers: { id: string; typeId: string }[] }>(
    'GET',
    '/v2/providers',
    { as },
  )
  pseudo = body.providers.find((one) => one.typeId === 'pseudo')?.id ?? ''
})
afterAll(() => hub.close())

/** The file after its round through the hub. */
async function translate(fileName: string, text: string): Promise<string> {
  const { body: job } = await hub.call<{ jobId: string }>('POST', '/v2/jobs', {
    as,
    body: { jobName: fileName },
  })
  const at = `/v2/jobs/${job.jobId}`
  const { body: transfer } = await hub.call<Record<string, string>>(
    'POST',
    `${at}/sourcefiles?fileName=${fileName}`,
    {
      as,
    },
  )
  const form = new FormData()
  form.append('file', new Blob([text]), fileName)
  expect(
    (await fetch(transfer.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })).status,
  ).toBe(201)
  const request = {
    requestName: fileName,
    sourceNativeId: fileName,
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCodes: ['de-de'],
    fmsFileId: transfer.fmsFileId,
  }
  await hub.call('POST', `${at}/requests/add`, { as, body: request })
  expect((await hub.call('PUT', `${at}/submit`, { as, body: { providerId: pseudo } })).status).toBe(
    200,
  )
  const done = await until(
    `${fileName} is translated`,
    async () => {
      type Found = {
        requests: { requestId: string; statusCode: string; latestErrorMessage?: string }[]
      }
      const [found] = (await hub.call<Found>('GET', `${at}/requests`, { as })).body.requests
      if (found?.latestErrorMessage) throw new Error(found.latestErrorMessage)
      return found?.statusCode === 'REVIEW_TRANSLATION' && found
    },
    150_000,
  )
  const { headers } = await hub.call('GET', `${at}/requests/${done.requestId}/retrievefile`, { as })
  return (await fetch(String(headers.get('location')))).text()
}

/** What a program reads, in the order in which it stands. */
const codesOf = (text: string): string[] =>
  text.match(/<[^>]*>|\{\{?\w+\}?\}|%1\$s|%s|https:\S+|\{n, plural, one|other|&\w+;/g) ?? []
const hasWord = (text: string): boolean => /[A-Za-z]{2}/.test(text)

it('JSON of 3 MB: the same keys, numbers and order; every string translated, with its placeholders', async () => {
  const source = largeJson(3 * megabyte)
  const got = await translate('large.json', source)
  expect(Buffer.byteLength(got)).toBeGreaterThan(3 * megabyte)
  const leaves = (value: unknown, path: string): [string, unknown][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`))
      : [[path, value]]
  const [before, after] = [leaves(JSON.parse(source), ''), leaves(JSON.parse(got), '')]
  expect(after.map(([path]) => path)).toEqual(before.map(([path]) => path))
  expect(before.length).toBeGreaterThan(20_000)
  const wrong = before.filter(([, was], at) => {
    const is = after[at]?.[1]
    if (typeof was !== 'string') return is !== was
    return typeof is !== 'string' || is === was || codesOf(is).join() !== codesOf(was).join()
  })
  expect(wrong).toEqual([])
  const layout = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  expect(layout(got) === layout(source), 'everything between the strings').toBe(true)
})

it('HTML of 1.5 MB: the same tags, scripts, comments and references; every text translated', async () => {
  const source = largeHtml(1.5 * megabyte)
  const got = await translate('large.html', source)
  // Scripts, comments and what is locked are one piece each: not a letter of them may change.
  const pieces = (text: string) =>
    text.split(
      /(<script>.*?<\/script>|<!--.*?-->|<li translate="no">.*?<\/li>|<[^>]*>|&\w+;|\{name\})/s,
    )
  const [before, after] = [pieces(source), pieces(got)]
  expect(after.length).toBe(before.length)
  expect(before.length).toBeGreaterThan(20_000)
  // lang names the target; attributes that people read are text.
  const plain = (tag: string) => tag.replace(/ (?:lang|title|alt)="[^"]*"/g, '')
  const codes = (all: string[]) => plain(all.filter((_, at) => at % 2 === 1).join('\n'))
  expect(codes(after) === codes(before), 'tags and references').toBe(true)
  const untouched = before.filter(
    (text, at) => at % 2 === 0 && hasWord(text) && (after[at] === text || hasWord(after[at] ?? '')),
  )
  expect(untouched).toEqual([])
})

it('XLIFF 1.2 of 2 MB: valid, sources as they were, every unit with a target that has its inline tags', async () => {
  const source = largeXliff(2 * megabyte)
  const got = await translate('large.xlf', source)
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(got).close()
  const units = (text: string) => [
    ...text.matchAll(/<trans-unit id="(\w+)".*?<source>(.*?)<\/source>(.*?)<\/trans-unit>/gs),
  ]
  const [before, after] = [units(source), units(got)]
  expect(before.length).toBeGreaterThan(10_000)
  expect(after.map(([, id, text]) => `${id} ${text}`)).toEqual(
    before.map(([, id, text]) => `${id} ${text}`),
  )
  const wrong = after.filter(([, , text = '', rest = '']) => {
    const target = /<target[^>]*>(.*?)<\/target>/s.exec(rest)?.[1] ?? ''
    return (
      target === text ||
      codesOf(target).join() !== codesOf(text).join() ||
      !/[^\p{ASCII}]/u.test(target)
    )
  })
  expect(wrong.map(([unit]) => unit)).toEqual([])
  expect(got).toContain('target-language="de-de"')
  const bare = got
    .replace(/\s*<target[^>]*>.*?<\/target>/gs, '')
    .replace(' target-language="de-de"', '')
  expect(bare === source, 'everything but the targets').toBe(true)
})

it('100,000 segments are listed, written, go out as a package, and come back', async () => {
  const many = 100_000
  const lineOf = (word: string) => (at: number) => `text.${at}=${word} number ${at}`
  const fileOf = (word: string) =>
    Array.from({ length: many }, (_, at) => lineOf(word)(at)).join('\n')
  const kit = packagesOf(hub)
  const { jobId, ids, path, task } = await kit.sent([
    { name: 'texts.properties', file: fileOf('Sentence') },
  ])
  const [id = ''] = ids
  type Listed = { segments: { segmentId: string; position: number }[] }
  const { body } = await kit.call<Listed>(
    'demo-provider',
    'GET',
    `${task(id)}/segments?text=number+99999`,
  )
  expect(body.segments).toMatchObject([{ position: many }])
  const [last] = body.segments
  const draft = { target: ['Satz number 99999'], state: 'TRANSLATED', version: 0 }
  const written = await kit.call(
    'demo-provider',
    'PUT',
    `${task(id)}/segments/${last?.segmentId}`,
    draft,
  )
  expect(written.body).toMatchObject({ version: 1, position: many })
  const out = await kit.download(path)
  const back = edited(out, (text, name) =>
    name.endsWith('.xlf') ? text.replace(/(<target[^>]*>)Sentence/g, '$1Satz') : text,
  )
  expect((await kit.deliver(path, packed(back))).body).toEqual({ delivered: ids, unchanged: [] })
  expect(await kit.translationOf(jobId, id)).toBe(fileOf('Satz'))
})
