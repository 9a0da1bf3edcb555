/**
 * Sends content that is as large and as expensive to read as allowed, and makes the hub do
 * everything with it: import it into the memory, count it, translate it, accept it as a delivery.
 * Each must run beside other calls, within the bounds of the attack.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { priceList } from '../price-list.ts'
import type { AttackedHub } from './attacked-hub.ts'
import type { Counter } from './tally.ts'

const MiB = 1024 ** 2
/** Characters that XML does not escape, so the length stays the same. */
const hostile = ["{a,plural,other{'", '{a,select,other{', 'a ', 'ab. ', '{0}', "'{"]
const languages = { sourceNativeLanguageCode: 'en-US', targetNativeLanguageCode: 'de-DE' }
const filled = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

type Call = <T = Record<string, string>>(
  method: string,
  path: string,
  body?: unknown,
  who?: 'provider',
) => Promise<T>
export type ContentPlan = { readonly calls: number; readonly each?: (line: string) => void }

export async function attackByContent(
  hub: AttackedHub,
  plan: ContentPlan,
  tally: Counter,
): Promise<void> {
  const call = callOf(hub)
  await call('POST', '/settings/pricelists', priceList)
  const isSample = plan.calls < 1_000
  const texts = isSample ? hostile.slice(0, 1) : hostile
  const watch = hub.watch()
  let slowest = { stallMs: 0, name: '' }
  const under = async (name: string, act: () => Promise<unknown>) => {
    watch.look()
    await act()
    // Cleanup may still be running.
    await delay(50)
    const { stallMs, aboveMb } = watch.look()
    tally.round()
    plan.each?.(`${name}: ${stallMs.toFixed(0)} ms, ${aboveMb.toFixed(0)} MB`)
    if (stallMs > slowest.stallMs) slowest = { stallMs, name }
  }
  try {
    for (const text of texts) {
      await under(`a TMX of two texts of ${text}`, () =>
        teach(call, tmxOf([filled(text, MiB - 1), filled(text, MiB - 2)])),
      )
      const units = Array.from({ length: 400 }, (_, at) => filled(`${at} ${text}`, 5_000))
      await under(`a TMX of 400 units of ${text}`, () => teach(call, tmxOf(units)))
    }
    // Stalls do not depend on the database: if time is short, one is enough for the rest.
    if (isSample && hub.database !== 'sqlite') return
    const small = Array.from(
      { length: isSample ? 4_000 : 20_000 },
      (_, at) => `Number ${at} of the many`,
    )
    await under(`a TMX of ${small.length} small units`, () => teach(call, tmxOf(small)))
    for (const text of texts) {
      const jobId = await newJob(call, [filled(text, MiB - 10)])
      await under(`a quote of a field of ${text}`, () => call('GET', `/jobs/${jobId}/quote`))
      await under(`a translation of a field of ${text}`, () =>
        translate(call, jobId, hub.sites[0].providerIds[1]),
      )
    }
    await teach(call, tmxOf([filled('ab. ', MiB - 10)]))
    const inCapitals = await newJob(call, [filled('AB. ', MiB - 10)])
    await under('a quote of a known field in capitals', () =>
      call('GET', `/jobs/${inCapitals}/quote`),
    )
    const many = isSample ? 2 : 50
    const jobId = await newJob(
      call,
      Array.from({ length: many }, (_, at) =>
        filled(`${at} ${texts[at % texts.length]}`, MiB - 10),
      ),
    )
    await under(`a quote of ${many} fields`, () => call('GET', `/jobs/${jobId}/quote`))
    for (const file of [
      filled('a', 4 * MiB),
      filled('&#38;', 5 * MiB),
      '</field><field key="{}">a',
    ]) {
      const name = `a delivery of ${file.slice(0, 20)}`
      const other = await newJob(call, ['a'])
      await under(name, () => deliver(call, other, hub.sites[0].providerIds[0] ?? '', file))
    }
    const large = await fileJob(
      call,
      `<!DOCTYPE html><html><!-- ${filled('a ', 24 * MiB)} --><p>Some words</p></html>`,
    )
    const quotes = () =>
      Promise.all(Array.from({ length: 20 }, () => call('GET', `/jobs/${large}/quote`)))
    await under('20 quotes at once of a file of 24 MiB', quotes)
  } finally {
    await watch.stop()
  }
  tally.figure(`the slowest ${slowest.name} (${slowest.stallMs.toFixed(0)} ms)`)
}

