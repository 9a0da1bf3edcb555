/**
 * Pages with the drafts of one task, and a job for them: tests of drafts write, look and leave
 * through these.
 */
import type { Segment } from '@dragoman/contract/wire'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach } from 'vitest'
import { sharedChromium } from '../../chromium.ts'
import type { TestHub } from '../../hub.ts'
import { serveStage } from './desk-stage.ts'
import type { Stage } from './stage.ts'

type JsonObject = Record<string, unknown>
export type OnPage = {
  readonly stage: Stage & { readonly drafts: NonNullable<Stage['drafts']> }
  /** As the person saw them when the page was opened. */
  seen: Segment[]
}
const as = 'demo-connector'
export const sources = ['Your basket', 'Pay now', 'Choose a day', 'Free returns']

/**
 * A job with one request of key-value content, which its provider has. Returns its place for the
 * page.
 */
export async function sendJob(hub: TestHub): Promise<string> {
  const call = async <T = JsonObject>(method: string, path: string, body?: unknown) =>
    (await hub.call<T>(method, `/v2${path}`, { as, ...(body !== undefined && { body }) })).body
  const { providers } = await call<{ providers: { id: string; name: string }[] }>(
    'GET',
    '/providers',
  )
  const providerId = providers.find(({ name }) => name === 'Manual')?.id ?? ''
  const { jobId } = await call('POST', '/jobs', { jobName: 'Drafts' })
  const { requests } = await call<{ requests: { requestId: string }[] }>(
    'POST',
    `/jobs/${jobId}/requests/add`,
    {
      requestName: 'Checkout',
      sourceNativeId: '1',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fields: sources.map((value, at) => ({ key: `k${at}`, value })),
    },
  )
  await call('PUT', `/jobs/${jobId}/submit`, { providerId })
  await hub.advance('1s')
  return `${providerId}/${jobId}/${requests[0]?.requestId}`
}

/** Windows that are closed after each test. */
export function useWindows(): (
  hubUrl: string,
  cookies?: ReadonlyMap<string, string>,
) => Promise<BrowserContext> {
  const contexts: BrowserContext[] = []
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })
  return async (hubUrl, cookies) => {
    const context = await (await sharedChromium()).newContext({ locale: 'en' })
    contexts.push(context)
    if (cookies)
      await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: hubUrl })))
    await serveStage(context, hubUrl)
    return context
  }
}

export async function openTab(
  context: BrowserContext,
  hubUrl: string,
  task: string,
): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(300_000)
  await page.goto(`${hubUrl}/stage/?stage=drafts&task=${task}`)
  await page.waitForFunction(
    () => (globalThis as unknown as Partial<OnPage>).stage?.drafts,
    undefined,
    { polling: 50 },
  )
  await page.evaluate(async () => {
    const onPage = globalThis as unknown as OnPage
    onPage.seen = await onPage.stage.list()
  })
  return page
}

/** The text of the segment at this place. */
export const write = (page: Page, at: number, text: string) =>
  page.evaluate(
    ([place, target]) => {
      const { stage, seen } = globalThis as unknown as OnPage
      stage.drafts.write(stage.drafts.show(seen[place] as Segment), [target], 'DRAFT')
    },
    [at, text] as const,
  )
export const flush = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as OnPage).stage.drafts.flush())
export const stateOf = (page: Page, at: number) =>
  page.evaluate((place) => {
    const { stage, seen } = globalThis as unknown as OnPage
    return stage.drafts.of(seen[place]?.segmentId ?? '')
  }, at)
export const choose = (page: Page, at: number, which: 'mine' | 'theirs') =>
  page.evaluate(
    async ([place, chosen]) => {
      const { stage, seen } = globalThis as unknown as OnPage
      stage.drafts.choose(seen[place]?.segmentId ?? '', chosen)
      await stage.drafts.flush()
    },
    [at, which] as const,
  )
/** How many are not saved. */
export const open = (page: Page) => page.locator('#open').textContent()
