/**
 * Calls with as many items as the limits allow, at a hub with a heap of 512 MB: half a million
 * segments in a small file, a hundred thousand terms that begin alike, packages that list what was
 * never sent. Each is bounded by its own cost: the hub goes on answering, and does not die.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { pack } from '../formats/pack.ts'
import type { AttackedHub } from './attacked-hub.ts'
import type { Counter } from './tally.ts'
import { stalled } from './tally.ts'

type Body = Record<string, unknown> | readonly unknown[] | string | Uint8Array
type Answer = { readonly status: number; readonly text: string }
type Who = 'admin' | 'provider'
type Desk = { readonly jobId: string; readonly taskId: string; readonly at: string }

export type ItemPlan = {
  readonly calls: number
  readonly maxStallMs: number
  readonly each?: (line: string) => void
}

/** As a share of the limits, for a quick sample. */
const sizesFor = (share: number) => {
  const part = (most: number) => Math.ceil(most * share)
  return {
    segments: part(490_000),
    units: part(480_000),
    zeros: part(8_000_000),
    terms: part(100_000),
    termRows: part(300_000),
    forms: part(2_000_000),
    tags: part(80_000),
  }
}

export async function sendMostItems(
  hub: AttackedHub,
  { calls, maxStallMs, each }: ItemPlan,
  tally: Counter,
): Promise<void> {
  const size = sizesFor(calls < 1_000 ? 0.02 : 1)
  const watch = hub.watch()
  const own = openCalls(hub)
  const { call, deskOf, raw, firstOf, write } = own
  let slowest = { stallMs: 0, name: '' }
  let largest = { aboveMb: 0, name: '' }
  const under = async (name: string, act: () => Promise<unknown>, expected: number[] = []) => {
    watch.look()
    const begun = performance.now()
    const given = await act().catch((error: unknown) => ({ status: 0, text: String(error) }))
    await delay(50)
    const { stallMs, aboveMb, silent } = watch.look()
    tally.round()
    const all = (Array.isArray(given) ? given : [given]) as Answer[]
    const statuses = [...new Set(all.map(({ status }) => status))]
    each?.(
      `${name}: ${statuses.join()}, ${(performance.now() - begun).toFixed(0)} ms, loop ${stallMs.toFixed(0)} ms, ${aboveMb.toFixed(0)} MB`,
    )
    if (silent) tally.found(`${name}: the hub stopped answering`)
    const bad = all.find(({ status }) =>
      expected.length > 0 ? !expected.includes(status) : status >= 500 || status === 0,
    )
    if (bad) tally.found(`${name}: ${bad.status} ${bad.text.slice(0, 300)}`)
    if (stallMs > maxStallMs) tally.found(`${name}: ${stalled} ${stallMs.toFixed(0)} ms`)
    if (stallMs > slowest.stallMs) slowest = { stallMs, name }
    if (aboveMb > largest.aboveMb) largest = { aboveMb, name }
  }
  try {
    const small = await Promise.all(
      Array.from({ length: 3 }, () => deskOf('a.txt', 'a\n\n'.repeat(size.segments))),
    )
    const [desk] = small as [Desk, ...Desk[]]
    const page = (at: Desk, query: string) => call('provider', 'GET', `${at.at}/segments?${query}`)
    await under(
      'a page of three files of most segments',
      () => Promise.all(small.map((one) => page(one, 'pageSize=1'))),
      [200],
    )
    await under(
      'the words of three files of most segments',
      () => Promise.all(small.map((one) => call('admin', 'GET', `/jobs/${one.jobId}/words`))),
      [200],
    )
    for (const query of [
      'text=nowhere',
      'state=TRANSLATED',
      'sort=RISK',
      'check=numbers',
      'risk=50',
    ])
      await under(
        `a page of most segments with ${query}`,
        () => page(desk, `${query}&pageSize=50`),
        [200],
      )
    const some = await firstOf(desk)
    await under('500 targets of most segments', () => write(desk, some, 0, 'b'), [200])
    await under('a delivery of most segments that are open', () =>
      call('provider', 'POST', `${desk.at}/segments/deliver`, {}),
    )
    await under('a preview of most segments', () => call('provider', 'GET', `${desk.at}/preview`))
    const packages = `/providers/${hub.sites[0].providerIds[0]}/jobs/${desk.jobId}/package`
    await under('a package of most segments', () =>
      call('provider', 'GET', `${packages}?format=xliff12`),
    )

    const manifest = `{"package":"dragoman","version":1,"format":"xliff12","jobId":"${desk.jobId}","assetTasks":[${'0,'.repeat(size.zeros)}0]}`
    const send = (entries: Parameters<typeof pack>[0]) =>
      raw('provider', 'POST', packages, pack(entries), 'application/zip')
    await under(
      'a manifest of zeros',
      () => send([{ name: 'manifest.json', content: manifest, stored: true }]),
      [400, 413, 422],
    )
    const short = await deskOf('b.txt', 'One text.')
    const shortPackages = `/providers/${hub.sites[0].providerIds[0]}/jobs/${short.jobId}/package`
    const sendShort = (entries: Parameters<typeof pack>[0]) =>
      raw('provider', 'POST', shortPackages, pack(entries), 'application/zip')
    const unit = (at: number, inner: string) =>
      `<trans-unit id="u${at}"><source>a</source><target>${inner}</target></trans-unit>`
    const xliff = (units: string) =>
      `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="dragoman:${short.jobId}/${short.taskId}/b.txt" source-language="en-US" target-language="de-DE" datatype="x"><body>${units}</body></file></xliff>`
    const many = Array.from({ length: size.units }, (_, at) => unit(at, 'b')).join('')
    await under(
      'a package of units that were not sent',
      () => sendShort([{ name: 'b.txt.xlf', content: xliff(many), stored: true }]),
      [400, 413, 422],
    )
    await under(
      'a target of tags',
      () =>
        sendShort([
          {
            name: 'b.txt.xlf',
            content: xliff(unit(1, '<x id="1"/>'.repeat(size.units / 2))),
            stored: true,
          },
        ]),
      [400, 413, 422],
    )
    await under(
      'names of many folders',
      () =>
        sendShort(
          Array.from({ length: 200 }, (_, at) => ({
            name: `${'a/'.repeat(30_000)}${at}`,
            content: '',
          })),
        ),
      [400, 413, 422],
    )

    await attackByTerms(hub, { ...own, under, size })
  } finally {
    await watch.stop()
  }
  tally.figure(`the slowest ${slowest.name} (${slowest.stallMs.toFixed(0)} ms)`)
  tally.figure(`the largest ${largest.name} (${largest.aboveMb.toFixed(0)} MB above idle)`)
}

