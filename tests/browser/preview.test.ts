/**
 * The preview of a translation in a frame of a real browser: styles are shown, no script runs,
 * nothing is called, nothing moves.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, sharedChromium } from '../chromium.ts'
import { providersOf } from '../console/some-jobs.ts'
import { startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'

/** Everything that a page could use to run a script or to call somebody. */
const attack = (out: string) => `<!doctype html>
<html><head>
<base href="${out}/base/">
<meta http-equiv="refresh" content="0;url=${out}/refresh">
<link rel="stylesheet" href="${out}/link.css"><link rel="preload" as="image" href="${out}/preload.png">
<link rel="dns-prefetch" href="${out}"><link rel="icon" href="${out}/icon.png">
<style>@import url("${out}/import.css"); p { color: rgb(1, 2, 3); background: url("${out}/css.png") }</style>
<script>document.documentElement.dataset.ran = 'script'; fetch('${out}/fetch')</script>
<script src="${out}/script.js"></script>
</head><body>
<p>First text</p>
<div style="height: 4000px"></div>
<img src="${out}/image.png" srcset="${out}/set.png 2x" onerror="document.documentElement.dataset.ran = 'onerror'" alt="A picture">
<svg onload="document.documentElement.dataset.ran = 'svg'"><image href="${out}/svg.png"/></svg>
<iframe src="${out}/frame"></iframe>
<iframe srcdoc="<script>parent.document.documentElement.dataset.ran = 'srcdoc'</script><img src='${out}/srcdoc.png'>"></iframe>
<object data="${out}/object"></object><embed src="${out}/embed">
<video src="${out}/video" poster="${out}/poster.png" autoplay></video>
<form action="${out}/form"><button id="send">Send</button></form>
<a id="top" target="_top" href="${out}/top">Out</a> <a id="blank" target="_blank" href="${out}/blank" ping="${out}/ping">New</a>
<a id="js" href="javascript:document.documentElement.dataset.ran = 'link'">Script</a>
<p>Second text</p>
</body></html>
`

describe.skipIf(!hasBrowser)('the preview of a translation', () => {
  let hub: TestHub
  let server: Server
  let browser: Browser
  let page: Page
  const called: string[] = []
  let path = ''
  let segments: { segmentId: string; source: unknown[] }[] = []

  beforeAll(async () => {
    server = createServer((request, answer) => {
      called.push(request.url ?? '')
      answer.setHeader('access-control-allow-origin', '*').end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    hub = await startHub()
    browser = await sharedChromium()
    page = await browser.newPage()
    const { port } = server.address() as AddressInfo
    const { Manual = '' } = await providersOf(hub)
    const call = async <T = Record<string, string>>(
      as: string,
      method: string,
      at: string,
      body?: unknown,
    ) => {
      const answer = await hub.call<T>(method, `/v2${at}`, {
        as,
        ...(body !== undefined && { body }),
      })
      expect([answer.status, answer.body]).toEqual([
        expect.toSatisfy((status) => status < 300),
        expect.anything(),
      ])
      return answer.body
    }
    const as = 'demo-connector'
    const { jobId } = await call(as, 'POST', '/jobs', { jobName: 'A page' })
    const file = await call(as, 'POST', `/jobs/${jobId}/sourcefiles?fileName=page.html`)
    const form = new FormData()
    form.append('file', new Blob([attack(`http://127.0.0.1:${port}`)]), 'page.html')
    expect(
      (await fetch(String(file.fmsPostMultipartUrl), { method: 'POST', body: form })).status,
    ).toBe(201)
    const added = await call<{ requests: { requestId: string }[] }>(
      as,
      'POST',
      `/jobs/${jobId}/requests/add`,
      {
        requestName: 'page',
        sourceNativeId: 'page',
        sourceNativeLanguageCode: 'en-us',
        targetNativeLanguageCodes: ['de-de'],
        fmsFileId: file.fmsFileId,
      },
    )
    await call(as, 'PUT', `/jobs/${jobId}/submit`, { providerId: Manual })
    const id = added.requests[0]?.requestId
    const task = `/providers/${Manual}/jobs/${jobId}/assetTasks/${id}`
    segments = await until('the task is there', async () => {
      const { body } = await hub.call<{ segments?: typeof segments }>(
        'GET',
        `/v2${task}/segments`,
        {
          as: 'demo-provider',
        },
      )
      return body.segments
    })
    path = `/console/work/${Manual}/${jobId}/${id}/preview`
  })
  afterAll(async () => {
    await page?.context().close()
    await hub?.close()
    server?.closeAllConnections()
    server?.close()
  })
  const idOf = (text: string) => segments.find(({ source }) => source[0] === text)?.segmentId ?? ''

  it('runs no script and calls nobody, shows styles, and goes to the segment', async () => {
    await page.goto(hub.url)
    await page.locator('main').waitFor()
    const home = page.url()
    await page.evaluate(
      (src) =>
        new Promise<void>((resolve) => {
          const frame = Object.assign(document.createElement('iframe'), {
            src,
            width: 600,
            height: 300,
          })
          frame.onload = () => resolve()
          document.body.prepend(frame)
        }),
      `${path}?segment=${idOf('Second text')}#segment`,
    )
    const frame = page.frames().find((one) => one.url().includes('/console/work/'))
    if (!frame) throw new Error('The frame did not load.')
    const state = () =>
      frame.evaluate(() => {
        const mark = document.querySelector('#segment')
        return {
          ran: document.documentElement.dataset.ran,
          origin: self.origin,
          colour: getComputedStyle(document.querySelector('p') as Element).color,
          marked: mark?.textContent,
          isInView:
            (mark?.getBoundingClientRect().top ?? -1) >= 0 &&
            (mark?.getBoundingClientRect().top ?? 999) < 300,
        }
      })
    expect(await state()).toEqual({
      ran: undefined,
      origin: 'null',
      colour: 'rgb(1, 2, 3)',
      marked: 'Second text',
      isInView: true,
    })
    for (const id of ['send', 'top', 'blank', 'js'])
      await frame.locator(`#${id}`).dispatchEvent('click')
    expect((await state()).ran).toBeUndefined()
    expect(page.url()).toBe(home)
    expect(page.context().pages()).toHaveLength(1)
    // A call that is ours arrives after all those that the page made before it.
    await page.request.get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/last`)
    expect(called).toEqual(['/last'])
  })
})
