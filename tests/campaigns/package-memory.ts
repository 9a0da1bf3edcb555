/** What a large package costs the hub in memory, on its way out and back in, against a bound. */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { zipStream } from '../../packages/text/src/formats/zip/zip-stream.ts'
import type { Env } from '../hub.ts'
import type { Transfer } from './connector.ts'
import { peakDuring, rssOf } from './moved-memory.ts'
import { openRoundClient, type RoundClient } from './round-client.ts'
import { startSteadyHub } from './steady-hub.ts'
import type { Counter } from './tally.ts'

export type PackagePlan = {
  readonly files: number
  readonly bytesEach: number
  /** In MB above the idle hub. */
  readonly maxAbove: number
  /** Extra environment of the hub. */
  readonly env?: Env
}

const mover = join(import.meta.dirname, 'mover.mjs')

export async function measurePackage(plan: PackagePlan, tally: Counter): Promise<void> {
  const hub = await startSteadyHub(plan.env)
  const reach = {
    url: () => hub.url,
    hasDied: () => false,
    recover: () => Promise.reject(new Error('The hub did not answer.')),
  }
  const [connector, provider] = [openRoundClient(reach), openRoundClient(reach, 'demo-provider')]
  const move = async (what: Pick<PackagePlan, 'files' | 'bytesEach'>) => {
    const job = await sendJob(connector, what)
    const headers = { authorization: `Bearer ${await provider.token()}` }
    const url = `${hub.url}/v2${job}/package`
    const out = await peakDuring({ pid: hub.pid, mover }, [
      { url: `${url}?format=original`, headers },
    ])
    const from = await writePackage(join(hub.folder, `package-${what.bytesEach}.zip`), what)
    const type = { ...headers, 'content-type': 'application/zip' }
    const back = await peakDuring({ pid: hub.pid, mover }, [
      { url, from, method: 'POST', headers: type },
    ])
    const { assetTasks } = await provider.get<{ assetTasks: { statusCode: string }[] }>(
      `${job}/assetTasks?limit=200`,
    )
    const done = assetTasks.filter(
      ({ statusCode }) => statusCode === 'TRANSLATION_SUBMITTED',
    ).length
    if (done !== what.files)
      tally.lost(`${done} of ${what.files} files of a package were delivered`)
    return { out, back }
  }
  try {
    // Code loaded on first use counts as idle memory.
    await move({ files: 2, bytesEach: 1000 })
    const idle = await rssOf(hub.pid)
    const size = Math.round((plan.files * plan.bytesEach) / 1024 ** 2)
    for (const [way, peak] of Object.entries(await move(plan))) {
      const above = peak - idle
      tally.figure(
        `a package of ${size} MiB ${way}: ${above.toFixed(0)} MB above ${idle.toFixed(0)} MB idle`,
      )
      if (above > plan.maxAbove)
        tally.leaked(
          `a package ${way}: ${above.toFixed(0)} MB above idle, at most ${plan.maxAbove}`,
        )
    }
    tally.round()
  } finally {
    await hub.close()
  }
}

/**
 * Files that nobody can read: they are carried, not compared. Returns the path of the job at its
 * provider.
 */
async function sendJob(
  connector: RoundClient,
  { files, bytesEach }: Pick<PackagePlan, 'files' | 'bytesEach'>,
) {
  const { jobId } = await connector.post<{ jobId: string }>('/jobs', undefined, {
    jobName: 'Package',
  })
  const requests: object[] = []
  for (let at = 0; at < files; at += 1) {
    const path = `/jobs/${jobId}/sourcefiles?fileName=${nameOf(at)}`
    const transfer = await connector.post<Transfer>(path)
    await connector.upload(transfer, randomBytes(bytesEach))
    requests.push({
      ...{ requestName: nameOf(at), sourceNativeId: nameOf(at), sourceNativeLanguageCode: 'en-us' },
      ...{ targetNativeLanguageCodes: ['de-de'], fmsFileId: transfer.fmsFileId },
    })
  }
  await connector.post(`/jobs/${jobId}/requests/add`, undefined, { requests })
  const { providers } = await connector.get<{ providers: { id: string; name: string }[] }>(
    '/providers',
  )
  const providerId = providers.find(({ name }) => name === 'Manual')?.id
  await connector.put(`/jobs/${jobId}/submit`, { providerId })
  await connector.until('the job is at its provider', async () => {
    const { statusCode } = await connector.get<{ statusCode: string }>(`/jobs/${jobId}`)
    return statusCode === 'SENT_TO_PROVIDER'
  })
  return `/providers/${providerId}/jobs/${jobId}`
}

const nameOf = (at: number): string => `part-${at}.bin`

async function writePackage(
  path: string,
  { files, bytesEach }: Pick<PackagePlan, 'files' | 'bytesEach'>,
) {
  async function* entries() {
    for (let at = 0; at < files; at += 1)
      yield { name: `de-de/${nameOf(at)}`, content: randomBytes(bytesEach) }
  }
  await pipeline(Readable.from(zipStream(entries())), createWriteStream(path))
  return path
}