type Parts = ReturnType<typeof openCalls> & {
  readonly under: (name: string, act: () => Promise<unknown>, expected?: number[]) => Promise<void>
  readonly size: ReturnType<typeof sizesFor>
}

async function attackByTerms(
  hub: AttackedHub,
  { under, call, raw, deskOf, firstOf, write, size }: Parts,
): Promise<void> {
  const languages = { sourceNativeLanguageCode: 'en-US', targetNativeLanguageCode: 'de-DE' }
  const list = (rows: readonly string[], query = 'format=csv') =>
    raw('admin', 'POST', `/settings/terms/import?${query}`, rows.join('\n'), 'text/csv')
  await under('a term of most rows', () =>
    list(['termId,language,text', ...Array.from({ length: size.termRows }, () => 'x,en,a')]),
  )
  await under('a cell of most forms', () =>
    list(['language,text,forms', `en,a,"${'b|'.repeat(size.forms)}"`]),
  )
  const sections = Array.from(
    { length: size.termRows },
    (_, at) => `<langSec xml:lang="x${at}"><termSec><term>a</term></termSec></langSec>`,
  ).join('')
  await under('a TBX of most languages', () =>
    raw(
      ...(['admin', 'POST', '/settings/terms/import?format=tbx'] as const),
      `<tbx><text><body><conceptEntry id="a">${sections}</conceptEntry></body></text></tbx>`,
      'application/x-tbx',
    ),
  )
  const alike = Array.from({ length: 200 }, (_, at) => `${'zap '.repeat(at + 1).trim()},zapp ${at}`)
  await under('terms that begin alike', () => list(['en,de', ...alike]))
  const others = Array.from(
    { length: size.terms - 20_000 > 0 ? size.terms - 20_000 : size.terms },
    (_, at) => `term${at.toString(36)} word,Wort ${at}`,
  )
  await under('most terms', () => list(['en,de', ...others]))
  const equal = Array.from({ length: Math.min(19_000, size.terms) }, (_, at) => `same,gleich ${at}`)
  await under('equal terms', () => list(['en,de', ...equal]))
  const { providerIds } = hub.sites[0]
  const find = (text: string) =>
    call('provider', 'POST', `/providers/${providerIds[0]}/terms/find`, { text, ...languages })
  await under('the first look-up of most terms', () => find('One term0 word.'))
  await under('a text of terms that begin alike', () => find('zap '.repeat(500)))
  await under('a long text of terms that begin alike', () => find('zap '.repeat(50_000)))
  await under('a text of equal terms', () => find('same '.repeat(80)))
  await under('a check of terms that begin alike', () =>
    call('provider', 'POST', `/providers/${providerIds[0]}/checks`, {
      ...{ source: 'zap '.repeat(5_000), target: 'zapp '.repeat(5_000), ...languages },
    }),
  )
  const prose = Array.from(
    { length: 500 },
    (_, at) => `Sentence ${at} has a few ordinary words in it. `,
  )
  const desk = await deskOf('c.txt', prose.join('\n\n'))
  const segments = await firstOf(desk)
  let version = 0
  for (const [name, target] of [
    ['ordinary prose', 'Ein Satz hat ein paar ganz gewöhnliche Wörter. '.repeat(6)],
    ['long prose', 'Ein Satz hat 12 ganz gewöhnliche Wörter, (und mehr. '.repeat(36)],
    ['terms that begin alike', 'zap '.repeat(450)],
  ] as const) {
    await under(`500 targets of ${name}`, () => write(desk, segments, version, target), [200])
    version += 1
  }
  const nested = Array.from({ length: size.tags }, (_, at) => ({ tag: at + 1 }))
  await under('a check of nested tags', () =>
    call('provider', 'POST', `/providers/${providerIds[0]}/checks`, {
      ...{
        source: ['a', ...nested.slice(0, 1_900), 'b'],
        target: ['a', ...nested.slice(0, 1_900), 'b'],
      },
      ...languages,
      tags: nested.slice(0, 1_900).map(({ tag }) => ({ tag, kind: 'SINGLE', shows: '<x/>' })),
    }),
  )
}