/** As an admin of the site, who may do everything; the provider's calls as the provider. */
function callOf(hub: AttackedHub): Call {
  return async <T>(
    method: string,
    path: string,
    body?: unknown,
    who: 'admin' | 'provider' = 'admin',
  ) => {
    const answer = await fetch(`${hub.url}/v2${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${await hub.token(hub.sites[0].clients[who])}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (answer.status >= 500)
      throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`)
    return JSON.parse(text) as T
  }
}

async function newJob(call: Call, texts: readonly string[]): Promise<string> {
  const { jobId = '' } = await call('POST', '/jobs', { jobName: 'Content' })
  for (const value of texts)
    await call('POST', `/jobs/${jobId}/requests/add`, {
      ...{ requestName: 'r', sourceNativeId: 's', sourceNativeLanguageCode: 'en-US' },
      targetNativeLanguageCodes: ['de-DE'],
      fields: [{ key: 'k', value }],
    })
  return jobId
}

async function fileJob(call: Call, text: string): Promise<string> {
  const { jobId = '' } = await call('POST', '/jobs', { jobName: 'A large file' })
  const { fmsFileId, fmsPostMultipartUrl } = await call(
    'POST',
    `/jobs/${jobId}/sourcefiles?fileName=a.html`,
  )
  await send(fmsPostMultipartUrl, text)
  await call('POST', `/jobs/${jobId}/requests/add`, {
    ...{ requestName: 'r', sourceNativeId: 's', sourceNativeLanguageCode: 'en-US' },
    targetNativeLanguageCodes: ['de-DE'],
    fmsFileId,
  })
  return jobId
}

const tmxOf = (texts: readonly string[]): string => {
  const seg = (language: string, text: string) =>
    `<tuv xml:lang="${language}"><seg>${text.replaceAll('<', '&lt;')}</seg></tuv>`
  const units = texts.map((text) => `<tu>${seg('en-US', text)}${seg('de-DE', text)}</tu>`)
  return `<tmx version="1.4"><header/><body>${units.join('')}</body></tmx>`
}

async function send(url: string | undefined, text: string): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([text]), 'x')
  const { status } = await fetch(url ?? '', { method: 'POST', body: form })
  if (status !== 201) throw new Error(`the file was not taken: ${status}`)
}

async function teach(call: Call, tmx: string): Promise<void> {
  const { jobId } = await call('POST', '/jobs', { jobName: 'TMX' })
  const { fmsFileId, fmsPostMultipartUrl } = await call(
    'POST',
    `/jobs/${jobId}/sourcefiles?fileName=a.tmx`,
  )
  await send(fmsPostMultipartUrl, tmx)
  const { tmupdateId } = await call('POST', `/jobs/${jobId}/tmupdates`, { fmsFileId, ...languages })
  await until(async () => {
    const { importStatus, importError } = await call(
      'GET',
      `/jobs/${jobId}/tmupdates/${tmupdateId}`,
    )
    if (importStatus === 'FAILED') throw new Error(`a TMX was not imported: ${importError}`)
    return importStatus === 'IMPORTED'
  })
}

async function translate(call: Call, jobId: string, providerId: string | undefined): Promise<void> {
  await call('PUT', `/jobs/${jobId}/submit`, { providerId })
  await until(async () => {
    const { requests } = await call<{ requests: { statusCode: string; hasError: boolean }[] }>(
      'GET',
      `/jobs/${jobId}/requests`,
    )
    return requests.every(
      ({ statusCode, hasError }) => hasError || statusCode === 'REVIEW_TRANSLATION',
    )
  })
}

/** A delivery is refused or accepted. */
async function deliver(
  call: Call,
  jobId: string,
  providerId: string,
  inner: string,
): Promise<void> {
  await call('PUT', `/jobs/${jobId}/submit`, { providerId })
  const tasks = `/providers/${providerId}/jobs/${jobId}/assetTasks`
  let id = ''
  await until(async () => {
    const found = await call<{ assetTasks?: { assetTaskId: string }[] }>(
      'GET',
      tasks,
      undefined,
      'provider',
    )
    id = found.assetTasks?.[0]?.assetTaskId ?? ''
    return id !== ''
  })
  const field = inner.includes('{}')
    ? Array.from({ length: 150_000 }, (_, at) => inner.replace('{}', `${at}`)).join('')
    : inner
  const { fmsPostMultipartUrl } = await call(
    'POST',
    `${tasks}/${id}/translatedFile`,
    undefined,
    'provider',
  )
  await send(fmsPostMultipartUrl, `<content><field key="k">${field}</field></content>`)
  await call('PATCH', `${tasks}/${id}`, { statusCode: 'TRANSLATION_SUBMITTED' }, 'provider')
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; !(await isSo()); tried++) {
    if (tried > 1_200) throw new Error('it was never done')
    await delay(50)
  }
}
