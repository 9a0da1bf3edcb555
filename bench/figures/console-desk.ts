/** The workbench with 40,001 segments in one request, in a real Chromium: typing and scrolling. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Bench, Figure } from '../figure.ts'
import { high, idleFrames, openBrowser, rowsRow, scroll, timesRow } from '../in-browser.ts'
import { median } from '../pairs.ts'
import { seeded, sentence } from '../sentences.ts'
import { callHub, startServer, tokenFor, untilThere } from '../server.ts'

export const consoleDesk: Figure = {
  name: 'console-desk',
  says: 'typing and scrolling in a request of 40,001 segments in the console, in Chromium',
  run: async (bench) => {
    const { quick } = bench.options
    const many = quick ? 200 : 40_001
    const browser = await openBrowser(bench)
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(await openTask(bench, many))
    await page.getByRole('button', { name: 'Claim' }).click()
    await page.getByRole('textbox', { name: 'Translation of segment 1' }).waitFor()
    const name = `Workbench, ${many.toLocaleString('en')} segments`
    const keys = await typeKeys(page, quick ? 10 : 300)
    const { frames, rows } = await scroll(page, '[role=table] [role=rowgroup]', quick ? 150 : 6_000)
    const idle = `an idle frame ${median(await idleFrames(page)).toFixed(1)} ms`
    return [
      timesRow(`${name}: key to the next paint, p95`, [high(keys)], idle, 0.032),
      timesRow(`${name}: a frame while scrolling, p50`, frames, idle, 0.025),
      rowsRow(`${name}: rows in the document, at most`, rows),
    ]
  },
}

/**
 * Types at the rate of a fast typist, pausing now and then so that drafts are saved; from each key
 * until its frame is drawn.
 */
async function typeKeys(page: Page, count: number): Promise<number[]> {
  await page.evaluate(() => {
    const taken: number[] = []
    Object.assign(window, { taken })
    document.addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          // A message is handled after the frame is drawn.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => taken.push(performance.now() - timeStamp)
          port2.postMessage(0)
        }),
      true,
    )
  })
  for (let time = 0; time < count; time += 1) {
    await page.keyboard.press('abcdefgh '.charAt(time % 9))
    await delay(time % 60 === 59 ? 1_500 : 60)
  }
  return page.evaluate(() => (window as unknown as { taken: number[] }).taken)
}

/** The address of the workbench of a task with this many segments. */
async function openTask(bench: Bench, many: number): Promise<string> {
  const env = {
    DRAGOMAN_PROFILE: 'sandbox',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: await bench.folder(),
  }
  const { port } = await startServer(bench, env)
  const as = async (id: string) => ({
    port,
    headers: await tokenFor(port, { id, secret: `${id}-secret` }),
  })
  const connector = await as('demo-connector')
  const { providers } = await callHub<{ providers: { id: string; name: string }[] }>(
    connector,
    'GET',
    '/v2/providers',
  )
  const providerId = providers.find(({ name }) => name === 'Manual')?.id
  const { jobId } = await callHub<{ jobId: string }>(connector, 'POST', '/v2/jobs', {
    jobName: 'Large',
  })
  const draw = seeded(3)
  const content = Object.fromEntries(
    Array.from({ length: many }, (_, at) => [`text.${at}`, sentence(draw)]),
  )
  const place = await callHub<{ fmsPostMultipartUrl: string; fmsFileId: string }>(
    connector,
    'POST',
    `/v2/jobs/${jobId}/sourcefiles?fileName=large.json`,
  )
  const form = new FormData()
  form.append('file', new Blob([JSON.stringify(content)]), 'large.json')
  const stored = await fetch(place.fmsPostMultipartUrl, { method: 'POST', body: form })
  if (!stored.ok) throw new Error(`The file was answered with ${stored.status}.`)
  const { requests } = await callHub<{ requests: { requestId: string }[] }>(
    connector,
    'POST',
    `/v2/jobs/${jobId}/requests/add`,
    {
      requests: [
        {
          requestName: 'Large',
          sourceNativeId: 'large',
          sourceNativeLanguageCode: 'en-US',
          targetNativeLanguageCodes: ['de-DE'],
          fmsFileId: place.fmsFileId,
        },
      ],
    },
  )
  const requestId = requests[0]?.requestId
  await callHub(connector, 'PUT', `/v2/jobs/${jobId}/submit`, { providerId })
  await untilThere(
    await as('demo-admin'),
    `/v2/providers/${providerId}/jobs/${jobId}/assetTasks/${requestId}`,
  )
  return `http://127.0.0.1:${port}/work/${providerId}/${jobId}/${requestId}`
}