function openCalls(hub: AttackedHub) {
  const raw = async (who: Who, method: string, path: string, body?: Body, type?: string) => {
    const answer = await fetch(`${hub.url}/v2${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${await hub.token(hub.sites[0].clients[who])}`,
        ...(type !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: body as string }),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const call = (who: Who, method: string, path: string, body?: Body): Promise<Answer> =>
    body === undefined
      ? raw(who, method, path)
      : raw(who, method, path, JSON.stringify(body), 'application/json')
  const json = async (...args: Parameters<typeof call>) => {
    const { status, text } = await call(...args)
    if (status >= 300) throw new Error(`${args[1]} ${args[2]}: ${status} ${text.slice(0, 300)}`)
    return JSON.parse(text) as Record<string, string>
  }
  /** A file that the provider of people has. */
  const deskOf = async (fileName: string, text: string): Promise<Desk> => {
    const { jobId = '' } = await json('admin', 'POST', '/jobs', { jobName: 'Most items' })
    const sources = `/jobs/${jobId}/sourcefiles?fileName=${fileName}`
    const { fmsFileId, fmsPostMultipartUrl = '' } = await json('admin', 'POST', sources)
    const form = new FormData()
    form.append('file', new Blob([text]), fileName)
    await fetch(fmsPostMultipartUrl, { method: 'POST', body: form })
    await json('admin', 'POST', `/jobs/${jobId}/requests/add`, {
      ...{ requestName: 'r', sourceNativeId: 's', sourceNativeLanguageCode: 'en-US', fmsFileId },
      targetNativeLanguageCodes: ['de-DE'],
    })
    const providerId = hub.sites[0].providerIds[0]
    await json('admin', 'PUT', `/jobs/${jobId}/submit`, { providerId })
    for (;;) {
      const tasks = `/providers/${providerId}/jobs/${jobId}/assetTasks`
      const { text: found } = await call('provider', 'GET', tasks)
      const taskId = /"assetTaskId"\s*:\s*"([^"]+)"/.exec(found)?.[1]
      if (taskId) return { jobId, taskId, at: `${tasks}/${taskId}` }
      await delay(50)
    }
  }
  /** The ids of the first 500 segments. */
  const firstOf = async ({ at }: Desk): Promise<string[]> => {
    const ids: string[] = []
    for (let next: string | undefined = ''; ids.length < 500 && next !== undefined; ) {
      const query = next === '' ? '' : `&navNext=${encodeURIComponent(next)}`
      const { text } = await call('provider', 'GET', `${at}/segments?pageSize=50${query}`)
      const page = JSON.parse(text) as {
        segments: { segmentId: string }[]
        pagination: { navNext?: string }
      }
      for (const { segmentId } of page.segments) ids.push(segmentId)
      next = page.pagination.navNext
    }
    return ids.slice(0, 500)
  }
  const write = ({ at }: Desk, ids: readonly string[], version: number, target: string) =>
    call('provider', 'PUT', `${at}/segments`, {
      segments: ids.map((segmentId) => ({
        ...{ segmentId, version, target: [target], state: 'TRANSLATED' },
      })),
    })
  return { raw, call, deskOf, firstOf, write }
}
