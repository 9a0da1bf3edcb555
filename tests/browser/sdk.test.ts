/**
 * The SDK's bundle in a real browser, on a page of another origin than the hub: it uploads 20 MB
 * with progress, downloads them, follows pages and verifies a delivery.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, sharedChromium } from '../chromium.ts'
import { startHub, type TestHub } from '../hub.ts'

/** Where the page keeps the SDK. */
type OnPage = { readonly sdk: typeof import('@dragoman/sdk') }
const html = `<!doctype html><title>A page of another origin</title>
<script type="module">import * as sdk from '/sdk.js'; globalThis.sdk = sdk</script>`

async function bundle(): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['source', 'browser', 'import', 'default'] },
    build: {
      write: false,
      minify: true,
      lib: { entry: join(import.meta.dirname, '../../packages/sdk/src/index.ts'), formats: ['es'] },
    },
  })) as Rolldown.RolldownOutput[]
  const [chunk] = [built].flat().flatMap(({ output }) => output)
  if (chunk?.type !== 'chunk') throw new Error('no bundle was made')
  return chunk.code
}

describe.skipIf(!hasBrowser)('the bundle in Chromium', () => {
  let code: string
  let server: Server
  let hub: TestHub
  let page: Page
  beforeAll(async () => {
    code = await bundle()
    server = createServer((call, answer) => {
      const isScript = call.url === '/sdk.js'
      answer.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      answer.end(isScript ? code : html)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    hub = await startHub()
    page = await (await sharedChromium()).newPage()
    await page.goto(origin)
    await page.waitForFunction(() => 'sdk' in globalThis)
  })
  afterAll(async () => {
    await page?.context().close()
    await hub?.close()
    server?.closeAllConnections()
    server?.close()
  })

  it('is small and imports nothing from Node', () => {
    expect(code).not.toMatch(/from\s*["']node:|require\(/)
    expect(gzipSync(code).length).toBeLessThan(40_000)
  })

  it('uploads 20 MB with progress to a hub on another origin, and downloads them', async () => {
    const seen = await page.evaluate(async (url) => {
      const { connect, sourceOf, keptInBrowser } = (globalThis as unknown as OnPage).sdk
      const bytes = new Uint8Array(20 * 1024 * 1024)
      for (let at = 0; at < bytes.length; at += 65_536)
        crypto.getRandomValues(bytes.subarray(at, at + 65_536))
      const hash = async (of: Uint8Array<ArrayBuffer>) =>
        [...new Uint8Array(await crypto.subtle.digest('SHA-256', of))].join()
      const connector = { name: 'page', version: '1.0.0', installation: keptInBrowser() }
      const credentials = { clientId: 'demo-connector', clientSecret: 'demo-connector-secret' }
      const hub = connect({ url, ...credentials, connector, kept: keptInBrowser() })
      const job = await hub.createJob({ body: { jobName: 'from a page' } })
      const progress: number[] = []
      const file = new File([bytes], 'large.bin')
      const onProgress = (sent: number) => void progress.push(sent)
      const { fmsFileId } = await hub.upload(job.jobId, sourceOf(file.name, file), { onProgress })
      const back = await hub.download({ jobId: job.jobId, fmsFileId })
      const same = (await hash(await back.bytes())) === (await hash(bytes))
      const small = await hub.upload(job.jobId, sourceOf('small.txt', 'hello'))
      const text = await (
        await hub.download({ jobId: job.jobId, fmsFileId: small.fmsFileId })
      ).text()
      return {
        progress,
        same,
        name: back.name,
        text,
        connectorName: job.connectorName,
        left: localStorage.length,
      }
    }, hub.url)
    expect(seen.progress.length).toBeGreaterThan(3)
    expect(seen.progress).toEqual(seen.progress.toSorted((a, b) => a - b))
    expect(seen.progress[0]).toBe(0)
    expect(seen.progress.at(-1)).toBe(20 * 1024 * 1024)
    expect(seen).toMatchObject({ same: true, name: 'large.bin', text: 'hello', left: 1 })
    expect(seen.connectorName).toMatch(/^[0-9a-f-]{36} page 1\.0\.0$/)
  })

  it('follows pages and throws the errors of the hub', async () => {
    const seen = await page.evaluate(async (url) => {
      const { connect, HubError } = (globalThis as unknown as OnPage).sdk
      const hub = connect({
        url,
        clientId: 'demo-connector',
        clientSecret: 'demo-connector-secret',
      })
      for (let at = 0; at < 3; at += 1)
        await hub.createJob({ body: { jobName: `job ${at}`, labels: ['pages'] } })
      const names: string[] = []
      for await (const job of hub.each('listJobs', {
        query: { filter: "labels eq 'pages'", pageSize: 1 },
      }))
        names.push(job.jobName)
      const error: unknown = await hub
        .findJob({ params: { jobId: 'nosuchjob1' } })
        .catch((thrown: unknown) => thrown)
      if (!(error instanceof HubError)) return { names, code: 'none' }
      return { names, code: error.code, traceId: typeof error.traceId }
    }, hub.url)
    expect(seen.names.toSorted()).toEqual(['job 0', 'job 1', 'job 2'])
    expect(seen).toMatchObject({ code: 'JOB_NOT_FOUND', traceId: 'string' })
  })

  it('verifies a delivery with the cryptography of the browser', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const body = '{"eventType":"JOB_UPDATE"}'
    const at = new Date()
    const headers = {
      'webhook-id': 'one',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('one', at, body),
    }
    const seen = await page.evaluate(
      async ({ headers, body, secret }) => {
        const { verifyDelivery } = (globalThis as unknown as OnPage).sdk
        const good = await verifyDelivery(headers, body, { secret })
        const bad = await verifyDelivery(headers, `${body} `, { secret }).catch(
          (error: { code: string }) => error.code,
        )
        return { type: good.delivery.eventType, bad }
      },
      { headers, body, secret },
    )
    expect(seen).toEqual({ type: 'JOB_UPDATE', bad: 'UNAUTHORIZED' })
  })
})

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')
