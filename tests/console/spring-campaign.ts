/**
 * A job in progress, for tests and pictures of the console: 24 requests in four languages and six
 * states over two days, a rejected text, and a listener that is down. The hub's clock is at 14
 * March 2027, 09:41, when it returns.
 */
import { expect } from 'vitest'
import type { TestHub } from '../hub.ts'
import { priceList } from '../price-list.ts'
import { type Receiver, startReceiver } from '../receiver.ts'

const connector = 'demo-connector'
const provider = 'demo-provider'

export const languages = ['de-de', 'fr-fr', 'ja-jp', 'es-es'] as const
type Language = (typeof languages)[number]
/** The first two are files, the others keys and values. */
const names = [
  'Product page',
  'Newsletter',
  'Returns policy',
  'Checkout',
  'Basket',
  'Search',
] as const
type Name = (typeof names)[number]
type Request = { requestId: string; requestName: Name; targetNativeLanguageCode: Language }

export type SpringCampaign = {
  readonly jobId: string
  readonly manualId: string
  readonly requests: readonly Request[]
  readonly listenerId: string
  /** Answers 503 at the end. */
  readonly receiver: Receiver
  idOf(language: Language, name: Name): string
  close(): Promise<void>
}

/** `jobName` and `note` are for hostile texts. */
export async function seedSpringCampaign(
  hub: TestHub,
  { jobName = 'Spring campaign, product pages', note = 'keep the legal name' } = {},
): Promise<SpringCampaign> {
  const must = async <T = Record<string, string>>(
    who: string,
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const got = await hub.call<T>(method, `/v2${path}`, {
      as: who,
      ...(body !== undefined && { body }),
    })
    expect(got.status, `${method} ${path}: ${JSON.stringify(got.body).slice(0, 300)}`).toBeLessThan(
      300,
    )
    return got.body
  }
  const send = async (url: string, text: string, name: string) => {
    const form = new FormData()
    form.append('file', new Blob([text]), name)
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(201)
  }
  const toTime = async (time: string) => {
    const { body } = await hub.call<{ now: string }>('GET', '/sandbox/clock')
    const seconds = Math.ceil((Date.parse(time) - Date.parse(body.now)) / 1_000)
    if (seconds > 0) await hub.advance(`${seconds}s`)
  }

  // Set the clock: advancing it by months takes seconds, and nothing is there yet that could fall
  // due.
  const { clock } = hub.inner
  clock.setOffset(clock.offset() + Date.parse('2027-03-13T13:59:58Z') - clock.now())
  await toTime('2027-03-13T14:00:00Z')
  const receiver = await startReceiver()
  await must('demo-admin', 'POST', '/settings/pricelists', priceList)
  await must('demo-admin', 'PATCH', '/settings/analysislevels/1', {
    label: 'Cost centre',
    visible: true,
  })
  await must('demo-admin', 'POST', '/settings/analysiscodes', {
    level: 1,
    code: 'MKT-210',
    label: 'Marketing',
  })
  const { providers } = await must<{ providers: { id: string; name: string }[] }>(
    connector,
    'GET',
    '/providers',
  )
  const manualId = providers.find(({ name }) => name === 'Manual')?.id ?? ''
  const listener = { type: 'REQUEST_STATUS_UPDATED', uri: `${receiver.url}/hooks/dragoman` }
  const { listenerId = '' } = await must(connector, 'POST', '/statusupdates/listeners', listener)

  const { jobId = '' } = await must(connector, 'POST', '/jobs', {
    jobName,
    description:
      'The pages of the spring collection, and what customers read on the way to the till.',
    poReference: '4500118',
    dueDate: '2027-03-20T17:00:00Z',
    providerId: manualId,
    shouldQuote: true,
    connectorName: 'Web CMS',
    connectorVersion: '4.2.0',
    analysisCodes: [{ level: 1, code: 'MKT-210' }],
    labels: { campaign: 'spring', urgent: true },
    extendedMetadata: { tone: 'friendly', audience: { age: '25-40', region: 'Europe' } },
    customData: 'cms-batch-381',
  })
  const requests: Request[] = []
  for (const [at, requestName] of names.entries()) {
    const isFile = at < 2
    const fileName = `${requestName.toLowerCase().replace(' ', '-')}.txt`
    let content: object = { fields: fieldsOf(at) }
    if (isFile) {
      const transfer = await must(
        connector,
        'POST',
        `/jobs/${jobId}/sourcefiles?fileName=${fileName}`,
      )
      await send(transfer.fmsPostMultipartUrl ?? '', linesOf(at).join('\n'), fileName)
      content = { fmsFileId: transfer.fmsFileId }
    }
    const added = await must<{ requests: Request[] }>(
      connector,
      'POST',
      `/jobs/${jobId}/requests/add`,
      {
        requestName,
        sourceNativeId: `page-${at}`,
        sourceNativeLanguageCode: 'en-us',
        targetNativeLanguageCodes: languages,
        ...content,
      },
    )
    requests.push(...added.requests)
  }
  const idOf = (language: Language, name: Name): string =>
    requests.find((one) => one.targetNativeLanguageCode === language && one.requestName === name)
      ?.requestId ?? ''
  const idsOf = (language: Language, some: readonly Name[] = names) =>
    some.map((name) => idOf(language, name))
  const tasks = `/providers/${manualId}/jobs/${jobId}/assetTasks`
  const change = (assetTaskIds: readonly string[], assetTasksUpdate: object) =>
    must(provider, 'PATCH', tasks, { assetTaskIds, assetTasksUpdate })
  const start = (ids: readonly string[]) => change(ids, { statusCode: 'IN_TRANSLATION' })
  const deliver = async (language: Language, some: readonly Name[]) => {
    for (const name of some) {
      const at = names.indexOf(name)
      const task = `${tasks}/${idOf(language, name)}`
      if (at >= 2)
        await must(provider, 'PUT', `${task}/translatedContent`, { fields: fieldsOf(at, language) })
      else {
        const transfer = await must(provider, 'POST', `${task}/translatedFile`)
        await send(
          transfer.fmsPostMultipartUrl ?? '',
          linesOf(at, language).join('\n'),
          `${language}.txt`,
        )
      }
    }
    await change(idsOf(language, some), { statusCode: 'TRANSLATION_SUBMITTED' })
  }
  const review = (act: 'approve' | 'reject', requestIds: readonly string[], more = {}) =>
    must(connector, 'PUT', `/jobs/${jobId}/requests/${act}`, { requestIds, ...more })

  await toTime('2027-03-13T14:02:00Z')
  await must(connector, 'PUT', `/jobs/${jobId}/submit`, {})
  await toTime('2027-03-13T14:31:00Z')
  await must(provider, 'PATCH', `/providers/${manualId}/jobs/${jobId}`, {
    statusCode: 'IN_TRANSLATION',
  })
  await start([...idsOf('de-de'), ...idsOf('fr-fr')])
  await toTime('2027-03-13T14:58:00Z')
  await start(idsOf('ja-jp'))
  await toTime('2027-03-13T15:20:00Z')
  await start(idsOf('es-es', ['Product page', 'Newsletter', 'Returns policy']))
  await change(idsOf('es-es', ['Search']), { statusCode: 'CANCELLED' })
  await toTime('2027-03-13T16:40:00Z')
  await deliver('ja-jp', names)
  await toTime('2027-03-13T17:11:00Z')
  await deliver('fr-fr', names)
  await toTime('2027-03-14T09:31:00Z')
  await review('reject', idsOf('ja-jp', ['Returns policy']), { note })
  await review('approve', idsOf('ja-jp', ['Checkout', 'Basket', 'Search']))
  await review('approve', idsOf('fr-fr'))
  await deliver('de-de', ['Search'])
  await toTime('2027-03-14T09:38:00Z')
  receiver.behave({
    status: 503,
    headers: { 'content-type': 'application/json' },
    body: '{"error":"maintenance"}',
  })
  await deliver('de-de', ['Checkout', 'Basket'])
  await toTime('2027-03-14T09:41:00Z')
  return { jobId, manualId, requests, listenerId, receiver, idOf, close: () => receiver.close() }
}

const subjects = [
  'The linen shirt',
  'Our spring jacket',
  'This cotton dress',
  'The canvas bag',
  'Every pair of shoes',
]
const verbs = [
  'keeps you cool',
  'is made to last',
  'comes in six colours',
  'folds into its own pocket',
  'ships today',
]
const rests = [
  'on the first warm evenings',
  'wherever the day takes you',
  'without a second thought',
  'for years to come',
]

/** Sentences of about twelve words, each once in the job, so that a quote has words to count. */
const linesOf = (at: number, language?: Language): string[] =>
  Array.from({ length: 43 }, (_, line) => {
    const pick = (list: readonly string[], step: number) => list[(line * step + at) % list.length]
    const text = `${pick(subjects, 1)} ${pick(verbs, 3)} ${pick(rests, 7)}, item ${at * 100 + line}.`
    return language ? `[${language}] ${text}` : text
  })
const fieldsOf = (at: number, language?: Language) =>
  linesOf(at, language).map((value, line) => ({ key: `text.${line}`, value }))
